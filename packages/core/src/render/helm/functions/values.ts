export { goValue, jsonOf, mapOfJson } from './convert.ts'
export { deepCopy } from './dicts.ts'
export { toYaml } from './encodings.ts'
