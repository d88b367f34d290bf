import { parseCsv, parseGoBool } from '../argo/index.ts'
import { parseGoDuration } from '../text/index.ts'

/** How the installation wants ApplicationSets to be treated. */
export interface AppsetSettings {
  /** `create-only`, `create-update`, `create-delete` or `sync`. */
  readonly policy: string
  /** Sets may choose another policy. */
  readonly policyOverride: boolean
  /** Namespaces that may hold sets besides the controller's: globs, or /regular expressions/. */
  readonly namespaces: readonly string[]
  readonly progressiveSyncs: boolean
  /** Nothing is written: the API server only says whether it would accept it. */
  readonly dryRun: boolean
  readonly newGitFileGlobbing: boolean
  readonly workers: number
  /** Applications that a status lists; 0: all. */
  readonly maxResources: number
  readonly preservedAnnotations: readonly string[]
  readonly preservedLabels: readonly string[]
  readonly pollMs: number
  /** False refuses scmProvider and pullRequest generators. */
  readonly scmProviders: boolean
  /** URLs of hosts that generators may name; empty: all. */
  readonly allowedScmProviders: readonly string[]
  /** Secrets that generators name need `argocd.argoproj.io/secret-type: scm-creds`. */
  readonly strictTokens: boolean
  /** A file of certificates that hosts of repositories are trusted by. */
  readonly scmRootCaPath: string
  /** '' where the environment's proxy is taken. */
  readonly scmProxyUrl: string
  readonly scmNoProxy: string
  readonly githubApiMetrics: boolean
  /** Values that were not understood; the default is taken for them. */
  readonly problems: readonly string[]
}

const policies: ReadonlySet<string> = new Set([
  'create-only',
  'create-update',
  'create-delete',
  'sync',
])
const defaultPollMs = 180_000

/**
 * Reads argocd-cmd-params-cm and the environment, which wins. Names are those of Argo CD's applicationset controller.
 *
 * Source: argo-cd v3.5.1 cmd/argocd-applicationset-controller/commands/applicationset_controller.go
 */
export function readAppsetSettings(
  params: { readonly [key: string]: string },
  environment: { readonly [name: string]: string | undefined },
): AppsetSettings {
  const problems: string[] = []
  const text = (key: string, variable: string): string =>
    environment[`ARGOCD_APPLICATIONSET_CONTROLLER_${variable}`] ||
    params[`applicationsetcontroller.${key}`] ||
    ''
  const refuse = <T>(key: string, given: string, fallback: T): T => {
    problems.push(`applicationsetcontroller.${key}: ${JSON.stringify(given)} is not understood`)
    return fallback
  }
  const flag = (key: string, variable: string, fallback: boolean): boolean => {
    const given = text(key, variable)
    return given === '' ? fallback : (parseGoBool(given) ?? refuse(key, given, fallback))
  }
  const count = (key: string, variable: string, fallback: number): number => {
    const given = text(key, variable)
    if (given === '') return fallback
    return /^\d{1,9}$/.test(given) ? Number(given) : refuse(key, given, fallback)
  }
  const given = text('policy', 'POLICY')
  const poll = text('requeue.after', 'REQUEUE_AFTER')
  const nanos = poll === '' ? undefined : parseGoDuration(poll)
  const pollMs = nanos === undefined ? defaultPollMs : Number(nanos) / 1e6
  if (poll !== '' && nanos === undefined) refuse('requeue.after', poll, undefined)
  return {
    // a policy that nobody knows must not delete anything
    policy:
      given === '' ? 'sync' : policies.has(given) ? given : refuse('policy', given, 'create-only'),
    policyOverride: flag('enable.policy.override', 'ENABLE_POLICY_OVERRIDE', given === ''),
    namespaces: parseCsv(text('namespaces', 'NAMESPACES')),
    progressiveSyncs: flag('enable.progressive.syncs', 'ENABLE_PROGRESSIVE_SYNCS', false),
    dryRun: flag('dryrun', 'DRY_RUN', false),
    newGitFileGlobbing: flag('enable.new.git.file.globbing', 'ENABLE_NEW_GIT_FILE_GLOBBING', false),
    workers: Math.max(count('concurrent.reconciliations.max', 'CONCURRENT_RECONCILIATIONS', 10), 1),
    maxResources: count('status.max.resources.count', 'MAX_RESOURCES_STATUS_COUNT', 5000),
    preservedAnnotations: parseCsv(
      text('global.preserved.annotations', 'GLOBAL_PRESERVED_ANNOTATIONS'),
    ),
    preservedLabels: parseCsv(text('global.preserved.labels', 'GLOBAL_PRESERVED_LABELS')),
    pollMs: pollMs >= 1000 ? pollMs : defaultPollMs,
    scmProviders: flag('enable.scm.providers', 'ENABLE_SCM_PROVIDERS', true),
    allowedScmProviders: parseCsv(text('allowed.scm.providers', 'ALLOWED_SCM_PROVIDERS')),
    strictTokens: flag('enable.tokenref.strict.mode', 'TOKENREF_STRICT_MODE', false),
    scmRootCaPath: text('scm.root.ca.path', 'SCM_ROOT_CA_PATH'),
    scmProxyUrl: environment['ARGOCD_APPLICATIONSET_CONTROLLER_SCM_PROXY_URL'] ?? '',
    scmNoProxy: environment['ARGOCD_APPLICATIONSET_CONTROLLER_SCM_NO_PROXY'] ?? '',
    githubApiMetrics: flag('enable.github.api.metrics', 'ENABLE_GITHUB_API_METRICS', false),
    problems,
  }
}
