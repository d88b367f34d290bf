import {
  type ApplicationSet,
  type ApplicationSetStatus,
  failureReasonOf,
  finalizersWithoutCluster,
  isRollingSync,
  owningSetOf,
  type Planner,
  policyOf,
  type Rollout,
  requeueAfter,
  reversedDeletion,
  rollingOperation,
  rollingSteps,
  type SetOutcome,
  statusPatch,
  summaryOf,
  surplusOf,
  validateGenerated,
  withoutAutomation,
} from '@litecd/core/appset'
import { type Application, finalizerResources } from '@litecd/core/argo'
import { isLitecdError } from '@litecd/core/errors'
import { compareStrings } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { annotationSetRefresh, generateSet, stride, turn, wordsOf } from './generate-set.ts'
import { applicationKey, deleteNext, holdForReverse, plannerOf, rollSet } from './rolling-sets.ts'
import type { ApplicationSetContext } from './set-context.ts'
import { Failures, WriteFailure } from './write-failures.ts'

const retryMs = 180_000 // argo-cd v3.5.1 ReconcileRequeueOnValidationError

/**
 * Reconciles ApplicationSets: generates, creates, updates and deletes Applications, and writes the status of the set.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/applicationset_controller.go Reconcile
 */
export class ApplicationSetLoop {
  private readonly context: ApplicationSetContext

  constructor(context: ApplicationSetContext) {
    this.context = context
  }

  async work(key: string): Promise<void> {
    const stored = this.context.sets.get(key)
    if (stored === undefined) return
    const { set } = stored
    if (set === undefined) {
      await this.fail(key, 'ApplicationGenerationFromParamsError', stored.problem ?? '')
      return
    }
    if (set.metadata.deletionTimestamp !== undefined) {
      await this.release(key, set)
      return
    }
    await holdForReverse(key, set, this.context)
    let generated: readonly Application[]
    try {
      generated = await generateSet(set, this.context)
    } catch (error) {
      if (!isLitecdError(error)) throw error
      await this.fail(key, failureReasonOf(error), wordsOf(error))
      this.context.again(key, retryMs)
      return
    }
    await this.carryOut(key, set, stored.manifest, generated)
  }

  private async carryOut(
    key: string,
    set: ApplicationSet,
    manifest: Manifest,
    generated: readonly Application[],
  ): Promise<void> {
    const { argo, again } = this.context
    const settings = this.context.settings()
    const problems = validateGenerated(
      set,
      generated,
      (name) => argo.project(name) !== undefined,
      argo.clusters(),
    )
    const policy = policyOf(set, settings.policy, settings.policyOverride)
    const planner = plannerOf(set, this.context)
    const current = this.owned(set)
    const rollout = await rollSet(key, set, { current, generated }, planner, this.context)
    const valid = generated
      .filter(({ metadata }) => !problems.has(metadata.name))
      .sort((a, b) => compareStrings(a.metadata.name, b.metadata.name))
    try {
      await this.write(set, manifest, valid, { planner, rollout, updates: policy.update })
      if (policy.delete) await this.deleteSurplus(set, manifest, generated)
    } catch (error) {
      if (!(error instanceof WriteFailure)) throw error
      await this.store(key, {
        upToDate: false,
        reason: error.reason,
        message: error.message,
        generated: true,
      })
      throw error.cause
    }
    await this.refreshed(key, set)
    const message = summaryOf(problems)
    await this.store(
      key,
      message === undefined
        ? { upToDate: true }
        : { upToDate: false, reason: 'ApplicationValidationError', message, generated: true },
      { applications: this.owned(set), rollout },
    )
    const wait = requeueAfter(set.spec.generators, settings.pollMs)
    if (wait > 0) again(key, wait)
    else if (message !== undefined) again(key, retryMs)
    if (rollout !== undefined && rollout.againMs > 0) again(key, rollout.againMs)
  }

  /** The wish for a refresh is fulfilled. */
  private async refreshed(key: string, set: ApplicationSet): Promise<void> {
    if (set.metadata.annotations?.[annotationSetRefresh] === undefined) return
    try {
      const annotations = { [annotationSetRefresh]: null }
      await this.context.sets.patch(key, { metadata: { annotations } })
    } catch (error) {
      if (!isLitecdError(error)) throw error
      const reason = 'RefreshApplicationError'
      await this.store(key, { upToDate: false, reason, message: error.message, generated: true })
      throw error
    }
  }

