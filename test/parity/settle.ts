import { formatJson, type Json, type JsonObject } from '@litecd/core/json'
import type { Beat } from '../../packages/core/test/corpus/argocd-cases.ts'
import type { Store } from './store.ts'

const refreshAnnotation = 'argocd.argoproj.io/refresh'
const firstStatusMs = 10_000
const setRefreshAnnotation = 'argocd.argoproj.io/application-set-refresh'

function mapAt(object: JsonObject, ...path: readonly string[]): JsonObject {
  let value: JsonObject = object
  for (const key of path) value = (value[key] ?? {}) as JsonObject
  return value
}

/** Why an Application is not at rest; undefined when it is. */
export function unrest(app: JsonObject, runningIsRest: boolean): string | undefined {
  const status = mapAt(app, 'status')
  if (Object.hasOwn(mapAt(app, 'metadata', 'annotations'), refreshAnnotation)) {
    return 'has a refresh annotation'
  }
  if (!runningIsRest) {
    if (app['operation'] !== undefined) return 'has an operation'
    const phase = mapAt(status, 'operationState')['phase']
    if (phase === 'Running' || phase === 'Terminating') return `has an operation that is ${phase}`
  }
  const conditions = (status['conditions'] ?? []) as readonly unknown[]
  if (mapAt(status, 'sync')['status'] === undefined && conditions.length === 0) {
    return 'has neither sync status nor condition'
  }
  return undefined
}

/** What must stay the same for an object to be at rest. */
function signature(object: JsonObject): string {
  const { reconciledAt: _, ...status } = mapAt(object, 'status')
  const {
    managedFields: _m,
    resourceVersion: _r,
    generation: _g,
    ...meta
  } = mapAt(object, 'metadata')
  return formatJson([meta, object['spec'] ?? null, object['operation'] ?? null, status] as Json)
}

export interface SettleOptions {
  readonly quietSeconds: number
  readonly limitSeconds: number
}

/** Waits as FORMAT.md tells. Resolves with what was still moving when the limit came, or undefined. */
export async function settle(
  store: Store,
  app: string,
  beat: Beat,
  options: SettleOptions,
): Promise<string | undefined> {
  const start = Date.now()
  let last = start
  let signatures = ''
  const restless = (): string | undefined => {
    for (const one of store.ofCase('Application', app)) {
      const why = unrest(one, beat.running)
      if (why !== undefined) return `${mapAt(one, 'metadata')['name']} ${why}`
    }
    for (const set of store.ofCase('ApplicationSet', app)) {
      if (mapAt(set, 'metadata', 'annotations')[setRefreshAnnotation] !== undefined) {
        return `${mapAt(set, 'metadata')['name']} has a refresh annotation`
      }
      // A controller without ApplicationSets writes nothing, and need not be waited for until the limit.
      if (set['status'] === undefined && Date.now() - start < firstStatusMs) {
        return `${mapAt(set, 'metadata')['name']} has no status`
      }
    }
    return undefined
  }
  const look = (): void => {
    const now = (['Application', 'ApplicationSet', 'AppProject'] as const)
      .flatMap((kind) => store.ofCase(kind, app).map((object) => kind + signature(object)))
      .sort()
      .join('\n')
    if (now !== signatures) last = Date.now()
    signatures = now
  }
  look()
  const stop = store.onChange(app, look)
  try {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      const why = restless()
      const quiet = Date.now() - last >= options.quietSeconds * 1000
      if (why === undefined && quiet) return undefined
      if (Date.now() - start >= options.limitSeconds * 1000) return why ?? 'something changes still'
    }
  } finally {
    stop()
  }
}
