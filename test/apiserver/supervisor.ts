// Keeps etcd, kube-apiserver and (if asked) kube-controller-manager running for as long as their owner lives.
//
// It is a process of its own because a test runner may be killed before it can clean up: this one watches the owner's
// process id, and ends its children and their folder when the owner is gone. Plain Node: runs unbuilt and imports nothing.
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'

interface Order {
  readonly dir: string
  readonly owner: number
  readonly etcd: string
  readonly apiserver: string
  /** Absent: no controllers run. */
  readonly controllerManager?: string
}

const controllers = [
  'namespace',
  'garbage-collector',
  'deployment',
  'replicaset',
  'statefulset',
  'daemonset',
  'job',
  'cronjob',
  'serviceaccount',
  'endpointslice',
  'disruption',
]

const order = JSON.parse(process.argv[2]!) as Order
const { dir } = order
const children: ChildProcess[] = []
let ending = false

/** Ends everything it started, hardest first: nothing in the folder is worth keeping. */
function end(code: number): void {
  if (ending) return
  ending = true
  for (const child of children) child.kill('SIGKILL')
  setTimeout(() => {
    rmSync(dir, { recursive: true, force: true })
    process.exit(code)
  }, 100)
}

function fail(reason: string): void {
  if (!ending) writeFileSync(join(dir, 'failed'), reason)
  ending = true
  for (const child of children) child.kill('SIGKILL')
  // The folder stays for the owner to read; it removes it.
  setTimeout(() => process.exit(1), 100)
}

function start(name: string, path: string, args: readonly string[]): Promise<never> {
  const log = openSync(join(dir, `${name}.log`), 'a')
  const child = spawn(path, args, { stdio: ['ignore', log, log], cwd: dir })
  children.push(child)
  return new Promise((_, reject) => {
    child.once('error', (error) => reject(new Error(`${name}: ${error.message}`)))
    child.once('exit', (code, signal) => {
      if (ending) return
      const tail = readFileSync(join(dir, `${name}.log`), 'utf8').slice(-4000)
      reject(new Error(`${name} ended (${signal ?? code}). Its last words:\n${tail}`))
    })
  })
}

/** The API server. SIGUSR2 kills it and starts it again on the same port and data. */
function apiserver(args: readonly string[]): Promise<never> {
  let fails: (error: unknown) => void = () => {}
  const broken = new Promise<never>((_, reject) => {
    fails = reject
  })
  const launch = (): ChildProcess => {
    start('kube-apiserver', order.apiserver, args).catch((error: unknown) => fails(error))
    return children[children.length - 1]!
  }
  let child = launch()
  process.on('SIGUSR2', () => {
    child.removeAllListeners('exit')
    child.once('exit', () => {
      children.splice(children.indexOf(child), 1)
      child = launch()
    })
    child.kill('SIGKILL')
  })
  return broken
}

/** Ports that are free now. All are held until all are known, so that they differ. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer()
      return new Promise<typeof server>((resolve, reject) => {
        server.once('error', reject)
        server.listen(0, '127.0.0.1', () => resolve(server))
      })
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** True once `path` answers 200 and has the wanted word in its body. */
function answers(port: number, path: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', path, rejectUnauthorized: false, agent: false }
    const req = request({ ...options, headers: { authorization: `Bearer ${token}` } }, (res) => {
      res.resume()
      res.on('end', () => resolve(res.statusCode === 200))
    })
    req.setTimeout(2000, () => req.destroy())
    req.on('error', () => resolve(false))
    req.end()
  })
}

function kubeconfig(url: string, ca: string, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    clusters: [
      {
        name: 'test',
        cluster: {
          server: url,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
        },
      },
    ],
    users: [{ name: 'admin', user: { token } }],
  })
}

async function run(): Promise<void> {
  mkdirSync(dir, { recursive: true })
  const [client, peer, secure] = await freePorts(3)
  const token = randomBytes(16).toString('hex')
  writeFileSync(join(dir, 'tokens.csv'), `${token},admin,admin,system:masters\n`, { mode: 0o600 })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(dir, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), {
    mode: 0o600,
  })
  const store = `http://127.0.0.1:${client}`
  const url = `https://127.0.0.1:${secure}`
  const ended: Promise<never>[] = [
    start('etcd', order.etcd, [
      ...['--data-dir', join(dir, 'etcd'), '--unsafe-no-fsync', '--log-level', 'error'],
      ...['--listen-client-urls', store, '--advertise-client-urls', store],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
    ]),
    apiserver([
      ...['--etcd-servers', store, '--secure-port', `${secure}`, '--bind-address', '127.0.0.1'],
      ...['--cert-dir', join(dir, 'certs'), '--token-auth-file', join(dir, 'tokens.csv')],
      ...['--service-account-issuer', url, '--service-cluster-ip-range', '10.0.0.0/24'],
      ...['--service-account-key-file', join(dir, 'sa.key')],
      ...['--service-account-signing-key-file', join(dir, 'sa.key')],
      ...['--authorization-mode', 'RBAC', '--disable-admission-plugins', 'ServiceAccount'],
      ...['--endpoint-reconciler-type', 'none', '--profiling=false'],
    ]),
  ]
  const ready = async (): Promise<void> => {
    while (!(await answers(secure!, '/readyz', token))) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await Promise.race([ready(), ...ended])
  const ca = readFileSync(join(dir, 'certs', 'apiserver.crt'), 'utf8')
  const kubeconfigPath = join(dir, 'kubeconfig')
  writeFileSync(kubeconfigPath, kubeconfig(url, ca, token), { mode: 0o600 })
  if (order.controllerManager !== undefined) {
    ended.push(
      start('kube-controller-manager', order.controllerManager, [
        ...['--kubeconfig', kubeconfigPath, '--leader-elect=false', '--secure-port=0'],
        ...['--service-account-private-key-file', join(dir, 'sa.key')],
        ...['--concurrent-gc-syncs', '20', '--profiling=false'],
        ...['--controllers', controllers.map((name) => `${name}-controller`).join(',')],
      ]),
    )
    // The account of namespace `default` is made by the last controller to come up.
    const account = '/api/v1/namespaces/default/serviceaccounts/default'
    const working = async (): Promise<void> => {
      while (!(await answers(secure!, account, token))) {
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    await Promise.race([working(), ...ended])
  }
  const state = JSON.stringify({ url, ca, token, kubeconfigPath })
  writeFileSync(join(dir, 'state.part'), state, { mode: 0o600 })
  renameSync(join(dir, 'state.part'), join(dir, 'state.json'))
  await Promise.race(ended)
}

process.on('SIGTERM', () => end(0))
process.on('SIGINT', () => end(0))
setInterval(() => {
  try {
    process.kill(order.owner, 0)
  } catch {
    end(0)
  }
}, 500)
run().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
