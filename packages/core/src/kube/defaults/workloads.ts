import type { Json, JsonObject } from '../../json/index.ts'
import { labelsFromTemplate, templateLabels } from './core.ts'
import { emptyRule, inField, objectAt, type Rule, whenEmpty, whenNil } from './fill.ts'

const maxInt32 = 2 ** 31 - 1

/** Rules for the spec of a kind. */
const spec =
  (...changes: readonly ((spec: JsonObject) => JsonObject)[]): Rule =>
  (object) =>
    inField(object, 'spec', (given) => changes.reduce((value, change) => change(value), given))

const both =
  (first: Rule, second: Rule): Rule =>
  (object) =>
    second(first(object))

const nil =
  (defaults: JsonObject) =>
  (object: JsonObject): JsonObject =>
    whenNil(object, defaults)

/** A type, and what a rolling update needs when that is the type. */
const rolling =
  (
    field: string,
    type: string,
    parameters: JsonObject,
    isRolling = (strategy: JsonObject) => strategy['type'] === 'RollingUpdate',
  ) =>
  (object: JsonObject): JsonObject =>
    inField(object, field, (given) => {
      const strategy = whenEmpty(given, { type })
      if (!isRolling(strategy)) return strategy
      return inField(strategy, 'rollingUpdate', (update) => whenNil(update, parameters))
    })

const quarter = { maxUnavailable: '25%', maxSurge: '25%' }
const one = { maxUnavailable: 1, maxSurge: 1 }
const oneByOne = { maxUnavailable: 1, maxSurge: 0 }

const deployment = (revisions: number): Rule =>
  spec(
    nil({ replicas: 1, revisionHistoryLimit: revisions, progressDeadlineSeconds: 600 }),
    rolling('strategy', 'RollingUpdate', quarter),
  )

const daemonSet = (type: string): Rule =>
  spec(rolling('updateStrategy', type, oneByOne), nil({ revisionHistoryLimit: 10 }))

const replicas: Rule = spec(nil({ replicas: 1 }))

const retention = (object: JsonObject): JsonObject =>
  inField(object, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    whenEmpty(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  )

const partition = (object: JsonObject): JsonObject =>
  inField(object, 'updateStrategy', (strategy) =>
    strategy['type'] === 'RollingUpdate' && objectAt(strategy, 'rollingUpdate') !== undefined
      ? inField(strategy, 'rollingUpdate', nil({ partition: 0 }))
      : strategy,
  )

const statefulSetStrategy = (object: JsonObject): JsonObject =>
  inField(object, 'updateStrategy', (strategy) => {
    const type = strategy['type'] ?? ''
    if (type !== '') return strategy
    return whenNil({ ...strategy, type: 'RollingUpdate' }, { rollingUpdate: {} })
  })

const statefulSet = (strategy: (object: JsonObject) => JsonObject): Rule =>
  spec(
    (object) => whenEmpty(object, { podManagementPolicy: 'OrderedReady' }),
    strategy,
    partition,
    retention,
    nil({ replicas: 1, revisionHistoryLimit: 10 }),
  )

/** Kinds of old versions take their selector and labels from the pod template. */
const selectorFromTemplate: Rule = (object) => {
  const labels = templateLabels(objectAt(object, 'spec') ?? {})
  if (labels === undefined) return object
  return inField(labelsFromTemplate(object), 'spec', (inner) =>
    whenNil(inner, { selector: { matchLabels: labels } }),
  )
}

const job: Rule = (object) => {
  const result = spec((given) => {
    let inner = given
    const unset = (key: string): boolean => (inner[key] ?? null) === null
    if (unset('completions') && unset('parallelism')) inner = { ...inner, completions: 1 }
    const backoffLimit: Json = unset('backoffLimitPerIndex') ? 6 : maxInt32
    const podReplacementPolicy: Json = unset('podFailurePolicy') ? 'TerminatingOrFailed' : 'Failed'
    return whenNil(inner, {
      parallelism: 1,
      backoffLimit,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy,
      manualSelector: false,
    })
  })(object)
  return labelsFromTemplate(result)
}

const cronJob: Rule = spec(
  (object) => whenEmpty(object, { concurrencyPolicy: 'Allow' }),
  nil({ suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
)

const oldStrategy = rolling(
  'strategy',
  'RollingUpdate',
  one,
  (strategy) =>
    strategy['type'] === 'RollingUpdate' || objectAt(strategy, 'rollingUpdate') !== undefined,
)

export const workloadRules: { readonly [struct: string]: Rule } = {
  'apps/v1.Deployment': deployment(10),
  'apps/v1.DaemonSet': daemonSet('RollingUpdate'),
  'apps/v1.ReplicaSet': replicas,
  'apps/v1.StatefulSet': statefulSet(statefulSetStrategy),
  'apps/v1beta2.Deployment': deployment(10),
  'apps/v1beta2.DaemonSet': daemonSet('RollingUpdate'),
  'apps/v1beta2.ReplicaSet': replicas,
  'apps/v1beta2.StatefulSet': statefulSet(statefulSetStrategy),
  'apps/v1beta1.Deployment': both(selectorFromTemplate, deployment(2)),
  'apps/v1beta1.StatefulSet': both(
    selectorFromTemplate,
    statefulSet((object) =>
      inField(object, 'updateStrategy', (strategy) => whenEmpty(strategy, { type: 'OnDelete' })),
    ),
  ),
  'extensions/v1beta1.Deployment': both(
    selectorFromTemplate,
    spec(
      nil({ replicas: 1, revisionHistoryLimit: maxInt32, progressDeadlineSeconds: maxInt32 }),
      oldStrategy,
    ),
  ),
  'extensions/v1beta1.DaemonSet': both(selectorFromTemplate, daemonSet('OnDelete')),
  'extensions/v1beta1.ReplicaSet': both(selectorFromTemplate, replicas),
  'batch/v1.Job': job,
  'batch/v1.CronJob': cronJob,
  'batch/v1.PodFailurePolicyOnPodConditionsPattern': emptyRule({ status: 'True' }),
  'batch/v1beta1.CronJob': cronJob,
}
