// CPU time of judging the health of objects: by our own checks, and by Lua checks of a user.
//
//   node bench/health.ts [ROUNDS]
//
// LITECD_HEALTH_ORACLE names the program of scripts/health-oracle; without it only our figures are printed. Exit code 1
// when a check takes longer than promised (0.3 ms in Lua, 10 µs of our own), or the two sides do not say the same.
import { spawnSync } from 'node:child_process'
import { assessHealth, type HealthOptions } from '@litecd/core/health'
import type { Manifest } from '@litecd/core/kube'

const rounds = Number(process.argv[2] ?? 20_000)

const condition = (type: string, status: string): object => ({
  type,
  status,
  reason: `${type}Is${status}`,
  message: `the controller says that ${type} is ${status}`,
  lastTransitionTime: '2024-01-02T03:04:05Z',
})

const objects: readonly Manifest[] = [
  {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: 'web', namespace: 'shop', generation: 3 },
    spec: { secretName: 'web', dnsNames: ['a.example.com', 'b.example.com'] },
    status: { conditions: [condition('Issuing', 'False'), condition('Ready', 'True')] },
  },
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop', generation: 3 },
    spec: { replicas: 3, strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } } },
    status: {
      observedGeneration: '3',
      phase: 'Progressing',
      message: 'more replicas need to be updated',
      conditions: [condition('Available', 'True'), condition('Progressing', 'True')],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', generation: 3 },
    spec: { replicas: 3, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
    status: { observedGeneration: 3, replicas: 3, updatedReplicas: 3, availableReplicas: 2 },
  },
] as unknown as readonly Manifest[]

const script = `
local health = {status = "Progressing", message = "Waiting for " .. obj.kind .. " " .. obj.metadata.name}
if obj.status == nil or obj.status.conditions == nil then return health end
for i, condition in ipairs(obj.status.conditions) do
  if condition.type == "Issuing" and condition.status == "True" then
    health.message = condition.message
    return health
  end
end
for i, condition in ipairs(obj.status.conditions) do
  if condition.type == "Ready" then
    health.status = condition.status == "True" and "Healthy" or "Degraded"
    health.message = string.format("%s (%d of %d): %s", condition.reason, i, #obj.status.conditions, condition.message)
  end
end
return health
`

const lua: HealthOptions = {
  overrides: { '*': { healthLua: script, useOpenLibs: true }, Deployment: {} },
}

function microseconds(list: readonly Manifest[], options: HealthOptions): number {
  const once = (times: number): number => {
    const start = process.cpuUsage()
    for (let round = 0; round < times; round++) {
      for (const object of list) assessHealth(object, options)
    }
    const { user, system } = process.cpuUsage(start)
    return (user + system) / times / list.length
  }
  once(Math.ceil(rounds / 10))
  const measured = Array.from({ length: 5 }, () => once(Math.ceil(rounds / 5)))
  return measured.toSorted((a, b) => a - b)[2]!
}

interface Peer {
  readonly microseconds: number
  readonly health: { readonly status: string; readonly message?: string }
}

function theirs(object: Manifest, healthLua: string | undefined): Peer | undefined {
  const oracle = process.env['LITECD_HEALTH_ORACLE']
  if (oracle === undefined) return undefined
  const input = `${JSON.stringify({ object, script: healthLua, rounds: Math.ceil(rounds / 10) })}\n`
  const { stdout } = spawnSync(oracle, [], { input, encoding: 'utf8', env: { GOMAXPROCS: '1' } })
  return JSON.parse(stdout) as Peer
}

function report(what: string, object: Manifest, options: HealthOptions, limit: number): void {
  const own = microseconds([object], options)
  const healthLua = options === lua ? script : undefined
  const peer = theirs(object, healthLua)
  const beside =
    peer === undefined
      ? ''
      : `   Argo CD ${peer.microseconds.toFixed(1)} µs, ratio ${(own / peer.microseconds).toFixed(3)}`
  console.log(`  ${what.padEnd(34)} ${own.toFixed(2)} µs a check${beside}`)
  const isSlow = own > limit
  const { health } = assessHealth(object, options)
  const isOther =
    peer !== undefined &&
    (peer.health.status !== health?.status ||
      (peer.health.message ?? '') !== (health.message ?? ''))
  if (isSlow) console.log(`    slower than ${limit} µs`)
  if (isOther) console.log(`    Argo CD says ${JSON.stringify(peer.health)}`)
  if (isSlow || isOther) process.exitCode = 1
}

console.log(`health of one object; CPU time, ${rounds} rounds`)
if (process.env['LITECD_HEALTH_ORACLE'] === undefined) {
  console.log('  Argo CD: LITECD_HEALTH_ORACLE names no program')
}
const [certificate, rollout, deployment] = objects as [Manifest, Manifest, Manifest]
report('Certificate, our own check', certificate, {}, 10)
report('Rollout, our own check', rollout, {}, 10)
report('Deployment, our own check', deployment, {}, 10)
report('Certificate, a check in Lua', certificate, lua, 300)
console.log(`  resident ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`)
