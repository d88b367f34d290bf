import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isLitecdError, RenderError, SpecError } from '@litecd/core/errors'
import type { RenderAnswer } from '@litecd/core/render'
import {
  AnsweredRemotes,
  type Build,
  type BuildFlags,
  type BuiltObject,
  buildKustomization,
  buildText,
  MissingRemote,
  parseRepo,
  readBuildFlags,
} from '@litecd/core/render/kustomize'
import { formatYaml } from '@litecd/core/yaml'
import { createSourceFetcher } from '@litecd/k8s-adapter/sources'
import type { Io } from '../io.ts'
import { diskTree } from './kustomize-disk.ts'

const help = `Usage: litecd kustomize build [DIR] [flags]

Prints what kustomize 5.8.1 builds from DIR, the current folder if left out. DIR may be a git URL.

  -o, --output PATH              write to a file, or a file for each object into a folder
      --enable-helm              inflate helmCharts
      --helm-kube-version V      the Kubernetes version that charts see
      --helm-api-versions V      an API version that charts see; may be repeated
      --load-restrictor R        LoadRestrictionsRootOnly or LoadRestrictionsNone
      --reorder O                legacy or none
      --enable-managedby-label   label every object
  -e, --env NAME                 accepted for functions, which do not run here
      --enable-alpha-plugins     accepted; a plugin that is used is refused by its name
`

/** Flags that only matter to programs which never run here. */
const ignored = new Set(['--as-current-user', '--network', '--enable-exec', '--stack-trace'])
const ignoredWithValue = new Set(['--mount', '--network-name'])

const maxRounds = 50

/**
 * `litecd kustomize build`: prints what `kustomize build` prints, byte for byte, with its exit code.
 *
 * Returns 0, or 1 after any error, which goes to standard error in kustomize's words.
 */
export async function kustomizeCommand(argv: readonly string[], io: Io): Promise<number> {
  const [command, ...rest] = argv
  if (command === undefined || ['help', '--help', '-h'].includes(command)) {
    io.stdout(help)
    return 0
  }
  if (command !== 'build') {
    throw new SpecError(
      'USAGE',
      `litecd kustomize: there is no command ${JSON.stringify(command)}`,
      {
        hint: 'litecd kustomize build is what there is.',
      },
    )
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    io.stdout(help)
    return 0
  }
  try {
    const line = readLine(rest)
    const build = await run(line, io)
    write(build, line.output, io)
    return 0
  } catch (error) {
    if (!isLitecdError(error)) throw error
    io.stderr(`Error: ${error.message}\n`)
    if (error.hint !== undefined) io.stderr(`Hint: ${error.hint}\n`)
    return 1
  }
}

interface Line {
  readonly folder: string
  readonly output: string | undefined
  readonly flags: BuildFlags
}

function readLine(argv: readonly string[]): Line {
  const folders: string[] = []
  const words: string[] = []
  let output: string | undefined
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!
    const equals = word.indexOf('=')
    const name = word.startsWith('--') && equals !== -1 ? word.slice(0, equals) : word
    const value = (): string => {
      if (name !== word) return word.slice(equals + 1)
      const next = argv[++i]
      if (next === undefined) throw failure(`flag needs an argument: ${name}`)
      return next
    }
    if (!word.startsWith('-')) folders.push(word)
    else if (name === '-o' || name === '--output') output = value()
    else if (ignoredWithValue.has(name)) value()
    else if (ignored.has(name)) continue
    else if (isValued(name)) words.push(name, value())
    else if (isSwitch(name)) words.push(word)
    else throw failure(`unknown flag: ${name}`)
  }
  if (folders.length > 1) throw failure('specify one path to kustomization.yaml')
  return { folder: folders[0] ?? '.', output, flags: readBuildFlags(words.join(' ')) }
}

function isValued(name: string): boolean {
  return [
    '--load-restrictor',
    '--load_restrictor',
    '--reorder',
    '--helm-kube-version',
    '--helm-api-versions',
    '--helm-command',
    '--env',
    '-e',
  ].includes(name)
}

