// `npm run live -- REPOSITORY [FOLDER...]`: makes an Application of each folder of a git repository, plays them on a real
// API server with our controller, and prints where they end. REPOSITORY is a folder or URL; without FOLDERs, each folder
// at its top that is not hidden is taken. Exits 1 unless every Application ends Synced.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Application } from '@litecd/core/argo'
import { applications, appProjects } from '@litecd/k8s-adapter/argocd'
import type { KubeClient } from '@litecd/k8s-adapter/client'
import { parseOptions } from '../../packages/controller/src/options/index.ts'
import { startController } from '../../packages/controller/src/start.ts'
import {
  canStartApiServer,
  freshNamespace,
  installCrds,
  podDriver,
  sharedApiServer,
  sharedClient,
} from '../apiserver/index.ts'

const limitMs = 120_000
const settledMs = 5_000

async function live(
  client: KubeClient,
  kubeconfigPath: string,
  url: string,
  folders: readonly string[],
): Promise<boolean> {
  await installCrds(client)
  const argocd = await freshNamespace(client, 'argocd')
  await client.create(
    appProjects,
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace: argocd },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ server: '*', namespace: '*' }],
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      },
    },
    { namespace: argocd },
  )
  const cache = mkdtempSync(join(tmpdir(), 'litecd-live-'))
  const drivers: { stop(): unknown }[] = []
  const options = parseOptions(
    ['--kubeconfig', kubeconfigPath, '--namespace', argocd, '--repo-cache', cache, '--port', '0'],
    process.env,
  )
  const controller = await startController(options, () => {})
  try {
    for (const [index, folder] of folders.entries()) {
      const namespace = await freshNamespace(client, 'app')
      drivers.push(await podDriver(client, { namespace }))
      await client.create(
        applications,
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: { name: `app-${index}`, namespace: argocd },
          spec: {
            project: 'default',
            source: { repoURL: url, path: folder },
            destination: { server: 'https://kubernetes.default.svc', namespace },
            syncPolicy: { automated: { prune: true, selfHeal: true } },
          },
        },
        { namespace: argocd },
      )
    }
    let apps: readonly Application[] = []
    let steadySince = Date.now()
    let last = ''
    for (const start = Date.now(); Date.now() - start < limitMs; ) {
      await new Promise((wake) => setTimeout(wake, 500))
      const { items } = await client.list(applications, { namespace: argocd })
      apps = items as unknown as readonly Application[]
      const now = JSON.stringify(
        apps.map(({ status }) => [
          status?.sync?.status,
          status?.health?.status,
          status?.operationState?.phase,
        ]),
      )
      if (now !== last) steadySince = Date.now()
      last = now
      const resting = apps.every(
        ({ status }) => status?.sync !== undefined && status.operationState?.phase !== 'Running',
      )
      if (resting && Date.now() - steadySince > settledMs) break
    }
    let ok = true
    for (const [index, folder] of folders.entries()) {
      const status = apps.find(({ metadata }) => metadata.name === `app-${index}`)?.status
      const synced = status?.sync?.status === 'Synced'
      ok &&= synced
      process.stdout.write(
        `${folder}: ${status?.sourceType ?? '-'} ${status?.sync?.status ?? '-'} ${status?.health?.status ?? '-'}, ` +
          `${status?.resources?.length ?? 0} objects, sync ${status?.operationState?.phase ?? '-'}\n`,
      )
      if (!synced) {
        for (const { type, message } of status?.conditions ?? [])
          process.stdout.write(`  ${type}: ${message}\n`)
        if (status?.operationState?.message !== undefined)
          process.stdout.write(`  ${status.operationState.message}\n`)
      }
    }
    return ok
  } finally {
    await controller.stop()
    for (const driver of drivers) await driver.stop()
    rmSync(cache, { recursive: true, force: true })
  }
}

const [repository, ...named] = process.argv.slice(2)
if (repository === undefined) {
  process.stderr.write('Usage: npm run live -- REPOSITORY [FOLDER...]\n')
  process.exit(2)
}
const local = existsSync(repository)
const folders =
  named.length > 0 || !local
    ? named
    : readdirSync(repository, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map((entry) => entry.name)
if (folders.length === 0) {
  process.stderr.write('Name the folders of a repository that is not a folder here.\n')
  process.exit(2)
}
if (!canStartApiServer('npm run live')) process.exit(1)
const { kubeconfigPath } = await sharedApiServer()
const client = await sharedClient()
const ok = await live(
  client,
  kubeconfigPath,
  local ? `file://${resolve(repository)}` : repository,
  folders,
)
client.close()
process.exit(ok ? 0 : 1)
