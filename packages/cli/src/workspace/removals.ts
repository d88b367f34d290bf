import { type Application, type SyncPolicy, syncOptionOf } from '@litecd/core/argo'
import { getPath } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import type { KnownApp } from './report.ts'

/** How an Application that the head has no more comes to be deleted, or what it takes. */
export interface Removal {
  readonly certain: boolean
  readonly cause: string
}

export interface RemovalWorld {
  /** Applications of the head by name. */
  readonly appNamed: (name: string) => Application | undefined
  /** ApplicationSets of the head by name; undefined where it is gone or was never seen. */
  readonly setNamed: (name: string) => Manifest | undefined
  /** Applications of the base by name. */
  readonly appBefore: (name: string) => KnownApp | undefined
}

/**
 * Whether the change alone deletes an Application. A file that goes deletes nothing; what another Application rendered is
 * pruned by its rules; an ApplicationSet deletes what it makes no more, unless its policy keeps it from that.
 */
export function removalOf(app: KnownApp, world: RemovalWorld): Removal {
  const parent = app.origin.parents.at(-1)
  if (parent === undefined) {
    return { certain: false, cause: 'its file is gone, which deletes nothing: somebody has to' }
  }
  if (parent.startsWith('ApplicationSet/')) return removedFromSet(app, parent, world)
  const keeper = world.appNamed(parent)
  if (keeper === undefined) return removedWith(parent, world)
  const option = syncOptionOf(app.app as unknown as Manifest, 'Prune')
  return prunedBy(keeper, option ?? optionOf(keeper.spec.syncPolicy, 'Prune'))
}

function removedFromSet(app: KnownApp, name: string, world: RemovalWorld): Removal {
  const set = world.setNamed(name.slice('ApplicationSet/'.length))
  if (set !== undefined) {
    const policy = getPath(set, 'spec', 'syncPolicy', 'applicationsSync')
    return policy === 'create-only' || policy === 'create-update'
      ? {
          certain: false,
          cause: `${name} deletes nothing (applicationsSync: ${policy}): somebody has to`,
        }
      : { certain: true, cause: `${name} makes it no more` }
  }
  const above = app.origin.parents.at(-2)
  if (above === undefined) {
    return {
      certain: false,
      cause: `the file of ${name} is gone: it goes once somebody deletes the set`,
    }
  }
  const keeper = world.appNamed(above)
  if (keeper === undefined) return removedWith(above, world)
  const { certain, cause } = prunedBy(keeper, optionOf(keeper.spec.syncPolicy, 'Prune'))
  return { certain, cause: `${name} is ${cause}` }
}

/** What rendered it is gone too. */
function removedWith(parent: string, world: RemovalWorld): Removal {
  const before = world.appBefore(parent)
  const cascades = (before?.app.metadata.finalizers ?? []).some((finalizer) =>
    finalizer.startsWith('resources-finalizer.argocd.argoproj.io'),
  )
  if (before === undefined || !cascades) {
    return {
      certain: false,
      cause: `Application ${parent}, which rendered it, is gone and leaves it behind: somebody has to delete it`,
    }
  }
  const { certain, cause } = removalOf(before, world)
  return { certain, cause: `it goes with Application ${parent}: ${cause}` }
}

function prunedBy(parent: Application, option: string | undefined): Removal {
  const { name } = parent.metadata
  if (option === 'false') {
    return {
      certain: false,
      cause: `Prune=false keeps it in Application ${name}: somebody has to delete it`,
    }
  }
  if (option === 'confirm') {
    return {
      certain: false,
      cause: `pruned by Application ${name} once somebody approves it (Prune=confirm)`,
    }
  }
  const automated = parent.spec.syncPolicy?.automated
  const prunes =
    automated !== undefined &&
    automated !== null &&
    automated.enabled !== false &&
    automated.prune === true
  return prunes
    ? { certain: true, cause: `pruned by the automated sync of Application ${name}` }
    : { certain: false, cause: `pruned as soon as somebody syncs Application ${name} with prune` }
}

function optionOf(policy: SyncPolicy | null | undefined, name: string): string | undefined {
  const prefix = `${name}=`
  return (policy?.syncOptions ?? []).find((one) => one.startsWith(prefix))?.slice(prefix.length)
}
