// options: flags and environment → one readonly Options.
// In: argv, the environment. Out: Options, or what is wrong with them. Never: files, the cluster.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
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
  /** Port of health and metrics on loopback; 0 for none. */
  readonly port: number
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
  'server-side-diff-enabled': { type: 'boolean' },
  'status-processors': { type: 'string' },
  'operation-processors': { type: 'string' },
  'no-applicationsets': { type: 'boolean' },
  port: { type: 'string' },
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
  --server-side-diff-enabled              compare by dry runs on the API server
  --status-processors N                   Applications compared at the same time (default 20)
  --operation-processors N                Applications synced at the same time (default 10)
  --no-applicationsets                    leave ApplicationSets alone: another controller takes care of them
  --port N                                serve /healthz and /metrics on this loopback port (default 0: off)
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
}

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
  const own: { [name: string]: string | undefined } = {}
  for (const [flag, [variable, unit]] of Object.entries(settings)) {
    const value = text(flag as keyof typeof flags)
    if (value === undefined) continue
    if (unit === 's' && !/^\d+$/.test(value))
      fail(`--${flag} must be a number of seconds, not ${JSON.stringify(value)}`)
    own[variable] = value + unit
  }
  if (values['server-side-diff-enabled'] === true) {
    own['ARGOCD_APPLICATION_CONTROLLER_SERVER_SIDE_DIFF'] = 'true'
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
    port: count('port', 'LITECD_PORT', 0, 0),
    logLevel: level as LogLevel,
    environment: { ...environment, ...own },
  }
}
