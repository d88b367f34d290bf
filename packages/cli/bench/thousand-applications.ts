// 1,000 directory Applications of 5 objects each in one repository: a diff of a one-file change, and a full render.
// There is no peer that does this without a cluster; reading the same change with the git program stands beside it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../src/main.ts'

const count = 1_000
const url = 'https://git.example.com/team/fleet.git'
const folder = mkdtempSync(join(tmpdir(), 'litecd-bench-'))
const git = (...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], {
    cwd: folder,
    stdio: 'ignore',
  })
}

function writeApplication(i: number): void {
  mkdirSync(join(folder, `svc-${i}`))
  writeFileSync(
    join(folder, 'apps', `svc-${i}.yaml`),
    `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: svc-${i}, namespace: argocd}
spec:
  project: default
  source: {repoURL: ${url}, path: svc-${i}, targetRevision: main}
  destination: {server: 'https://kubernetes.default.svc', namespace: svc-${i}}
`,
  )
  const labels = `{app: svc-${i}}`
  const files: { [name: string]: string } = {
    deployment: `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: svc}\nspec:\n  replicas: 2\n  selector: {matchLabels: ${labels}}\n  template:\n    metadata: {labels: ${labels}}\n    spec:\n      containers:\n        - name: main\n          image: registry.example.com/svc:${i}\n          ports: [{containerPort: 8080}]\n          resources:\n            requests: {cpu: 100m, memory: 128Mi}\n`,
    service: `apiVersion: v1\nkind: Service\nmetadata: {name: svc}\nspec: {selector: ${labels}, ports: [{port: 80, targetPort: 8080}]}\n`,
    config: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: svc}\ndata:\n  level: info\n  text: |\n    some lines\n    of text ${i}\n`,
    account: 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: svc}\n',
    ingress: `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: svc}\nspec:\n  rules:\n    - host: svc-${i}.example.com\n      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: svc, port: {number: 80}}}}]}\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, `svc-${i}`, `${name}.yaml`), text)
  }
}

interface Measured {
  readonly code: number
  readonly cpu: number
  readonly wall: number
  readonly out: string
}

async function measure(...argv: string[]): Promise<Measured> {
  let out = ''
  const cpu = process.cpuUsage()
  const started = performance.now()
  const code = await main([...argv, folder], {
    cwd: folder,
    env: process.env,
    stdoutIsTerminal: false,
    stdout: (text) => {
      out += text
    },
    stderr: (text) => process.stderr.write(text),
  })
  const wall = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  return { code, cpu: (user + system) / 1e6, wall, out }
}

function line(what: string, { cpu, wall }: Measured, more: string): void {
  const peak = process.resourceUsage().maxRSS / 1024
  process.stdout.write(
    `${what.padEnd(34)} ${cpu.toFixed(2).padStart(6)} s CPU  ${wall.toFixed(2).padStart(6)} s wall  peak ${peak.toFixed(0)} MiB so far  ${more}\n`,
  )
}

try {
  mkdirSync(join(folder, 'apps'))
  for (let i = 0; i < count; i++) writeApplication(i)
  git('init', '--quiet', '--initial-branch=main')
  git('remote', 'add', 'origin', url)
  git('add', '--all')
  git('commit', '--quiet', '--message=fleet')
  git('checkout', '--quiet', '-b', 'change')
  // start-up is not what is measured here: the first call of a command loads its modules
  await measure('diff', '--help')
  writeFileSync(
    join(folder, 'svc-500', 'account.yaml'),
    'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: svc, labels: {changed: "yes"}}\n',
  )
  const change = await measure('diff', '-o', 'json')
  const { summary } = JSON.parse(change.out) as {
    summary: { rendered: number; applications: number }
  }
  line(
    'diff of a one-file change',
    change,
    `${summary.rendered} of ${summary.applications} Applications rendered`,
  )
  const started = performance.now()
  execFileSync('git', ['diff', '--name-only', 'main'], { cwd: folder })
  process.stdout.write(
    `${'(git diff --name-only main'.padEnd(34)} ${''.padStart(12)} ${((performance.now() - started) / 1_000).toFixed(2).padStart(6)} s wall)\n`,
  )
  git('commit', '--quiet', '--all', '--message=change')
  const commits = await measure('diff', '--base', 'main', '--head', 'change', '-o', 'json')
  line('the same between two commits', commits, `exit ${commits.code}`)
  const all = await measure('render', '-o', 'json')
  const { items } = JSON.parse(all.out) as { items: unknown[] }
  line('render of everything', all, `${items.length} objects`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
