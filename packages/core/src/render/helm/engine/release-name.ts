import { RenderError } from '../../../errors/index.ts'
import {
  executeTemplate,
  FunctionFailure,
  type FunctionTable,
  ParseCache,
  Run,
  TemplateError,
  TemplateSet,
} from '../../../lang/gotemplate/index.ts'
import { quoteGo } from '../../../text/index.ts'
import { type Chance, define, helmFunctions } from '../functions/index.ts'

const validName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const maxLength = 53

/** Throws HELM_FAILED `release name check failed: …`. Source: helm v4.2.1 pkg/chart/v2/util/validate_name.go */
export function checkReleaseName(name: string): void {
  if (name !== '' && name.length <= maxLength && validName.test(name)) return
  const reason =
    name === ''
      ? 'no name provided'
      : `invalid release name, must match regex ${validName.source} and the length must not be longer than ${maxLength}`
  throw new RenderError(
    'HELM_FAILED',
    `release name check failed: release name ${quoteGo(name)}: ${reason}`,
  )
}

const helmOnly = [
  'include',
  'tpl',
  'required',
  'lookup',
  'toYaml',
  'mustToYaml',
  'toYamlPretty',
  'fromYaml',
  'fromYamlArray',
  'toToml',
  'mustToToml',
  'fromToml',
  'fromJsonArray',
]

/** sprig alone; there is no environment here, so every variable is empty. */
const sprigFunctions: FunctionTable = new Map([
  ...[...helmFunctions].filter(([name]) => !helmOnly.includes(name)),
  ['env', define('s', () => '')] as const,
  [
    'fail',
    define('s', ([message]) => {
      throw new FunctionFailure(message)
    }),
  ] as const,
  ['expandenv', define('s', ([text]) => text.replace(/\$(\w+|\{\w+\})/g, ''))] as const,
])

/**
 * `--name-template`, which Argo CD gives for every release: a template of sprig's functions without data.
 *
 * Throws TEMPLATE_PARSE or TEMPLATE_EXEC with Go's text.
 */
export function renderNameTemplate(text: string, chance: Chance): string {
  if (!text.includes('{{')) return text
  const set = new TemplateSet('name-template', new ParseCache(sprigFunctions))
  const host = { chance, stream: chance.stream('name-template'), lookup: undefined }
  try {
    return executeTemplate(set, set.add('name-template', text), undefined, new Run(host))
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new RenderError(error.code, error.message, { cause: error })
  }
}
