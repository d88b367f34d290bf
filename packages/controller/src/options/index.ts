// options: flags and environment → one readonly Options.
// In: argv, the environment. Out: Options, or what is wrong with them. Never: files, the cluster.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseCsv } from '@litecd/core/argo'
import { SpecError } from '@litecd/core/errors'
import type { LogLevel } from '../log/index.ts'

export interface Options {
  readonly help: boolean
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  /** Where Argo CD's own objects live. */
  readonly namespace: string
  readonly repoCache: string
  readonly statusWorkers: number
  readonly operationWorkers: number
  /** False leaves ApplicationSets to another controller. */
  readonly applicationSets: boolean
  /** Where every sync is written into a file; undefined: nowhere. */
  readonly recordSyncs: string | undefined
  /** Port of health and metrics on loopback; 0 for none. */
  readonly port: number
  /** Keep the last comparison of each Application and serve it there. */
  readonly managedResources: boolean
  /** A folder of Lua checks laid out like Argo CD's resource_customizations. */
  readonly healthLibrary: string | undefined
  readonly healthUnknown: 'none' | 'kstatus'
  /** Labels of ApplicationSets that metrics show. */
  readonly setLabels: readonly string[]
  /** Templates get true randomness and the time, as in Argo CD. */
  readonly realChance: boolean
  /** What `lookup` in charts may find. */
  readonly helmLookup: 'none' | 'objects' | 'secrets' | 'cluster'
  /** Patterns with `!` in projects only deny. */
  readonly strictProjectDenies: boolean
  /** Where webhooks are listened for; undefined: nowhere. */
  readonly webhook: { readonly host: string | undefined; readonly port: number } | undefined
  /** Refreshes that webhooks ask for at the same time. */
  readonly webhookWorkers: number
  /** A jq program to use for ignored differences; undefined: the jq of the core. */
  readonly jq: string | undefined
  readonly logLevel: LogLevel
  /** Environment variables by Argo CD's names, flags included: what settings are read from besides ConfigMaps. */
  readonly environment: { readonly [name: string]: string | undefined }
}

