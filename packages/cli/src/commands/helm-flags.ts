import { parseDuration, parseGoFloat, parseGoInt, quoteGo } from '@litecd/core/text'

type FlagKind =
  | 'bool'
  | 'text'
  /** Every use adds one item. */
  | 'list'
  /** Every use adds items, separated by commas. */
  | 'csv'
  | 'pairs'
  | 'duration'
  | 'int'
  | 'float'
  | 'wait'

interface HelmFlag {
  readonly kind: FlagKind
  readonly short?: string
  /** Taken when the flag stands alone. */
  readonly alone?: string
  /** Left out for flags that change nothing here. */
  readonly help?: string
  readonly value?: string
  /** What Helm says when the flag is given. */
  readonly deprecated?: string
  /** What litecd cannot do when the flag says so. */
  readonly isRefused?: boolean
  /** Not told of. */
  readonly isHidden?: boolean
}

const noEffect = "this flag has no effect for 'helm template' and will be removed in Helm 5"

/** Flags of `helm template`, those that change nothing in a render included, so that command lines can be taken over. */
const flags: { readonly [name: string]: HelmFlag } = {
  'api-versions': {
    kind: 'csv',
    short: 'a',
    value: 'GV[/KIND]',
    help: 'API versions that the cluster serves besides the known ones',
  },
  devel: { kind: 'bool', help: 'versions with a pre-release count too' },
  'generate-name': { kind: 'bool', short: 'g', help: 'no NAME is given' },
  'include-crds': { kind: 'bool', help: 'print the CRDs of the chart first' },
  'is-upgrade': { kind: 'bool', help: 'set .Release.IsUpgrade instead of .Release.IsInstall' },
  'kube-version': {
    kind: 'text',
    value: 'VERSION',
    help: 'version of the cluster for .Capabilities.KubeVersion',
  },
  'name-template': { kind: 'text', value: 'TEMPLATE', help: 'template of the release name' },
  namespace: { kind: 'text', short: 'n', value: 'NAME', help: 'namespace of the release' },
  'no-hooks': { kind: 'bool', help: 'leave hooks out' },
  'output-dir': { kind: 'text', value: 'DIR', help: 'write a file for each template' },
  'release-name': { kind: 'bool', help: 'put the release name into the paths of --output-dir' },
  repo: { kind: 'text', value: 'URL', help: 'Helm repository that holds the chart' },
  set: { kind: 'list', value: 'K=V', help: 'values: a.b=1,c[0]=x' },
  'set-file': { kind: 'list', value: 'K=PATH', help: 'values from the content of files' },
  'set-json': { kind: 'list', value: 'K=JSON', help: 'values in JSON' },
  'set-literal': { kind: 'list', value: 'K=V', help: 'a value as text, taken literally' },
  'set-string': { kind: 'list', value: 'K=V', help: 'values as text' },
  'show-only': {
    kind: 'list',
    short: 's',
    value: 'GLOB',
    help: 'only what these templates give, such as templates/service.yaml',
  },
  'skip-schema-validation': { kind: 'bool', help: 'do not hold values against schemas' },
  'skip-tests': { kind: 'bool', help: 'leave test hooks out' },
  values: {
    kind: 'csv',
    short: 'f',
    value: 'FILE',
    help: 'a file of values, a URL, or - for stdin',
  },
  version: { kind: 'text', value: 'RANGE', help: 'version of a chart from a repository' },
  kubeconfig: { kind: 'text', value: 'FILE', help: 'read for the namespace when there is no -n' },
  'kube-context': { kind: 'text', value: 'NAME', help: 'context of the kubeconfig' },
  help: { kind: 'bool', short: 'h', help: 'this text' },

  'ca-file': {
    kind: 'text',
    value: 'FILE',
    help: 'certificates that the repository is trusted by',
  },
  'cert-file': { kind: 'text', value: 'FILE', help: 'client certificate for the repository' },
  'dependency-update': {
    kind: 'bool',
    help: 'fetch dependencies that the chart does not hold; its folder stays as it is',
  },
  'insecure-skip-tls-verify': { kind: 'bool', help: 'trust the repository whatever it shows' },
  'key-file': { kind: 'text', value: 'FILE', help: 'key of the client certificate' },
  'pass-credentials': { kind: 'bool', help: 'show credentials to other hosts too' },
  password: { kind: 'text', value: 'TEXT', help: 'password at the repository' },
  'plain-http': { kind: 'bool', help: 'talk to the registry without TLS' },
  username: { kind: 'text', value: 'NAME', help: 'user name at the repository' },

  'post-renderer': { kind: 'text', isRefused: true },
  validate: { kind: 'bool', isRefused: true, deprecated: "use '--dry-run=server' instead" },
  verify: { kind: 'bool', isRefused: true },

  atomic: { kind: 'bool', deprecated: 'use --rollback-on-failure instead' },
  force: { kind: 'bool', deprecated: 'use --force-replace instead' },
  'hide-notes': { kind: 'bool', deprecated: noEffect },
  'render-subchart-notes': { kind: 'bool', deprecated: noEffect },

  'burst-limit': { kind: 'int' },
  color: { kind: 'text' },
  colour: { kind: 'text' },
  'content-cache': { kind: 'text' },
  'create-namespace': { kind: 'bool' },
  debug: { kind: 'bool', help: 'say more on stderr; print also what is no YAML' },
  description: { kind: 'text' },
  'disable-openapi-validation': { kind: 'bool' },
  'dry-run': { kind: 'text', alone: 'unset' },
  'enable-dns': { kind: 'bool' },
  'force-conflicts': { kind: 'bool' },
  'force-replace': { kind: 'bool' },
  keyring: { kind: 'text' },
  'kube-apiserver': { kind: 'text' },
  'kube-as-group': { kind: 'list' },
  'kube-as-user': { kind: 'text' },
  'kube-ca-file': { kind: 'text' },
  'kube-insecure-skip-tls-verify': { kind: 'bool' },
  'kube-tls-server-name': { kind: 'text' },
  'kube-token': { kind: 'text' },
  labels: { kind: 'pairs', short: 'l' },
  'post-renderer-args': { kind: 'csv' },
  qps: { kind: 'float' },
  'registry-config': { kind: 'text' },
  replace: { kind: 'bool' },
  'repository-cache': { kind: 'text' },
  'repository-config': { kind: 'text' },
  'rollback-on-failure': { kind: 'bool' },
  'server-side': { kind: 'bool' },
  'skip-crds': { kind: 'bool' },
  'take-ownership': { kind: 'bool' },
  timeout: { kind: 'duration' },
  wait: { kind: 'wait', alone: 'watcher' },
  'wait-for-jobs': { kind: 'bool' },

  // of the log of Kubernetes' own libraries
  'add-dir-header': { kind: 'bool', isHidden: true },
  alsologtostderr: { kind: 'bool', isHidden: true },
  alsologtostderrthreshold: { kind: 'text', isHidden: true },
  'legacy-stderr-threshold-behavior': { kind: 'bool', isHidden: true },
  'log-backtrace-at': { kind: 'text', isHidden: true },
  'log-dir': { kind: 'text', isHidden: true },
  'log-file': { kind: 'text', isHidden: true },
  'log-file-max-size': { kind: 'int', isHidden: true },
  logtostderr: { kind: 'bool', isHidden: true },
  'one-output': { kind: 'bool', isHidden: true },
  'skip-headers': { kind: 'bool', isHidden: true },
  'skip-log-headers': { kind: 'bool', isHidden: true },
  stderrthreshold: { kind: 'text', isHidden: true },
  v: { kind: 'int', short: 'v', isHidden: true },
  vmodule: { kind: 'text', isHidden: true },
}

