import type { Instant } from '../adapters/index.ts'
import type { Application, AppProject, Condition, Settings } from '../argo/index.ts'
import { formatKey, keyOf, type Manifest, type Scope } from '../kube/index.ts'
import { decideWindows, type KnownCluster, loosePermissions } from '../project/index.ts'
import { projectPermissions } from '../sync/index.ts'
import { validateApplication } from './validate.ts'

/** What an Application asks of its project. */
export interface ProjectQuestion {
  readonly app: Application
  /** Those that the destination may name. */
  readonly clusters: readonly KnownCluster[]
  /** The cluster that it goes to; undefined where that is not known. */
  readonly cluster: KnownCluster | undefined
  /** What it renders to, as far as that is known. */
  readonly objects?: readonly { readonly manifest: Manifest; readonly scope: Scope | undefined }[]
  /** When automated syncs are to begin; undefined leaves sync windows out. */
  readonly now?: Instant
}

/** What a project says to an Application. */
export interface ProjectVerdict {
  /** What Argo CD writes into the status; empty where it is permitted. */
  readonly conditions: readonly Condition[]
  /** Objects that a sync would be refused, by their key. */
  readonly refused: readonly { readonly object: string; readonly message: string }[]
  /** Why automated syncs do not begin now. */
  readonly blocked?: string
  /** What is permitted only because a denial does not hit it. */
  readonly loose: readonly string[]
}

/**
 * What a project says to an Application, as Argo CD would: `project` is the effective one, or undefined when there is
 * none of that name.
 */
export function judgeProject(
  question: ProjectQuestion,
  project: AppProject | undefined,
  settings: Settings,
): ProjectVerdict {
  const { app, cluster, clusters, now, objects = [] } = question
  const conditions = validateApplication(app, project, clusters, settings)
  if (project === undefined) return { conditions, refused: [], loose: [] }
  const permits = cluster === undefined ? undefined : projectPermissions(project, cluster)
  const refused = objects.flatMap(({ manifest, scope }) => {
    const message = scope === undefined ? undefined : permits?.(manifest, scope)
    return message === undefined ? [] : [{ object: formatKey(keyOf(manifest)), message }]
  })
  const verdict =
    now === undefined ? undefined : decideWindows(project, app, { manual: false }, now)
  const blocked =
    verdict === undefined || verdict.allowed
      ? undefined
      : (verdict.error ?? 'a sync window keeps automated syncs from beginning now')
  return {
    conditions,
    refused,
    loose: loosePermissions(app, project, clusters),
    ...(blocked === undefined ? {} : { blocked }),
  }
}

export type PermissionChange =
  /** It was permitted, or is new, and is forbidden now, as a whole or in parts. */
  | 'forbidden'
  | 'allowed'
  /** Forbidden before and after, for other reasons. */
  | 'changed'
  /** Forbidden before and after. */
  | 'still-forbidden'
  | 'same'

/** How what a project says to an Application changes; without `before` the Application is new. */
export function permissionChange(
  before: ProjectVerdict | undefined,
  after: ProjectVerdict,
): PermissionChange {
  const words = (verdict: ProjectVerdict): readonly string[] => [
    ...verdict.conditions.map(({ type, message }) => `${type}: ${message}`),
    ...verdict.refused.map(({ object, message }) => `${object}: ${message}`),
    ...(verdict.blocked === undefined ? [] : [verdict.blocked]),
  ]
  const old = before === undefined ? [] : words(before)
  const now = words(after)
  if (now.length === 0) return old.length === 0 ? 'same' : 'allowed'
  if (old.length === 0) return 'forbidden'
  const known = new Set(old)
  const isSame = old.length === now.length && now.every((one) => known.has(one))
  return isSame ? 'still-forbidden' : 'changed'
}
