import { type Application, sourcesOf } from '@litecd/core/argo'
import { canonicalJson, type Json } from '@litecd/core/json'
import type { KnownApp } from './report.ts'

type Apps = ReadonlyMap<string, KnownApp>

/**
 * Applications that seem to go on under another name: of all that come and go, one of each has these sources and this
 * destination. By the id of the one that comes.
 */
export function renamedApps(base: Apps, head: Apps): ReadonlyMap<string, KnownApp> {
  const gone = groups([...base.values()].filter(({ id }) => !head.has(id)))
  const come = groups([...head.values()].filter(({ id }) => !base.has(id)))
  const out = new Map<string, KnownApp>()
  for (const [what, apps] of come) {
    const olds = gone.get(what) ?? []
    const [app, old] = [apps[0], olds[0]]
    if (app !== undefined && old !== undefined && apps.length === 1 && olds.length === 1) {
      out.set(app.id, old)
    }
  }
  return out
}

function groups(apps: readonly KnownApp[]): ReadonlyMap<string, readonly KnownApp[]> {
  return Map.groupBy(apps, ({ app }) => contentOf(app))
}

/** Where the objects come from and go to, whatever version of them. */
function contentOf({ spec }: Application): string {
  const sources = sourcesOf(spec).map(({ repoURL, path = '', chart = '' }) => [
    repoURL,
    path,
    chart,
  ])
  return canonicalJson([sources, spec.destination] as unknown as Json)
}
