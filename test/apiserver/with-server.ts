import type { Manifest } from '@litecd/core/kube'
import { KubeClient, loadKubeconfig, namespaces } from '@litecd/k8s-adapter/client'
import { haveBinaries } from '../binaries.ts'
import { sharedApiServer } from './server.ts'

/** True when an API server can be started here; otherwise says once, in one line, that `what` is left out. */
export function canStartApiServer(what: string): boolean {
  return haveBinaries(what, ['etcd', 'kube-apiserver', 'kube-controller-manager'])
}

/** A client of the run's shared server, as its administrator. Close it when done. */
export async function sharedClient(): Promise<KubeClient> {
  const { kubeconfigPath } = await sharedApiServer()
  return new KubeClient(await loadKubeconfig({ path: kubeconfigPath }))
}

/** A new, empty namespace; its name starts with `prefix`. */
export async function freshNamespace(client: KubeClient, prefix: string): Promise<string> {
  const made: Manifest = await client.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { generateName: `${prefix}-` },
  })
  return (made['metadata'] as { name: string }).name
}

/** Waits until `probe` gives something else than undefined or false; throws with `what` after `limitMs`. */
export async function eventually<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = 20_000,
): Promise<T> {
  const start = Date.now()
  for (;;) {
    const found = await probe()
    if (found !== undefined && found !== false) return found
    if (Date.now() - start > limitMs) throw new Error(`${what}: not within ${limitMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
