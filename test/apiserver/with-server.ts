import { readFile } from 'node:fs/promises'
import { type Manifest, nameOf } from '@litecd/core/kube'
import { parseYaml } from '@litecd/core/yaml'
import { crds, KubeClient, loadKubeconfig, namespaces } from '@litecd/k8s-adapter/client'
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

const crdFolder = new URL('../../packages/controller/manifests/crds/', import.meta.url)

/** Makes the server know Applications, AppProjects and ApplicationSets. */
export async function installCrds(client: KubeClient): Promise<void> {
  for (const file of ['application', 'appproject', 'applicationset']) {
    const text = await readFile(new URL(`${file}.yaml`, crdFolder), 'utf8')
    const crd = parseYaml(text, { path: `${file}.yaml` }) as Manifest
    await client.patch(crds, nameOf(crd), 'apply', crd, { fieldManager: 'test', force: true })
  }
  for (const kind of ['Application', 'AppProject', 'ApplicationSet']) {
    await eventually(`the kind ${kind}`, async () => {
      const found = await client.discovery.find({ group: 'argoproj.io', kind }, 'v1alpha1')
      if (found === undefined) return false
      // Served, but its storage may not be ready: 429.
      return client.list(found, { limit: 1 }).then(
        () => true,
        () => false,
      )
    })
  }
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