/** Flags of which only one may be given. */
const groups: readonly (readonly string[])[] = [
  ['force-replace', 'force-conflicts'],
  ['force', 'force-conflicts'],
  ['validate', 'dry-run'],
]

const shorts = new Map(
  Object.entries(flags).flatMap(([name, { short }]) =>
    short === undefined ? [] : [[short, name]],
  ),
) as ReadonlyMap<string, string>

/** A command line of `helm template`. */
export interface HelmCommandLine {
  readonly positionals: readonly string[]
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  flag(name: string): boolean
  /** What Helm says of flags that it would rather not see, in their order. */
  readonly notices: readonly string[]
  /** Flags that were given and that litecd cannot honour. */
  readonly unsupported: readonly string[]
}

/** The command line cannot be read; the message is Helm's. */
export class FlagIssue extends Error {
  override readonly name = 'FlagIssue'
}

/**
 * Reads the arguments as Helm does: flags and names in any order, `--` ends flags. Throws FlagIssue.
 *
 * Source: spf13/pflag v1.0 flag.go
 */
export function parseHelmFlags(argv: readonly string[]): HelmCommandLine {
  const values = new Map<string, string[]>()
  const positionals: string[] = []
  const notices: string[] = []
  const set = (name: string, text: string): void => {
    const { kind, deprecated } = flags[name]!
    if (kind === 'wait' && (text === 'true' || text === 'false')) {
      const better = text === 'true' ? 'watcher' : 'hookOnly'
      notices.push(
        `level=WARN msg="--wait=${text} is deprecated (boolean value) and can be replaced with --wait=${better}"`,
      )
    }
    if (deprecated !== undefined) {
      notices.push(`Flag --${name} has been deprecated, ${deprecated}`)
    }
    const items = checked(name, kind, text)
    const isMany = kind === 'list' || kind === 'csv'
    values.set(name, isMany ? [...(values.get(name) ?? []), ...items] : [...items])
  }
  const rest = [...argv]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      positionals.push(...rest)
      break
    }
    if (arg === '-' || !arg.startsWith('-')) positionals.push(arg)
    else if (arg.startsWith('--')) readLong(arg, rest, set)
    else readShorts(arg, rest, set)
  }
  const unsupported = [...values].flatMap(([name, texts]) => {
    const { kind, isRefused } = flags[name]!
    const isOff = kind === 'bool' ? !isTrue(texts.at(-1)!) : texts.at(-1) === ''
    return isRefused === true && !isOff ? [name] : []
  })
  return {
    positionals,
    unsupported,
    notices,
    text: (name) => values.get(name)?.at(-1),
    texts: (name) => values.get(name) ?? [],
    flag: (name) => isTrue(values.get(name)?.at(-1) ?? 'false'),
  }
}

