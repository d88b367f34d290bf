// The functions that templates of Helm 4.2 may call: text/template's, sprig 3.3's, and Helm's own.
import { builtins, type FunctionDef, type FunctionTable } from '../../../lang/gotemplate/index.ts'
import { cryptoFunctions } from './crypto.ts'
import { dateFunctions } from './dates.ts'
import { dictFunctions } from './dicts.ts'
import { encodingFunctions } from './encodings.ts'
import { listFunctions } from './lists.ts'
import { numberFunctions } from './numbers.ts'
import { randomFunctions } from './random.ts'
import { reflectFunctions } from './reflect.ts'
import { regexpFunctions } from './regexps.ts'
import { semverFunctions } from './semvers.ts'
import { stringFunctions } from './strings.ts'
import { templateFunctions } from './templates.ts'
import { urlFunctions } from './urls.ts'

export { type Chance, type ChanceStream, seededChance } from './chance.ts'
export { goValue, jsonOf, mapOfJson } from './convert.ts'
export { define } from './define.ts'
export { deepCopy } from './dicts.ts'
export { toYaml } from './encodings.ts'
export type { HelmHost, Lookup } from './host.ts'
export { addressBytes } from './ip.ts'
export { constraintOf } from './semvers.ts'
export { dropNoValue, failEnd, failStart } from './templates.ts'

/** Later lists win: sprig's `slice` replaces text/template's. */
export const helmFunctions: FunctionTable = new Map<string, FunctionDef>([
  ...builtins,
  ...stringFunctions,
  ...numberFunctions,
  ...listFunctions,
  ...dictFunctions,
  ...reflectFunctions,
  ...regexpFunctions,
  ...dateFunctions,
  ...semverFunctions,
  ...urlFunctions,
  ...randomFunctions,
  ...cryptoFunctions,
  ...encodingFunctions,
  ...templateFunctions,
])