const flags = {
  help: { type: 'boolean', short: 'h' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  namespace: { type: 'string', short: 'n' },
  'application-namespaces': { type: 'string' },
  'repo-cache': { type: 'string' },
  'app-resync': { type: 'string' },
  'app-resync-jitter': { type: 'string' },
  'app-hard-resync': { type: 'string' },
  'self-heal-timeout-seconds': { type: 'string' },
  'self-heal-backoff-timeout-seconds': { type: 'string' },
  'self-heal-backoff-factor': { type: 'string' },
  'self-heal-backoff-cap-seconds': { type: 'string' },
  'sync-timeout': { type: 'string' },
  'auto-rollback': { type: 'boolean' },
  'server-side-diff-enabled': { type: 'boolean' },
  'status-processors': { type: 'string' },
  'operation-processors': { type: 'string' },
  'no-applicationsets': { type: 'boolean' },
  'applicationset-namespaces': { type: 'string' },
  policy: { type: 'string' },
  'enable-policy-override': { type: 'boolean' },
  'enable-progressive-syncs': { type: 'boolean' },
  'enable-new-git-file-globbing': { type: 'boolean' },
  'applicationset-dry-run': { type: 'boolean' },
  'concurrent-reconciliations': { type: 'string' },
  'max-resources-status-count': { type: 'string' },
  'preserved-annotations': { type: 'string' },
  'preserved-labels': { type: 'string' },
  'metrics-applicationset-labels': { type: 'string' },
  'enable-scm-providers': { type: 'string' },
  'allowed-scm-providers': { type: 'string' },
  'token-ref-strict-mode': { type: 'boolean' },
  'scm-root-ca-path': { type: 'string' },
  'scm-proxy-url': { type: 'string' },
  'scm-no-proxy': { type: 'string' },
  'enable-github-api-metrics': { type: 'boolean' },
  'real-chance': { type: 'boolean' },
  'helm-lookup': { type: 'string' },
  'strict-project-denies': { type: 'boolean' },
  'webhook-addr': { type: 'string' },
  'webhook-refresh-workers': { type: 'string' },
  'record-syncs': { type: 'string' },
  port: { type: 'string' },
  'managed-resources': { type: 'boolean' },
  'health-library': { type: 'string' },
  jq: { type: 'string' },
  'health-unknown': { type: 'string' },
  loglevel: { type: 'string' },
} as const

export const helpText = `Usage: litecd controller --kubeconfig FILE [flags]

Reconciles Argo CD Applications: compares, writes .status, syncs, heals and prunes. Generates Applications from
ApplicationSets. It reads the ConfigMaps argocd-cm and argocd-cmd-params-cm and understands the environment variables of
Argo CD's application controller and applicationset controller.

Flags:
  --kubeconfig FILE                       the cluster that holds the Applications (default: $KUBECONFIG, else the pod's own)
  --context NAME                          a context of the kubeconfig
  -n, --namespace NAME                    namespace of Argo CD's objects (default argocd)
  --application-namespaces LIST           other namespaces that may hold Applications: globs, or /regular expressions/
  --repo-cache DIR                        where fetched repositories are kept (default: a folder for temporary files)
  --app-resync SECONDS                    look at every Application again after this time (default 120; 0: never)
  --app-resync-jitter SECONDS             spread of that time (default 60)
  --app-hard-resync SECONDS               the same without any cache (default 0: never)
  --self-heal-timeout-seconds N           pause before healing again, when there is no back-off (default 0)
  --self-heal-backoff-timeout-seconds N   first pause of the back-off (default 2)
  --self-heal-backoff-factor N            growth of the pause (default 3)
  --self-heal-backoff-cap-seconds N       longest pause (default 300)
  --sync-timeout SECONDS                  end a sync after this time (default 0: never)
  --auto-rollback                         return Applications to what was Healthy last when a sync fails or makes them Degraded;
                                          the annotation litecd.dev/auto-rollback of an Application wins
  --server-side-diff-enabled              compare by dry runs on the API server
  --status-processors N                   Applications compared at the same time (default 20)
  --operation-processors N                Applications synced at the same time (default 10)
  --no-applicationsets                    leave ApplicationSets alone: another controller takes care of them
  --applicationset-namespaces LIST        other namespaces that may hold ApplicationSets
  --policy NAME                           what sets may do to Applications: sync (all), create-only, create-update or
                                          create-delete; a set cannot override it unless the next flag is given
  --enable-policy-override                let sets choose another policy by applicationsSync
  --enable-progressive-syncs              sync the Applications of sets step by step where they ask for RollingSync
  --enable-new-git-file-globbing          patterns of git file generators: * stops at /, ** does not
  --applicationset-dry-run                write nothing for ApplicationSets: let the API server try each write
  --concurrent-reconciliations N          ApplicationSets worked on at the same time (default 10)
  --max-resources-status-count N          Applications that the status of a set lists (default 5000; 0: all)
  --preserved-annotations LIST            annotations of generated Applications that are never changed
  --preserved-labels LIST                 labels of generated Applications that are never changed
  --enable-scm-providers BOOL             whether sets may ask hosts of repositories (default true)
  --allowed-scm-providers LIST            URLs of hosts that sets may name by api (default: all)
  --token-ref-strict-mode                 Secrets that sets name need argocd.argoproj.io/secret-type: scm-creds
  --scm-root-ca-path FILE                 certificates that hosts of repositories are trusted by
  --scm-proxy-url URL                     proxy to hosts of repositories (default: the environment's)
  --scm-no-proxy LIST                     hosts that are reached without it
  --enable-github-api-metrics             count requests to GitHub and its limits in /metrics
  --metrics-applicationset-labels LIST    labels of ApplicationSets that the metric argocd_appset_labels shows
  --real-chance                           give templates true randomness and the time, as Argo CD does: charts that use them
                                          are OutOfSync at each look (default: both follow from Application and chart)
  --helm-lookup WHAT                      what lookup in charts finds: none (default, as under helm template), objects (those
                                          of the destination namespace, no Secrets), secrets (those too), or cluster (all
                                          that the controller may read there, whatever the project says)
  --strict-project-denies                 patterns with ! in projects only deny, as the guide promises; Argo CD v3.5 also lets
                                          one that does not hit permit, and a warning tells where that counts
  --webhook-addr [HOST]:PORT              take webhooks of git hosts at /api/webhook there (default: nowhere); secrets are
                                          read from argocd-secret, as Argo CD reads them
  --webhook-refresh-workers N             refreshes that webhooks ask for at the same time (default 20)
  --record-syncs DIR                      write each sync there, without Secrets, for litecd replay (default: nowhere)
  --port N                                serve /healthz and /metrics on this loopback port (default 0: off)
  --managed-resources                     keep the last comparison of each Application and serve it there too, Secrets masked:
                                          /api/v1/applications/NAME/managed-resources, as Argo CD's API has it
  --health-library DIR                    Lua checks of your own: GROUP/KIND/health.lua, as in Argo CD's resource_customizations
  --health-unknown RULE                   health of kinds without a check: none (default), or kstatus
  --jq PROGRAM                            run jqPathExpressions with this program, such as /usr/bin/jq, instead of in process
  --loglevel LEVEL                        debug, info, warn or error (default info)
  -h, --help                              this text
`

/** Argo CD's environment name of each flag that is a setting, and how the flag's text becomes the variable's. */
const settings: { readonly [flag: string]: readonly [name: string, unit: '' | 's'] } = {
  'application-namespaces': ['ARGOCD_APPLICATION_NAMESPACES', ''],
  'app-resync': ['ARGOCD_RECONCILIATION_TIMEOUT', 's'],
  'app-resync-jitter': ['ARGOCD_RECONCILIATION_JITTER', 's'],
  'app-hard-resync': ['ARGOCD_HARD_RECONCILIATION_TIMEOUT', 's'],
  'self-heal-timeout-seconds': ['ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_TIMEOUT_SECONDS', ''],
  'self-heal-backoff-timeout-seconds': [
    'ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_BACKOFF_TIMEOUT_SECONDS',
    '',
  ],
  'self-heal-backoff-factor': ['ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_BACKOFF_FACTOR', ''],
  'self-heal-backoff-cap-seconds': [
    'ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_BACKOFF_CAP_SECONDS',
    '',
  ],
  'sync-timeout': ['ARGOCD_APPLICATION_CONTROLLER_SYNC_TIMEOUT', ''],
  'applicationset-namespaces': ['ARGOCD_APPLICATIONSET_CONTROLLER_NAMESPACES', ''],
  policy: ['ARGOCD_APPLICATIONSET_CONTROLLER_POLICY', ''],
  'concurrent-reconciliations': ['ARGOCD_APPLICATIONSET_CONTROLLER_CONCURRENT_RECONCILIATIONS', ''],
  'max-resources-status-count': ['ARGOCD_APPLICATIONSET_CONTROLLER_MAX_RESOURCES_STATUS_COUNT', ''],
  'preserved-annotations': ['ARGOCD_APPLICATIONSET_CONTROLLER_GLOBAL_PRESERVED_ANNOTATIONS', ''],
  'preserved-labels': ['ARGOCD_APPLICATIONSET_CONTROLLER_GLOBAL_PRESERVED_LABELS', ''],
  'enable-scm-providers': ['ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_SCM_PROVIDERS', ''],
  'allowed-scm-providers': ['ARGOCD_APPLICATIONSET_CONTROLLER_ALLOWED_SCM_PROVIDERS', ''],
  'scm-root-ca-path': ['ARGOCD_APPLICATIONSET_CONTROLLER_SCM_ROOT_CA_PATH', ''],
  'scm-proxy-url': ['ARGOCD_APPLICATIONSET_CONTROLLER_SCM_PROXY_URL', ''],
  'scm-no-proxy': ['ARGOCD_APPLICATIONSET_CONTROLLER_SCM_NO_PROXY', ''],
}

/** Flags that only switch on, by the variable that does the same. */
const switches: { readonly [flag: string]: string } = {
  'server-side-diff-enabled': 'ARGOCD_APPLICATION_CONTROLLER_SERVER_SIDE_DIFF',
  'auto-rollback': 'LITECD_AUTO_ROLLBACK',
  'enable-policy-override': 'ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_POLICY_OVERRIDE',
  'enable-progressive-syncs': 'ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_PROGRESSIVE_SYNCS',
  'enable-new-git-file-globbing': 'ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_NEW_GIT_FILE_GLOBBING',
  'applicationset-dry-run': 'ARGOCD_APPLICATIONSET_CONTROLLER_DRY_RUN',
  'token-ref-strict-mode': 'ARGOCD_APPLICATIONSET_CONTROLLER_TOKENREF_STRICT_MODE',
  'enable-github-api-metrics': 'ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_GITHUB_API_METRICS',
}

const policies = ['sync', 'create-only', 'create-update', 'create-delete']

/** Throws SpecError USAGE that names what was not understood. */
export function parseOptions(
  argv: readonly string[],
  environment: { readonly [name: string]: string | undefined },
): Options {
  const fail = (why: string): never => {
    throw new SpecError('USAGE', `litecd controller: ${why}`, {
      hint: 'litecd controller --help tells the flags.',
    })
  }
  let values: { readonly [name: string]: string | boolean | undefined }
  try {
    values = parseArgs({ args: [...argv], options: flags, strict: true }).values
  } catch (error) {
    return fail((error as Error).message.split('. ')[0] ?? '')
  }
  const text = (name: keyof typeof flags): string | undefined => values[name] as string | undefined
  const count = (
    name: keyof typeof flags,
    variable: string,
    fallback: number,
    least: number,
  ): number => {
    const given = text(name) ?? environment[variable]
    if (given === undefined || given === '') return fallback
    if (!/^\d+$/.test(given) || Number(given) < least) {
      return fail(`--${name} must be an integer from ${least} on, not ${JSON.stringify(given)}`)
    }
    return Number(given)
  }
  const level = text('loglevel') ?? environment['ARGOCD_APPLICATION_CONTROLLER_LOGLEVEL'] ?? 'info'
  if (!['debug', 'info', 'warn', 'error'].includes(level)) {
    fail(`--loglevel must be debug, info, warn or error, not ${JSON.stringify(level)}`)
  }
  const unknown = text('health-unknown') ?? 'none'
  if (unknown !== 'none' && unknown !== 'kstatus') {
    return fail(`--health-unknown must be none or kstatus, not ${JSON.stringify(unknown)}`)
  }
  const lookup = text('helm-lookup') ?? environment['LITECD_HELM_LOOKUP'] ?? 'none'
  const isLookup = (text: string): text is Options['helmLookup'] =>
    ['none', 'objects', 'secrets', 'cluster'].includes(text)
  if (!isLookup(lookup)) {
    return fail(
      `--helm-lookup must be none, objects, secrets or cluster, not ${JSON.stringify(lookup)}`,
    )
  }
  const own: { [name: string]: string | undefined } = {}
  for (const [flag, [variable, unit]] of Object.entries(settings)) {
    const value = text(flag as keyof typeof flags)
    if (value === undefined) continue
    if (unit === 's' && !/^\d+$/.test(value))
      fail(`--${flag} must be a number of seconds, not ${JSON.stringify(value)}`)
    own[variable] = value + unit
  }
  for (const [flag, variable] of Object.entries(switches)) {
    if (values[flag] === true) own[variable] = 'true'
  }
  const policy = text('policy')
  if (policy !== undefined && !policies.includes(policy)) {
    fail(`--policy must be one of ${policies.join(', ')}, not ${JSON.stringify(policy)}`)
  }
  return {
    help: values['help'] === true,
    kubeconfig: text('kubeconfig') ?? (environment['KUBECONFIG'] || undefined),
    context: text('context'),
    namespace: text('namespace') ?? environment['ARGOCD_CONTROLLER_NAMESPACE'] ?? 'argocd',
    repoCache: text('repo-cache') ?? join(tmpdir(), 'litecd-repositories'),
    statusWorkers: count(
      'status-processors',
      'ARGOCD_APPLICATION_CONTROLLER_STATUS_PROCESSORS',
      20,
      1,
    ),
    operationWorkers: count(
      'operation-processors',
      'ARGOCD_APPLICATION_CONTROLLER_OPERATION_PROCESSORS',
      10,
      1,
    ),
    applicationSets: values['no-applicationsets'] !== true,
    recordSyncs: text('record-syncs') || undefined,
    port: count('port', 'LITECD_PORT', 0, 0),
    managedResources: values['managed-resources'] === true,
    healthLibrary: text('health-library') ?? (environment['LITECD_HEALTH_LIBRARY'] || undefined),
    healthUnknown: unknown,
    setLabels: parseCsv(text('metrics-applicationset-labels')),
    realChance: values['real-chance'] === true || environment['LITECD_REAL_CHANCE'] === 'true',
    helmLookup: lookup,
    strictProjectDenies:
      values['strict-project-denies'] === true ||
      environment['LITECD_STRICT_PROJECT_DENIES'] === 'true',
    webhook: webhookPlace(text('webhook-addr') ?? environment['LITECD_WEBHOOK_ADDR'], fail),
    webhookWorkers: count(
      'webhook-refresh-workers',
      'ARGOCD_SERVER_WEBHOOK_REFRESH_WORKERS',
      20,
      1,
    ),
    jq: text('jq') ?? (environment['LITECD_JQ'] || undefined),
    logLevel: level as LogLevel,
    environment: { ...environment, ...own },
  }
}

function webhookPlace(text: string | undefined, fail: (why: string) => never): Options['webhook'] {
  if (text === undefined || text === '') return undefined
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? []
  if (port === undefined || Number(port) > 65_535) {
    return fail(`--webhook-addr must be [HOST]:PORT, not ${JSON.stringify(text)}`)
  }
  return { host: bracketed || plain || undefined, port: Number(port) }
}
