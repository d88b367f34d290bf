import type { Adapters, Cluster, LitecdEvent, PropagationPolicy } from '../adapters/index.ts'
import {
  type Application,
  type AppProject,
  annotationDeletionApproved,
  type Condition,
  finalizerPostDelete,
  finalizerPreDelete,
  instanceNameOf,
  isDeleteHook,
  type Settings,
  setTracking,
  trackingNameOf,
  waveOf,
} from '../argo/index.ts'
import { ClusterError, isLitecdError, RenderError } from '../errors/index.ts'
import { assessHealth } from '../health/index.ts'
import { getPath, setPath } from '../json/index.ts'
import { formatKey, keyOf, type Manifest, nameOf, namespaceOf } from '../kube/index.ts'
import {
  type KnownCluster,
  permitsDestination,
  permitsKind,
  resolveDestination,
} from '../project/index.ts'
import { deletePoliciesOf, parseTime } from '../sync/index.ts'
import { setConditions } from './conditions.ts'
import {
  cascadePropagation,
  isCascade,
  isHookFinalizer,
  staysOnDeletion,
} from './deletion-rules.ts'
import { renderApplication } from './render.ts'

export interface DeleteInput {
  /** As the API server has it now. */
  readonly app: Application
  readonly settings: Settings
  readonly project: AppProject | undefined
  readonly clusters: readonly KnownCluster[]
  /** The destination with the identity that deletes. */
  readonly connect: () => Promise<Cluster>
}

export interface DeleteResult {
  /** The whole new list, where it changed. */
  readonly finalizers?: readonly string[]
  /** All conditions, where they changed. */
  readonly conditions?: readonly Condition[]
  readonly events: readonly LitecdEvent[]
  /** Another visit is needed, at the latest after this; undefined when nothing is left to do. */
  readonly requeueAfterMs?: number
}

type DeletePhase = 'PreDelete' | 'PostDelete'

const pollMs = 2_000
const nothing: DeleteResult = { events: [] }
const waiting: DeleteResult = { events: [], requeueAfterMs: pollMs }

/**
 * One visit to an Application that is being deleted: hooks before, its resources by waves, hooks after. Each visit does
 * one stage; what it did shows in the finalizers that are left.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go finalizeApplicationDeletion, controller/hook.go
 */
export async function deleteApplication(
  input: DeleteInput,
  adapters: Pick<Adapters, 'clock' | 'sources' | 'templates'>,
): Promise<DeleteResult> {
  const { app } = input
  if (!ownFinalizers(app).some((finalizer) => finalizer !== '')) return nothing
  try {
    return await new Deletion(input, adapters).visit()
  } catch (error) {
    if (!isLitecdError(error)) throw error
    const condition: Condition = { type: 'DeletionError', message: error.message }
    return {
      conditions: setConditions(
        app.status?.conditions ?? [],
        [condition],
        ['DeletionError'],
        adapters.clock.now(),
      ),
      events: [
        {
          type: 'Warning',
          reason: 'StatusRefreshed',
          message: `Unable to delete application resources: ${error.message}`,
        },
      ],
      requeueAfterMs: pollMs,
    }
  }
}

/** The finalizers that are ours to remove. */
function ownFinalizers(app: Application): readonly string[] {
  return (app.metadata.finalizers ?? []).filter(
    (finalizer) => isCascade(finalizer) || isHookFinalizer(finalizer),
  )
}

class Deletion {
  private readonly input: DeleteInput
  private readonly adapters: Pick<Adapters, 'clock' | 'sources' | 'templates'>
  private readonly app: Application
  private readonly instance: string

  constructor(input: DeleteInput, adapters: Pick<Adapters, 'clock' | 'sources' | 'templates'>) {
    this.input = input
    this.adapters = adapters
    this.app = input.app
    this.instance = instanceNameOf(input.app, input.settings.controllerNamespace)
  }

