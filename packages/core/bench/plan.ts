// 10,000 tasks planned: the machine's own beat, the machine run forward to the end of the sync, and the whole pure part
// of `litecd plan` with its guard. CPU time of one run each, cold and warm.
import { type PreviewSide, planApplication } from '@litecd/core/app'
import { type Application, defaultSettings } from '@litecd/core/argo'
import { type Manifest, scopeOfBuiltIn } from '@litecd/core/kube'
import { beginBeat, forecastSync, newOperationState, type SyncWorld } from '@litecd/core/sync'

const count = 10_000
const waves = 10
const limitMs = 500

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: {
    project: 'default',
    source: { repoURL: 'https://git.example.com/shop.git', path: 'app' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'app' },
    syncPolicy: { automated: { prune: true } },
  },
}

const kinds = ['ConfigMap', 'Deployment', 'Service', 'PersistentVolumeClaim'] as const

/** One of twenty objects changes, one of fifty is there only before. */
function manifest(i: number, side: 'base' | 'head'): Manifest {
  const kind = kinds[i % kinds.length]!
  const changed = side === 'head' && i % 20 === 0
  const metadata = {
    name: `object-${i}`,
    namespace: 'app',
    annotations: { 'argocd.argoproj.io/sync-wave': String(i % waves) },
  }
  switch (kind) {
    case 'ConfigMap':
      return { apiVersion: 'v1', kind, metadata, data: { key: changed ? 'new' : 'old' } }
    case 'Service':
      return {
        apiVersion: 'v1',
        kind,
        metadata,
        spec: { selector: { app: 'web' }, ports: [{ port: changed ? 81 : 80 }] },
      }
    case 'PersistentVolumeClaim':
      return {
        apiVersion: 'v1',
        kind,
        metadata,
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: changed ? '2Gi' : '1Gi' } },
        },
      }
    default:
      return {
        apiVersion: 'apps/v1',
        kind,
        metadata,
        spec: {
          replicas: changed ? 3 : 2,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'web', image: 'registry.example.com/web:1' }] },
          },
        },
      }
  }
}

function side(which: 'base' | 'head'): PreviewSide {
  const manifests = Array.from({ length: count }, (_, i) => i)
    .filter((i) => which === 'base' || i % 50 !== 0)
    .map((i) => ({ manifest: manifest(i, which), origin: { path: `app/${i}.yaml` } }))
  const source = app.spec.source!
  return {
    app,
    outcome: {
      sources: [
        {
          source,
          request: { type: 'git', url: source.repoURL, revision: '' },
          revision: '',
          sourceType: 'Directory',
          manifests,
          reads: { files: [], absent: [], folders: [], links: [] },
          remote: [],
        },
      ],
    },
  }
}

function world(): SyncWorld {
  return {
    app,
    instance: 'shop',
    tracking: defaultSettings.tracking,
    facts: { kubeVersion: '', apiVersions: [], scopeOf: (kind) => scopeOfBuiltIn(kind) },
    revision: '',
    targets: Array.from({ length: count }, (_, i) => manifest(i, 'head')),
    live: Array.from({ length: count }, (_, i) => manifest(i, 'base')),
    permits: () => undefined,
    assess: () => ({ health: { status: 'Healthy' } }),
    modified: () => undefined,
    waveDelayMs: 0,
  }
}

function measure(name: string, run: () => string): number {
  const times: number[] = []
  let words = ''
  for (let i = 0; i < 5; i++) {
    const before = process.cpuUsage()
    words = run()
    const used = process.cpuUsage(before)
    times.push((used.user + used.system) / 1_000)
  }
  const [cold] = times as [number]
  const warm = Math.min(...times)
  process.stdout.write(
    `${name.padEnd(28)} cold ${cold.toFixed(0).padStart(5)} ms   warm ${warm.toFixed(0).padStart(5)} ms   ${words}\n`,
  )
  return warm
}

const state = newOperationState({ sync: { prune: true } }, Date.parse('2026-01-02T03:04:05Z'))
const machine = world()
const [before, after] = [side('base'), side('head')]
process.stdout.write(`${count} tasks in ${waves} waves, CPU time\n`)
const warm = [
  measure('one beat', () => {
    const beat = beginBeat(state, machine)
    const first = beat.next([])
    return first.done === true ? first.value.message : `asks for ${first.value.kind}`
  }),
  measure('the machine run forward', () => {
    const { beats, end } = forecastSync(state, machine, {
      namespaceExists: true,
      refuses: () => undefined,
    })
    return `${beats.length} beats, ${end.phase}`
  }),
  measure('litecd plan, its pure part', () => {
    const planned = planApplication(before, after, {
      settings: defaultSettings,
      facts: { kubeVersion: '', apiVersions: [], scopeOf: (kind) => scopeOfBuiltIn(kind) },
      project: undefined,
      cluster: undefined,
      live: undefined,
      revision: '',
      now: undefined,
      prune: false,
    })
    if ('failure' in planned) throw new Error(planned.failure.message)
    const { plan, guard } = planned
    const tasks = plan.steps.reduce((sum, step) => sum + step.tasks.length, 0)
    return `${tasks} tasks in ${plan.steps.length} steps, ${guard.losses.length} losses`
  }),
]
const slow = warm.filter((ms) => ms > limitMs)
process.stdout.write(
  slow.length === 0 ? `all under ${limitMs} ms, warm\n` : `over ${limitMs} ms: ${slow.length}\n`,
)
process.exitCode = slow.length === 0 ? 0 : 1
