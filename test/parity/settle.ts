import { canonicalJson, createMergePatch, type JsonObject } from '@litecd/core/json'
import type { Beat } from '../../packages/core/test/corpus/argocd-cases.ts'
import type { Store } from './store.ts'

const refreshAnnotation = 'argocd.argoproj.io/refresh'
/** Finalizers that the API server's garbage collector takes away, which may take it half a minute for a new kind. */
const collectors: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion'])
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

/** The part of an object that must stay the same. */
function still(object: JsonObject): JsonObject {
  const { reconciledAt: _, ...status } = mapAt(object, 'status')
  const {
    managedFields: _m,
    resourceVersion: _r,
    generation: _g,
    ...metadata
  } = mapAt(object, 'metadata')
  const { spec = null, operation = null } = object
  return { metadata, spec, operation, status }
}

/** What of a case's objects has moved, and when. */
class Movement {
  readonly #store: Store
  readonly #app: string
  #before: ReadonlyMap<string, JsonObject> = new Map()
  /** Milliseconds since the Unix epoch. */
  lastChange: number = Date.now()
  lastWords = 'nothing changed'

  constructor(store: Store, app: string) {
    this.#store = store
    this.#app = app
  }

  look(): void {
    const now = new Map<string, JsonObject>()
    for (const kind of ['Application', 'ApplicationSet', 'AppProject'] as const) {
      for (const object of this.#store.ofCase(kind, this.#app)) {
        now.set(`${kind} ${mapAt(object, 'metadata')['name']}`, still(object))
      }
    }
    for (const name of new Set([...now.keys(), ...this.#before.keys()])) {
      const patch = createMergePatch(this.#before.get(name) ?? {}, now.get(name) ?? {})
      if (patch === undefined) continue
      this.lastChange = Date.now()
      this.lastWords = `${name} changes still: ${canonicalJson(patch).slice(0, 200)}`
    }
    this.#before = now
  }
}

function isCollected(object: JsonObject): boolean {
  const { finalizers } = mapAt(object, 'metadata')
  return Array.isArray(finalizers) && finalizers.some((one) => collectors.has(one as string))
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
  const movement = new Movement(store, app)
  const restless = (): string | undefined => {
    const sets = new Set(
      Array.from(store.ofCase('ApplicationSet', app), (set) => mapAt(set, 'metadata')['uid']),
    )
    for (const one of store.ofCase('Application', app)) {
      const owners = (mapAt(one, 'metadata')['ownerReferences'] ?? []) as readonly JsonObject[]
      const orphaned = owners.some(({ kind, uid }) => kind === 'ApplicationSet' && !sets.has(uid))
      if (orphaned || isCollected(one)) {
        return `${mapAt(one, 'metadata')['name']} waits for the garbage collector`
      }
      const why = unrest(one, beat.running)
      if (why !== undefined) return `${mapAt(one, 'metadata')['name']} ${why}`
    }
    for (const set of store.ofCase('ApplicationSet', app)) {
      if (mapAt(set, 'metadata', 'annotations')[setRefreshAnnotation] !== undefined) {
        return `${mapAt(set, 'metadata')['name']} has a refresh annotation`
      }
      if (isCollected(set))
        return `${mapAt(set, 'metadata')['name']} waits for the garbage collector`
      if (set['status'] === undefined) {
        return `${mapAt(set, 'metadata')['name']} has no status`
      }
    }
    return undefined
  }
  movement.look()
  const stop = store.onChange(app, () => movement.look())
  try {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      const why = restless()
      const quiet = Date.now() - movement.lastChange >= options.quietSeconds * 1000
      if (why === undefined && quiet) return undefined
      if (Date.now() - start >= options.limitSeconds * 1000) return why ?? movement.lastWords
    }
  } finally {
    stop()
  }
}
