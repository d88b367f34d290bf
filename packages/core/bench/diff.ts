// CPU time and memory of comparing 10,000 pairs of targets and live objects, against Argo CD's own engine in the same run.
//
//   node bench/diff.ts [PAIRS]
//
// LITECD_DIFF_ORACLE names the program of scripts/diff-oracle; without it only our figures are printed. Exit code 1 when
// the two do not find the same number of differences.
import { spawnSync } from 'node:child_process'
import { defaultSettings } from '@litecd/core/argo'
import { compileDiffRules, type DiffPair, type DiffRules, diffPairs } from '@litecd/core/diff'
import { keyOf, type Manifest } from '@litecd/core/kube'

const count = Number(process.argv[2] ?? 10_000)
const rounds = 5
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

const container = (name: string, isLive: boolean): object => ({
  name,
  image: 'registry.example.com/web:1',
  ports: [{ containerPort: 80, ...(isLive ? { protocol: 'TCP' } : {}) }],
  env: [
    { name: 'MODE', value: 'production' },
    { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
  ],
  resources: {
    requests: { cpu: isLive ? '100m' : 0.1, memory: '128Mi' },
    limits: { memory: '1Gi' },
  },
  readinessProbe: {
    httpGet: { path: '/', port: 80, ...(isLive ? { scheme: 'HTTP' } : {}) },
    ...(isLive
      ? { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }
      : {}),
  },
  ...(isLive
    ? {
        imagePullPolicy: 'IfNotPresent',
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      }
    : {}),
})

const pod = (isLive: boolean): object => ({
  containers: [container('web', isLive), container('proxy', isLive)],
  ...(isLive
    ? {
        dnsPolicy: 'ClusterFirst',
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      }
    : {}),
})

type Make = (
  name: string,
  isLive: boolean,
) => { readonly apiVersion: string; readonly kind: string }

const makers: readonly Make[] = [
  (name, isLive) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: pod(isLive) },
      ...(isLive
        ? {
            progressDeadlineSeconds: 600,
            revisionHistoryLimit: 10,
            strategy: {
              type: 'RollingUpdate',
              rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
            },
          }
        : {}),
    },
    ...(isLive ? { status: { replicas: 2, observedGeneration: 1 } } : {}),
  }),
  (name, isLive) => ({
    apiVersion: 'v1',
    kind: 'Service',
    spec: {
      selector: { app: name },
      ports: [{ name: 'http', port: 80, ...(isLive ? { protocol: 'TCP', targetPort: 80 } : {}) }],
      ...(isLive
        ? {
            type: 'ClusterIP',
            clusterIP: '10.0.0.1',
            sessionAffinity: 'None',
            internalTrafficPolicy: 'Cluster',
          }
        : {}),
    },
  }),
  (name) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data: { 'app.conf': `name = ${name}\n`.repeat(20), mode: 'production' },
  }),
  (name, isLive) => ({
    apiVersion: 'example.com/v1',
    kind: 'Canary',
    spec: { target: name, steps: [{ weight: 10 }, { weight: 50, pause: '1m' }] },
    ...(isLive ? { status: { phase: 'Healthy' } } : {}),
  }),
]

/** Every tenth object was changed by hand. */
function pair(nth: number): DiffPair {
  const name = `web-${nth}`
  const make = makers[nth % makers.length]!
  const metadata = { name, namespace: 'shop', labels: { app: name } }
  const target = { ...make(name, false), metadata } as unknown as Manifest
  const annotations = { [lastApplied]: JSON.stringify(target) }
  const live = {
    ...make(name, true),
    metadata: {
      ...metadata,
      labels: { app: nth % 10 === 0 ? 'by-hand' : name },
      annotations,
      uid: name,
      resourceVersion: `${nth}`,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
  } as unknown as Manifest
  return { key: keyOf(target), target, live }
}

function cpuSeconds(run: () => void): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!

const app = { metadata: { name: 'shop' }, spec: { project: 'default', destination: {} } }
const settings = compileDiffRules(app as never, defaultSettings)
const plain: DiffRules = { ...settings, ignore: { rules: [] }, knownTypes: new Map() }
const withRules = compileDiffRules(
  {
    ...app,
    spec: {
      ...app.spec,
      ignoreDifferences: [
        { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] },
        {
          group: '*',
          kind: '*',
          jqPathExpressions: ['.spec.template.spec.containers[]? | select(.name == "istio-proxy")'],
        },
      ],
    },
  } as never,
  defaultSettings,
)
const structured: DiffRules = {
  ...plain,
  structuredMerge: true,
}

const pairs = Array.from({ length: count }, (_, i) => pair(i))
const builtIn = pairs.filter(({ key }) => key.group !== 'example.com')

function report(what: string, list: readonly DiffPair[], rules: DiffRules, peer?: number): number {
  let modified = 0
  const seconds = median(
    Array.from({ length: rounds }, () =>
      cpuSeconds(() => {
        modified = diffPairs(list, rules).filter((diff) => diff.modified).length
      }),
    ),
  )
  const each = ((seconds / list.length) * 1000).toFixed(3)
  const ratio = peer === undefined ? '' : `   ratio ${(seconds / peer).toFixed(3)}`
  console.log(`  ${what.padEnd(34)} ${each} ms a pair, ${modified} differ${ratio}`)
  return modified
}

function theirs(): { readonly seconds: number; readonly modified: number } | undefined {
  const oracle = process.env['LITECD_DIFF_ORACLE']
  if (oracle === undefined) return undefined
  const request = { mode: 'time', pairs: pairs.map(({ target, live }) => ({ target, live })) }
  const input = `${JSON.stringify(request)}\n`.repeat(3)
  const { stdout } = spawnSync(oracle, [], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { GOMAXPROCS: '1' },
  })
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { ok: { seconds: number; modified: number } })
  return { seconds: median(answers.map(({ ok }) => ok.seconds)), modified: answers[0]!.ok.modified }
}

console.log(`${count} pairs: Deployments, Services, ConfigMaps, custom resources; CPU time`)
const peer = theirs()
if (peer === undefined) console.log('  Argo CD: LITECD_DIFF_ORACLE names no program')
else {
  const each = ((peer.seconds / count) * 1000).toFixed(3)
  console.log(`  ${"Argo CD's engine".padEnd(34)} ${each} ms a pair, ${peer.modified} differ`)
}
diffPairs(pairs.slice(0, 2000), plain)
const modified = report('ours', pairs, plain, peer?.seconds)
report('ours, with pointers and jq', pairs, withRules)
report('ours, structured merge', builtIn, structured)
if (peer !== undefined && peer.modified !== modified) process.exitCode = 1

const collect = (globalThis as { gc?: () => void }).gc
collect?.()
const before = process.memoryUsage().heapUsed
const kept = diffPairs(pairs, plain)
collect?.()
const mib = ((process.memoryUsage().heapUsed - before) / 2 ** 20).toFixed(0)
const rss = (process.memoryUsage().rss / 2 ** 20).toFixed(0)
console.log(`  the ${kept.length} results hold ${mib} MiB; resident ${rss} MiB`)