/** Throws FlagIssue when flags were given that exclude each other. Source: spf13/cobra v1.10 flag_groups.go */
export function checkGroups(line: HelmCommandLine): void {
  for (const group of groups) {
    const given = group.filter((name) => line.text(name) !== undefined).sort()
    if (given.length < 2) continue
    throw new FlagIssue(
      `if any flags in the group [${group.join(' ')}] are set none of the others can be; [${given.join(' ')}] were all set`,
    )
  }
}

type Setter = (name: string, text: string) => void

function readLong(arg: string, rest: string[], set: Setter): void {
  const equals = arg.indexOf('=')
  const name = arg.slice(2, equals === -1 ? undefined : equals)
  if (name === '' || name.startsWith('-')) throw new FlagIssue(`bad flag syntax: ${arg}`)
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (flag === undefined) throw new FlagIssue(`unknown flag: --${name}`)
  const text = equals === -1 ? (aloneText(flag) ?? rest.shift()) : arg.slice(equals + 1)
  if (text === undefined) throw new FlagIssue(`flag needs an argument: --${name}`)
  set(name, text)
}

/** `-gn x`, `-nx`, `-n=x` */
function readShorts(arg: string, rest: string[], set: Setter): void {
  let letters = arg.slice(1)
  while (letters !== '') {
    const letter = [...letters][0]!
    const name = shorts.get(letter)
    if (name === undefined) {
      throw new FlagIssue(`unknown shorthand flag: ${singleQuoted(letter)} in -${letters}`)
    }
    const after = letters.slice(letter.length)
    const isAssigned = after.length > 1 && after.startsWith('=')
    const alone = isAssigned ? undefined : aloneText(flags[name]!)
    if (alone !== undefined) {
      set(name, alone)
      letters = after
      continue
    }
    const text = isAssigned ? after.slice(1) : after === '' ? rest.shift() : after
    if (text === undefined) {
      throw new FlagIssue(`flag needs an argument: ${singleQuoted(letter)} in -${letters}`)
    }
    set(name, text)
    return
  }
}

function singleQuoted(letter: string): string {
  return `'${letter === "'" ? "\\'" : letter}'`
}

function aloneText(flag: HelmFlag): string | undefined {
  return flag.kind === 'bool' ? 'true' : flag.alone
}

/** Go's words for true. */
export function isTrue(text: string): boolean {
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)
}