  async visit(): Promise<DeleteResult> {
    const { app, input } = this
    let finalizers = [...(app.metadata.finalizers ?? [])]
    const has = (name: string): boolean => finalizers.includes(name)
    if (input.project === undefined) {
      const name = app.spec.project || 'default'
      throw new ClusterError(
        'CLUSTER_NOT_FOUND',
        `error getting app project "${name}": appproject.argoproj.io "${name}" not found`,
      )
    }
    if ('error' in resolveDestination(app.spec.destination, input.clusters)) {
      // nothing can be cleaned up where nobody knows the cluster
      return {
        finalizers: finalizers.filter((item) => !isCascade(item) && !isHookFinalizer(item)),
        events: [],
      }
    }
    const cluster = await input.connect()
    let removed = false
    if (has(finalizerPreDelete)) {
      if (!(await this.runHooks('PreDelete', cluster))) return waiting
      finalizers = without(finalizers, finalizerPreDelete)
      removed = true
    }
    if (finalizers.some(isCascade)) {
      const done = await this.cascade(cluster, input.project, finalizers)
      if (done) return this.progress(finalizers.filter((item) => !isCascade(item)))
      return removed ? this.progress(finalizers) : waiting
    }
    if (has(finalizerPostDelete)) {
      if (!(await this.runHooks('PostDelete', cluster)))
        return removed ? this.progress(finalizers) : waiting
      return this.progress(without(finalizers, finalizerPostDelete))
    }
    for (const [phase, name] of [
      ['PreDelete', `${finalizerPreDelete}/cleanup`],
      ['PostDelete', `${finalizerPostDelete}/cleanup`],
    ] as const) {
      if (!has(name)) continue
      if (!(await this.cleanHooks(phase, cluster)))
        return removed ? this.progress(finalizers) : waiting
      return this.progress(without(finalizers, name))
    }
    return removed ? this.progress(finalizers) : nothing
  }

  private progress(finalizers: readonly string[]): DeleteResult {
    const left = finalizers.some((item) => isCascade(item) || isHookFinalizer(item))
    return { finalizers, events: [], ...(left ? { requeueAfterMs: pollMs } : {}) }
  }

  private async tracked(cluster: Cluster): Promise<readonly Manifest[]> {
    return cluster.managedLiveObjects({
      instance: this.instance,
      instanceOf: (live) => trackingNameOf(live, this.input.settings.tracking),
      targets: [],
    })
  }

  /** Deletes the candidates of the highest wave. True when nothing is left to delete. */
  private async cascade(
    cluster: Cluster,
    project: AppProject,
    finalizers: readonly string[],
  ): Promise<boolean> {
    const live = (await this.tracked(cluster)).filter((manifest) =>
      this.isPermitted(manifest, project),
    )
    const candidates: Manifest[] = []
    const confirm = this.needingConfirmation()
    for (const manifest of live) {
      if (getPath(manifest, 'metadata', 'deletionTimestamp') !== undefined) return false
      if (!this.shouldDelete(manifest)) continue
      if (confirm.has(formatKey(keyOf(manifest))) && !this.isApproved()) return false
      candidates.push(manifest)
    }
    if (candidates.length > 0) {
      const highest = Math.max(...candidates.map(waveOf))
      await Promise.all(
        candidates
          .filter((manifest) => waveOf(manifest) === highest)
          .map((manifest) => this.remove(cluster, manifest, cascadePropagation(finalizers))),
      )
    }
    const left = (await this.tracked(cluster)).filter(
      (manifest) => this.isPermitted(manifest, project) && this.shouldDelete(manifest),
    )
    return left.length === 0
  }

  private async remove(
    cluster: Cluster,
    manifest: Manifest,
    propagation: PropagationPolicy,
  ): Promise<void> {
    try {
      await cluster.delete(keyOf(manifest), manifest.apiVersion, { dryRun: 'none', propagation })
    } catch (error) {
      // gone is gone
      if (!(error instanceof ClusterError) || error.status !== 404) throw error
    }
  }

  private isPermitted(manifest: Manifest, project: AppProject): boolean {
    const key = keyOf(manifest)
    if (!permitsKind(project, key, key.name, key.namespace === '' ? 'Cluster' : 'Namespaced')) {
      return false
    }
    if (key.namespace === '') return true
    const resolved = resolveDestination(this.app.spec.destination, this.input.clusters)
    return (
      'cluster' in resolved &&
      permitsDestination(project, { ...resolved.cluster, namespace: key.namespace })
    )
  }

  private shouldDelete(manifest: Manifest): boolean {
    return staysOnDeletion(this.app, manifest) === undefined
  }

  private needingConfirmation(): ReadonlySet<string> {
    return new Set(
      (this.app.status?.resources ?? [])
        .filter((entry) => entry.requiresDeletionConfirmation === true)
        .map((entry) =>
          formatKey({
            group: entry.group ?? '',
            kind: entry.kind,
            namespace: entry.namespace ?? '',
            name: entry.name ?? '',
          }),
        ),
    )
  }

  private isApproved(): boolean {
    const approved = parseTime(this.app.metadata.annotations?.[annotationDeletionApproved])
    const asked = parseTime(this.app.metadata.deletionTimestamp)
    return approved !== undefined && asked !== undefined && approved >= asked
  }

