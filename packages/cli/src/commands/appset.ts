import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isLitecdError, SpecError } from '@litecd/core/errors'
import { formatJson, type Json } from '@litecd/core/json'
import { groupOf, type Manifest, nameOf } from '@litecd/core/kube'
import { formatYaml, parseYamlDocuments } from '@litecd/core/yaml'
import { type CommandSpec, helpText, parseFlags } from '../flags.ts'
import { exitCodes, type Io } from '../io.ts'
import { providersFormat } from '../offline/providers.ts'
import { localSourceFetcher } from '../offline/sources.ts'
import { harmless } from '../print/color.ts'
import { printError } from '../print/error.ts'
import { applicationsOfSet } from '../workspace/application-sets.ts'
import { openFromFlags, workspaceFlags } from './common.ts'

const spec: CommandSpec = {
  name: 'appset generate',
  usage: 'litecd appset generate -f FILE [PATH]',
  about:
    'Prints the Applications that the ApplicationSets of a file generate. Git generators see the working tree where they\n' +
    'name the repository of PATH (default: the folder of FILE), and fetch other repositories.',
  maxArguments: 1,
  flags: {
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      help: 'manifests with one or more ApplicationSets',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      help: 'yaml or json',
      choices: ['yaml', 'json'],
    },
    ...Object.fromEntries(
      ['repo', 'target-branch', 'clusters', 'scm', 'offline', 'argocd-namespace'].map((name) => [
        name,
        workspaceFlags[name]!,
      ]),
    ),
  },
  after:
    `${providersFormat}\n\n` +
    'Exit codes: 0 everything was generated, 2 the command line or the repository is wrong, 3 some set failed.',
}

export async function appsetCommand(argv: readonly string[], io: Io): Promise<number> {
  const [verb, ...rest] = argv
  if (verb !== 'generate') {
    if (verb === '--help' || verb === '-h') {
      io.stdout(helpText(spec))
      return exitCodes.same
    }
    throw new SpecError('USAGE', `litecd appset: unknown command ${JSON.stringify(verb ?? '')}`, {
      hint: 'Known: generate.',
    })
  }
  const flags = parseFlags(spec, rest)
  if (flags.help) {
    io.stdout(helpText(spec))
    return exitCodes.same
  }
  const file = flags.text('file')
  if (file === undefined) {
    throw new SpecError('USAGE', 'litecd appset generate needs a file', { hint: 'Use -f FILE.' })
  }
  const sets = readSets(resolve(io.cwd, file), file)
  const { workspace, options } = openFromFlags(
    flags,
    { ...io, cwd: flags.positionals.length > 0 ? io.cwd : dirname(resolve(io.cwd, file)) },
    { base: 'HEAD' },
  )
  const sources = localSourceFetcher(workspace.head, {
    repository: workspace.repository,
    urls: workspace.urls,
    targetBranches: workspace.targetBranches,
    remote: options.remote,
  })
  const made: Json[] = []
  let failed = false
  for (const set of sets) {
    try {
      const { applications, duplicates, warnings } = await applicationsOfSet(
        set,
        { path: file },
        { sources, clusters: options.clusters, providers: options.providers },
      )
      made.push(...(applications as unknown as readonly Json[]))
      for (const { message, hint } of warnings) {
        io.stderr(harmless(`${nameOf(set)}: note: ${message}\n  ${hint}\n`))
      }
      for (const name of duplicates) {
        io.stderr(
          `${nameOf(set)}: note: several Applications are called ${name}; Argo CD makes none of them\n`,
        )
      }
    } catch (error) {
      if (!isLitecdError(error)) throw error
      failed = true
      io.stderr(`${nameOf(set)}: `)
      io.stderr(printError(error))
    }
  }
  if (flags.text('output') === 'json') {
    const list = { apiVersion: 'v1', kind: 'List', items: made }
    io.stdout(formatJson(list, { escapeHtml: false, indent: '    ' }) + '\n')
  } else io.stdout(made.map((app) => `---\n${formatYaml(app)}`).join(''))
  return failed ? exitCodes.failed : exitCodes.same
}

function readSets(path: string, shown: string): readonly Manifest[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new SpecError('USAGE', `${shown}: ${(error as Error).message}`)
  }
  const sets: Manifest[] = []
  for (const { value } of parseYamlDocuments(text, { path: shown })) {
    const manifest = value as Manifest | null
    if (
      manifest?.kind === 'ApplicationSet' &&
      typeof manifest.apiVersion === 'string' &&
      groupOf(manifest.apiVersion) === 'argoproj.io'
    ) {
      sets.push(manifest)
    }
  }
  if (sets.length === 0) {
    throw new SpecError('USAGE', `${shown} holds no ApplicationSet`, {
      hint: 'kind: ApplicationSet with apiVersion: argoproj.io/v1alpha1 is looked for.',
    })
  }
  return sets
}
