import { type Manifest, nameOf } from '@litecd/core/kube'
import { Informer } from '@litecd/k8s-adapter/client'
import type { Api } from './api.ts'

export const argoNamespace = 'argocd'
export const argoVersion = 'argoproj.io/v1alpha1'

export type ArgoKind = 'Application' | 'ApplicationSet' | 'AppProject'
const kinds: readonly ArgoKind[] = ['Application', 'ApplicationSet', 'AppProject']

/** Waits for the first load, and past the failures of a server that still sets up the kind. */
async function synced(informer: Informer<Manifest>): Promise<void> {
  for (let attempt = 1; !informer.synced; attempt++) {
    try {
      await informer.whenSynced()
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** Follows Argo CD's kinds in its namespace, one watch a kind for all cases together. */
export class Store {
  readonly #informers = new Map<ArgoKind, Informer<Manifest>>()
  readonly #listeners = new Set<(name: string) => void>()

  async start(api: Api): Promise<void> {
    for (const kind of kinds) {
      const resource = await api.resourceOf(argoVersion, kind)
      const informer = new Informer<Manifest>(api.client, resource, {
        namespace: argoNamespace,
        keep: (object) => object,
        onChange: ({ name }) => {
          for (const listener of this.#listeners) listener(name)
        },
      })
      this.#informers.set(kind, informer)
      await synced(informer)
    }
  }

  stop(): void {
    for (const informer of this.#informers.values()) informer.stop()
  }

  /** Objects of a kind whose name holds the name of the case. */
  ofCase(kind: ArgoKind, app: string): readonly Manifest[] {
    return [...(this.#informers.get(kind)?.values() ?? [])].filter((one) =>
      nameOf(one).includes(app),
    )
  }

  /** Calls back after each change of an object whose name holds the name of the case, until the result is called. */
  onChange(app: string, callback: () => void): () => void {
    const listener = (name: string): void => {
      if (name.includes(app)) callback()
    }
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
