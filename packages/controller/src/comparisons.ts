import { type ComparisonDetail, managedResources } from '@litecd/core/app'
import type { Application, Settings } from '@litecd/core/argo'
import { canonicalJson, type Json } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'

type Diffs = NonNullable<ComparisonDetail['diffs']>

/** The last comparison of each Application, as Argo CD keeps it for its API. */
export class Comparisons {
  private readonly kept = new Map<string, { readonly app: Application; readonly diffs: Diffs }>()
  private readonly settings: () => Settings

  constructor(settings: () => Settings) {
    this.settings = settings
  }

  note(key: string, app: Application, { diffs, pairs }: ComparisonDetail): void {
    this.kept.set(key, { app, diffs: diffs ?? pairs.map(uncompared) })
  }

  forget(key: string): void {
    this.kept.delete(key)
  }

  /**
   * The answer of `/api/v1/applications/NAME/managed-resources`: states as JSON texts, `null` for none. Nothing is managed
   * by an Application that could not be compared.
   */
  answer(key: string): Json {
    const known = this.kept.get(key)
    if (known === undefined) return { items: [] }
    const state = (manifest: Manifest | undefined): string =>
      manifest === undefined ? 'null' : canonicalJson(manifest)
    const items = managedResources(known.diffs, known.app, this.settings()).map((item) => ({
      group: item.group,
      kind: item.kind,
      namespace: item.namespace,
      name: item.name,
      targetState: state(item.targetState),
      liveState: state(item.liveState),
      normalizedLiveState: state(item.normalizedLiveState),
      predictedLiveState: state(item.predictedLiveState),
      modified: item.modified,
    }))
    return { items }
  }
}

/** Parity: where the comparison of one object failed, those of all are shown as empty. */
function uncompared(pair: ComparisonDetail['pairs'][number]): Diffs[number] {
  const empty = {} as Manifest
  return {
    ...pair,
    strategy: 'none',
    modified: false,
    normalizedLive: empty,
    predictedLive: empty,
  }
}