function isBool(text: string): boolean {
  return isTrue(text) || ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)
}

function checked(name: string, kind: FlagKind, text: string): readonly string[] {
  const refuse = (why: string): never => {
    const { short } = flags[name]!
    const shown = short === undefined ? `--${name}` : `-${short}, --${name}`
    throw new FlagIssue(`invalid argument ${quoteGo(text)} for ${quoteGo(shown)} flag: ${why}`)
  }
  const invalid = (parser: string, issue: 'syntax' | 'range' = 'syntax'): never =>
    refuse(
      `strconv.${parser}: parsing ${quoteGo(text)}: ${issue === 'syntax' ? 'invalid syntax' : 'value out of range'}`,
    )
  switch (kind) {
    case 'bool':
      return isBool(text) ? [text] : invalid('ParseBool')
    case 'int': {
      const value = parseGoInt(text, 0)
      return typeof value === 'bigint' ? [text] : invalid('ParseInt', value)
    }
    case 'float': {
      const value = parseGoFloat(text)
      return typeof value === 'number' ? [text] : invalid('ParseFloat', value)
    }
    case 'duration': {
      const duration = parseDuration(text)
      return 'error' in duration ? refuse(duration.error) : [text]
    }
    case 'wait':
      return ['watcher', 'hookOnly', 'legacy', 'true', 'false'].includes(text)
        ? [text]
        : refuse(
            `invalid wait input ${quoteGo(text)}. Valid inputs are watcher, hookOnly, and legacy`,
          )
    case 'pairs': {
      const wrong = csvItems(text, refuse).find((item) => !item.includes('='))
      return wrong === undefined ? [text] : refuse(`${wrong} must be formatted as key=value`)
    }
    case 'csv':
      return csvItems(text, refuse)
    default:
      return [text]
  }
}

/** One record of comma-separated values; an item in double quotes may hold commas. */
function csvItems(text: string, refuse: (why: string) => never): readonly string[] {
  if (text === '') return []
  const items: string[] = []
  let at = 0
  for (;;) {
    if (text[at] === '"') {
      let item = ''
      for (at++; ; at++) {
        if (at >= text.length) {
          refuse(
            `parse error on line 1, column ${text.length + 1}: extraneous or missing " in quoted-field`,
          )
        }
        if (text[at] !== '"') item += text[at]
        else if (text[at + 1] === '"') item += text[at++]
        else break
      }
      at++
      if (at < text.length && text[at] !== ',') {
        refuse(`parse error on line 1, column ${at}: extraneous or missing " in quoted-field`)
      }
      items.push(item)
    } else {
      const comma = text.indexOf(',', at)
      const item = text.slice(at, comma === -1 ? undefined : comma)
      const quote = item.indexOf('"')
      if (quote !== -1) {
        refuse(`parse error on line 1, column ${at + quote + 1}: bare " in non-quoted-field`)
      }
      items.push(item)
      at += item.length
    }
    if (at >= text.length) return items
    at++
    if (at === text.length) return [...items, '']
  }
}

/** What `litecd helm template --help` prints. */
export function helmHelp(): string {
  const rows = Object.entries(flags).flatMap(([name, { short, value, help }]) => {
    if (help === undefined) return []
    const left = `  ${short === undefined ? '   ' : `-${short},`} --${name}${value === undefined ? '' : ` ${value}`}`
    return [[left, help] as const]
  })
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  const quiet = Object.entries(flags).flatMap(([name, { help, isRefused, isHidden }]) =>
    help === undefined && isRefused !== true && isHidden !== true ? [`--${name}`] : [],
  )
  const unsupported = Object.entries(flags).flatMap(([name, { isRefused }]) =>
    isRefused === true ? [`--${name}`] : [],
  )
  return [
    'Usage: litecd helm template [NAME] CHART [flags]',
    '',
    'Prints what `helm template` of Helm 4.2 prints, without the helm program. CHART is a folder, a .tgz, its URL,',
    'oci://…, or a name in the repository of --repo.',
    '',
    'Flags:',
    ...rows.map(([left, help]) => left.padEnd(width) + help),
    '',
    `Taken and without effect: ${quiet.join(' ')}`,
    '',
    `Refused: ${unsupported.join(' ')}`,
    '',
  ].join('\n')
}