  /** Creates, and updates where that is allowed. Throws WriteFailure for the first by name that failed. */
  private async write(
    set: ApplicationSet,
    manifest: Manifest,
    valid: readonly Application[],
    { planner, rollout, updates }: Writing,
  ): Promise<void> {
    const { argo, events } = this.context
    const owned = updates ? undefined : new Set(this.owned(set).map(applicationKey))
    const rolls = rollout !== undefined && rollingSteps(set).length > 0
    const failures = new Failures()
    for (const [index, app] of valid.entries()) {
      if (index % stride === stride - 1) await turn()
      const key = applicationKey(app)
      // Parity: an Application without an owner is taken over under every policy
      if (owned?.has(key)) continue
      await failures.collect(async () => {
        const write = planner.decide(
          rolls ? withoutAutomation(app) : app,
          argo.application(key),
          rollout?.due.has(app.metadata.name) ? rollingOperation(app) : undefined,
        )
        if (write === undefined) return
        if ('create' in write) await argo.create(write.create)
        else await argo.patch(key, write.patch)
        const did = 'create' in write ? 'created' : 'updated'
        events.emit(manifest, {
          type: 'Normal',
          reason: did,
          message: `${did} Application "${app.metadata.name}"`,
        })
      })
    }
    failures.raise(updates ? 'UpdateApplicationError' : 'CreateApplicationError')
  }

  private async deleteSurplus(
    set: ApplicationSet,
    manifest: Manifest,
    generated: readonly Application[],
  ): Promise<void> {
    const { argo, events } = this.context
    const clusters = argo.clusters()
    const failures = new Failures()
    for (const app of surplusOf(this.owned(set), generated)) {
      const key = applicationKey(app)
      const say = (reason: string, message: string): void =>
        events.emit(manifest, { type: 'Normal', reason, message })
      await failures.collect(async () => {
        const finalizers = finalizersWithoutCluster(app, clusters)
        if (finalizers !== undefined) {
          await argo.patch(key, { metadata: { finalizers: finalizers.length ? finalizers : null } })
          say(
            'Updated',
            `Updated Application "${app.metadata.name}" finalizer before deletion, because application has an invalid destination`,
          )
        }
        if (app.metadata.deletionTimestamp !== undefined) return
        await argo.remove(key)
        say('Deleted', `Deleted Application "${app.metadata.name}"`)
      })
    }
    failures.raise('DeleteApplicationError')
  }

  /** A set that is being deleted lets its Applications go where its policy forbids to delete them. */
  private async release(key: string, set: ApplicationSet): Promise<void> {
    const { argo, sets } = this.context
    const { policy, policyOverride } = this.context.settings()
    if (!policyOf(set, policy, policyOverride).delete) {
      for (const app of this.owned(set)) {
        await argo.patch(applicationKey(app), { metadata: { ownerReferences: null } })
      }
    }
    if (reversedDeletion(set)) {
      if (!(await deleteNext(key, set, this.owned(set), this.context))) return
    }
    const finalizers = set.metadata.finalizers ?? []
    if (!finalizers.includes(finalizerResources)) return
    const left = finalizers.filter((one) => one !== finalizerResources)
    await sets.patch(key, { metadata: { finalizers: left.length > 0 ? left : null } })
  }

  private owned(set: ApplicationSet): readonly Application[] {
    const { name, namespace } = set.metadata
    const out: Application[] = []
    for (const app of this.context.argo.applications()) {
      if (app.metadata.namespace === namespace && owningSetOf(app) === name) out.push(app)
    }
    return out
  }

  private async fail(key: string, reason: string, message: string): Promise<void> {
    this.context.log.warn('ApplicationSet', { applicationset: key, reason, message })
    await this.store(key, { upToDate: false, reason, message, generated: false })
  }

  private async store(
    key: string,
    outcome: SetOutcome,
    reached: {
      readonly applications?: readonly Application[]
      readonly rollout?: Rollout | undefined
    } = {},
  ): Promise<void> {
    const { sets, clock } = this.context
    const stored = sets.get(key)
    if (stored === undefined) return
    const status = (stored.manifest['status'] ?? {}) as unknown as ApplicationSetStatus
    const { maxResources } = this.context.settings()
    const { set } = stored
    const patch = statusPatch(status, outcome, reached.applications, {
      now: clock.now(),
      maxResources,
      rollout: set !== undefined && isRollingSync(set) ? 'keep' : undefined,
      progress: reached.rollout?.progress ?? [],
    })
    if (patch !== undefined) await sets.patch(key, patch, 'status')
  }
}

/** How Applications are written. */
interface Writing {
  readonly planner: Planner
  /** Of a set that rolls. */
  readonly rollout: Rollout | undefined
  readonly updates: boolean
}