  private async liveHooks(phase: DeletePhase, cluster: Cluster): Promise<readonly Manifest[]> {
    return (await this.tracked(cluster)).filter((manifest) => isDeleteHook(manifest, phase))
  }

  /** Creates what is missing; true once all hooks of the phase have ended well. */
  private async runHooks(phase: DeletePhase, cluster: Cluster): Promise<boolean> {
    const running = await this.liveHooks(phase, cluster)
    const known = new Set(running.map((manifest) => formatKey(keyOf(manifest))))
    const missing = (await this.renderedHooks(phase)).filter(
      (manifest) => !known.has(formatKey(keyOf(manifest))),
    )
    for (const manifest of missing) {
      try {
        await cluster.create(manifest, {
          dryRun: 'none',
          serverSide: false,
          force: false,
          validate: true,
          fieldManager: 'argocd-application-controller',
        })
      } catch (error) {
        // Because: Argo CD takes AlreadyExists for done; here the next visit sees the hook and waits for it.
        if (!(error instanceof ClusterError) || error.reason !== 'AlreadyExists') throw error
      }
    }
    if (missing.length > 0) return false
    const healths = running.map((manifest) => ({ manifest, status: this.healthOf(manifest) }))
    const failed = healths.filter(({ status }) => status === 'Degraded')
    if (failed.length > 0) {
      for (const { manifest } of failed) await this.remove(cluster, manifest, 'Foreground')
      const names = failed.map(({ manifest }) => `${namespaceOf(manifest)}/${nameOf(manifest)}`)
      const text = `${phase} hook(s) failed: ${names.join(', ')}`
      throw new ClusterError(
        'CLUSTER_REFUSED',
        phase === 'PreDelete' ? `error executing pre-delete hooks: ${text}` : text,
      )
    }
    return healths.every(({ status }) => status !== 'Progressing')
  }

  private healthOf(manifest: Manifest): string | undefined {
    const { overrides, health } = this.input.settings
    const clock = (): number => this.adapters.clock.now()
    return assessHealth(manifest, { overrides, health, clock }).health?.status
  }

  /** Rendered anew at the revisions of the spec. */
  private async renderedHooks(phase: DeletePhase): Promise<readonly Manifest[]> {
    const { app, input, instance } = this
    const outcome = await renderApplication(app, this.adapters, {
      settings: input.settings,
      facts: { kubeVersion: '', apiVersions: [] },
      ...(input.project === undefined ? {} : { project: input.project }),
    })
    if ('failure' in outcome) {
      throw new RenderError(outcome.failure.error.code, outcome.failure.message, {
        cause: outcome.failure.error,
      })
    }
    const namespace = app.spec.destination.namespace ?? ''
    return outcome.sources
      .flatMap((source) => source.manifests)
      .map(({ manifest }) => manifest)
      .filter((manifest) => isDeleteHook(manifest, phase))
      .map((manifest) =>
        setTracking(
          namespaceOf(manifest) === ''
            ? setPath(manifest, ['metadata', 'namespace'], namespace)
            : manifest,
          instance,
          namespace,
          input.settings.tracking,
        ),
      )
  }

  /** Deletes hooks by their policies; true once none of those is left. */
  private async cleanHooks(phase: DeletePhase, cluster: Cluster): Promise<boolean> {
    const hooks = await this.liveHooks(phase, cluster)
    const statuses = hooks.map((manifest) => this.healthOf(manifest) ?? 'Healthy')
    const worst = statuses.includes('Degraded')
      ? 'Degraded'
      : statuses.every((status) => status === 'Healthy')
        ? 'Healthy'
        : 'Progressing'
    const policy = worst === 'Healthy' ? 'HookSucceeded' : worst === 'Degraded' ? 'HookFailed' : ''
    const doomed = hooks.filter((manifest) =>
      deletePoliciesOf(manifest).some((each) => each === policy),
    )
    for (const manifest of doomed) {
      if (getPath(manifest, 'metadata', 'deletionTimestamp') !== undefined) continue
      await this.remove(cluster, manifest, 'Foreground')
    }
    return doomed.length === 0
  }
}

/** Argo CD moves the last item into the place of the one that it removes. */
function without(finalizers: readonly string[], name: string): string[] {
  const index = finalizers.indexOf(name)
  if (index === -1) return [...finalizers]
  const out = finalizers.slice(0, -1)
  if (index < out.length) out[index] = finalizers.at(-1)!
  return out
}
