import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SourceFetcher } from '@litecd/core/adapters'
import { defaultSettings, type Settings } from '@litecd/core/argo'
import { SpecError } from '@litecd/core/errors'
import { realChance } from '@litecd/k8s-adapter/chance'
import type { Flag, ParsedFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { cacheFolder } from '../offline/cache-folder.ts'
import { parseClusters } from '../offline/clusters.ts'
import { offlineFacts } from '../offline/facts.ts'
import { parseProviders } from '../offline/providers.ts'
import type { CompareOptions } from '../workspace/report.ts'
import { openWorkspace, type Workspace } from '../workspace/repository.ts'

/** `-o`, with the formats that a command prints. */
export function outputFlag(help: string, choices: readonly string[]): Flag {
  return { type: 'string', short: 'o', value: 'FORMAT', help, choices }
}

export const colorFlag: Flag = {
  type: 'string',
  value: 'WHEN',
  help: 'auto, always or never',
  choices: ['auto', 'always', 'never'],
}

export const dirFlag: Flag = {
  type: 'string',
  short: 'C',
  value: 'DIR',
  help: 'the repository, or a folder in it to which the search for Applications is limited (default: here)',
}

/** Which cluster `--live` means. */
export const liveClusterFlags: { readonly [name: string]: Flag } = {
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    help: 'for --live (default: $KUBECONFIG, else ~/.kube/config)',
  },
  context: { type: 'string', value: 'NAME', help: 'for --live: a context of the kubeconfig' },
}

/** Flags of every command that looks at a repository. */
export const workspaceFlags: { readonly [name: string]: Flag } = {
  app: { type: 'string', value: 'NAME', help: 'only this Application (name, or namespace/name)' },
  repo: {
    type: 'string',
    multiple: true,
    value: 'URL',
    help: 'a URL under which Applications name this repository, besides its git remotes (repeatable)',
  },
  'target-branch': {
    type: 'string',
    value: 'NAME',
    help: 'the branch that Applications track and this change goes to (default: the default branch)',
  },
  'kube-version': {
    type: 'string',
    value: 'VERSION',
    help: 'version of the cluster, for charts that ask (default v1.36.1)',
  },
  'api-versions': {
    type: 'string',
    short: 'a',
    multiple: true,
    value: 'GV[/KIND]',
    help: 'what the cluster serves beyond the built-in kinds, for charts that ask (repeatable)',
  },
  'argocd-namespace': {
    type: 'string',
    value: 'NAME',
    help: 'namespace of Argo CD itself (default argocd)',
  },
  clusters: {
    type: 'string',
    value: 'FILE',
    help: 'registered clusters, for ApplicationSets that ask: output of `argocd cluster list -o json`, or the cluster Secrets',
  },
  scm: {
    type: 'string',
    value: 'FILE',
    help: 'what hosts of repositories, plugins and decision resources would answer to ApplicationSets; `litecd appset generate --help` shows the format',
  },
  offline: {
    type: 'boolean',
    help: 'never fetch other repositories; Applications that need them fail',
  },
}

export const realChanceFlag: Flag = {
  type: 'boolean',
  help: 'give templates true randomness and the time, as Argo CD does (default: both follow from Application and chart)',
}

export const strictDeniesFlag: Flag = {
  type: 'boolean',
  help: 'patterns with ! in projects only deny, as the guide promises; Argo CD v3.5 also lets one that does not hit permit',
}

export function openFromFlags(
  flags: ParsedFlags,
  io: Io,
  revisions: { readonly base?: string | undefined; readonly head?: string | undefined },
  folder: string = flags.positionals[0] ?? '.',
): { readonly workspace: Workspace; readonly options: CompareOptions } {
  const path = resolve(io.cwd, folder)
  const workspace = openWorkspace(path, {
    ...revisions,
    repoUrls: flags.texts('repo'),
    targetBranch: flags.text('target-branch'),
  })
  const settings: Settings = {
    ...defaultSettings,
    // what is previewed is what Argo CD does, which verifies them
    verifiesCommits: false,
    controllerNamespace: flags.text('argocd-namespace') ?? defaultSettings.controllerNamespace,
  }
  return {
    workspace,
    options: {
      settings,
      facts: offlineFacts(flags.text('kube-version') ?? 'v1.36.1', flags.texts('api-versions')),
      remote: flags.flag('offline') ? undefined : lazyFetcher(io),
      clusters: fromFile('clusters', flags, io, parseClusters),
      providers: fromFile('scm', flags, io, parseProviders),
      dir: workspace.pathInside(path),
      app: flags.text('app'),
      strictDenies: flags.flag('strict-project-denies'),
      ...(flags.flag('real-chance') ? { templates: { chance: realChance() } } : {}),
    },
  }
}

/** What the file of a flag says; undefined where the flag is not given. */
function fromFile<T>(
  flag: string,
  flags: ParsedFlags,
  io: Io,
  parse: (text: string, path: string) => T,
): T | undefined {
  const path = flags.text(flag)
  if (path === undefined) return undefined
  let text: string
  try {
    text = readFileSync(resolve(io.cwd, path), 'utf8')
  } catch (error) {
    throw new SpecError('USAGE', `--${flag} ${path}: ${(error as Error).message}`)
  }
  return parse(text, path)
}

/** Other repositories are rarely needed: what fetches them is loaded only then. */
function lazyFetcher(io: Io): SourceFetcher {
  let fetcher: Promise<SourceFetcher> | undefined
  const load = (): Promise<SourceFetcher> => {
    fetcher ??= import('@litecd/k8s-adapter/sources').then(({ createSourceFetcher }) =>
      createSourceFetcher({ cacheDir: cacheFolder(io.env) }),
    )
    return fetcher
  }
  return {
    resolve: async (...args) => (await load()).resolve(...args),
    fetch: async (...args) => (await load()).fetch(...args),
  }
}