function isSwitch(name: string): boolean {
  return [
    '--enable-helm',
    '--enable-managedby-label',
    '--enable-alpha-plugins',
    '--helm-debug',
  ].includes(name)
}

function failure(message: string): RenderError {
  return new RenderError('KUSTOMIZE_FAILED', message)
}

async function run(line: Line, io: Io): Promise<Build> {
  const answers: { [id: string]: RenderAnswer } = {}
  let fetcher: ReturnType<typeof createSourceFetcher> | undefined
  for (let round = 0; round < maxRounds; round++) {
    const remotes = new AnsweredRemotes(answers)
    const warnings: string[] = []
    try {
      const build = buildOnce(line, io, remotes, (text) => warnings.push(text))
      for (const text of warnings) io.stderr(`${text}\n`)
      return build
    } catch (error) {
      if (!(error instanceof MissingRemote) && remotes.needs.length === 0) {
        for (const text of warnings) io.stderr(`${text}\n`)
        throw error
      }
    }
    fetcher ??= createSourceFetcher({
      cacheDir: io.env['LITECD_CACHE'] ?? mkdtempSync(join(tmpdir(), 'litecd-kustomize-')),
      userConfig: true,
    })
    for (const { id, request } of remotes.needs) {
      try {
        const revision = await fetcher.resolve(request)
        answers[id] = { tree: await fetcher.fetch(request, revision), revision }
      } catch (error) {
        if (!isLitecdError(error)) throw error
        answers[id] = { error }
      }
    }
  }
  throw new RenderError(
    'BUDGET_EXCEEDED',
    `the kustomization still asks for more after ${maxRounds} rounds of fetching`,
  )
}

function buildOnce(
  line: Line,
  io: Io,
  remotes: AnsweredRemotes,
  said: (text: string) => void,
): Build {
  const { flags } = line
  const options = {
    rootOnly: flags.rootOnly,
    reorder: flags.reorder,
    managedByLabel: flags.managedByLabel,
    remotes,
    warn: said,
    log: (text: string) => said(`${logTime()} ${text}`),
    helm: {
      enabled: flags.enableHelm,
      kubeVersion: flags.helmKubeVersion,
      apiVersions: flags.helmApiVersions,
      chart: (request: Parameters<AnsweredRemotes['chart']>[0]) => remotes.chart(request),
    },
  }
  const repo = parseRepo(line.folder)
  if (repo !== undefined) {
    const answer = remotes.repo(repo)
    if ('error' in answer) throw answer.error
    return buildKustomization({ tree: answer.tree, display: '/repo' }, repo.path, options)
  }
  const folder = resolve(io.cwd, line.folder)
  return buildKustomization({ tree: diskTree, display: '' }, folder.slice(1), options)
}

/** The time as Go's log package writes it. */
function logTime(): string {
  const now = new Date()
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('/')
  return `${day} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':')}`
}

function write(build: Build, output: string | undefined, io: Io): void {
  if (output === undefined) {
    io.stdout(buildText(build))
    return
  }
  const target = resolve(io.cwd, output)
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory() !== true) {
    writeFileSync(target, buildText(build))
    return
  }
  const spread =
    new Set(build.objects.flatMap(({ scope }) => (scope === '' ? [] : [scope]))).size > 1
  for (const object of build.objects) {
    const folder = spread && object.scope !== '' ? `${object.scope.toLowerCase()}_` : ''
    writeFileSync(join(target, folder + fileName(object)), formatYaml(object.value))
  }
}

function fileName({ value }: BuiltObject): string {
  const text = (field: unknown): string => (typeof field === 'string' ? field : '')
  const [group, version] = text(value['apiVersion']).includes('/')
    ? text(value['apiVersion']).split('/')
    : ['', text(value['apiVersion'])]
  const name = (value['metadata'] as { readonly name?: unknown } | undefined)?.name
  const parts = [group, version, text(value['kind'])].filter((part) => part !== '')
  return `${parts.join('_').toLowerCase()}_${String(name ?? '').toLowerCase()}.yaml`
}
