import { finalizerHook, type HealthStatus, type Settings } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import { getPath } from '../json/index.ts'
import { groupOf, type Manifest, nameOf, namespaceOf } from '../kube/index.ts'
import { findOverride, runHealthScript } from './custom.ts'
import { apiService } from './kinds/apiregistration-apiservice.ts'
import { daemonSet } from './kinds/apps-daemonset.ts'
import { deployment } from './kinds/apps-deployment.ts'
import { replicaSet } from './kinds/apps-replicaset.ts'
import { statefulSet } from './kinds/apps-statefulset.ts'
import { workflow } from './kinds/argoproj-workflow.ts'
import { horizontalPodAutoscaler } from './kinds/autoscaling-horizontalpodautoscaler.ts'
import { job } from './kinds/batch-job.ts'
import { persistentVolumeClaim } from './kinds/core-persistentvolumeclaim.ts'
import { pod } from './kinds/core-pod.ts'
import { service } from './kinds/core-service.ts'
import { ingress } from './kinds/networking-ingress.ts'
import { kstatus } from './kstatus.ts'
import { libraryCheck } from './library/index.ts'
import { findHealthScript } from './script-library.ts'

/** Undefined: this kind has no health and does not count. Throws CompareError where the object cannot be read. */
export type HealthAssessor = (live: Manifest) => HealthStatus | undefined

const builtIn: { readonly [groupKind: string]: HealthAssessor } = {
  '/PersistentVolumeClaim': persistentVolumeClaim,
  '/Pod': pod,
  '/Service': service,
  'apiregistration.k8s.io/APIService': apiService,
  'apps/DaemonSet': daemonSet,
  'apps/Deployment': deployment,
  'apps/ReplicaSet': replicaSet,
  'apps/StatefulSet': statefulSet,
  'argoproj.io/Workflow': workflow,
  'autoscaling/HorizontalPodAutoscaler': horizontalPodAutoscaler,
  'batch/Job': job,
  'extensions/Ingress': ingress,
  'networking.k8s.io/Ingress': ingress,
}

export interface Assessment {
  readonly health: HealthStatus | undefined
  /** What went wrong, with the object where a script failed; the health is then Unknown with the text of the failure. */
  readonly error?: string
}

/** The part of the settings that health depends on; all of {@link Settings} will do. */
export interface HealthOptions {
  readonly overrides?: Settings['overrides']
  readonly health?: Settings['health']
  /** Milliseconds since 1970, for scripts that ask for the time; without one they stand at 1970. */
  readonly clock?: (() => number) | undefined
}

/**
 * The health of one live object. An object under deletion is Progressing before anything else, unless it waits only
 * for Argo CD's own hook finalizer. Then the user's script decides, then a script of the user's folder, then the library
 * for the kinds of others, then the checks for kinds of Kubernetes.
 *
 * Never throws: what a check fails with is the `error`, and the health is Unknown.
 * Source: argo-cd v3.5.1 gitops-engine/pkg/health/health.go GetResourceHealth
 */
export function assessHealth(live: Manifest, options: HealthOptions = {}): Assessment {
  if (isDeleted(live) && !waitsForHook(live)) {
    return { health: { status: 'Progressing', message: 'Pending deletion' } }
  }
  const failed = (error: unknown, prefix: string): Assessment => {
    if (!isLitecdError(error)) throw error
    const { message } = error
    return { health: { status: 'Unknown', message }, error: prefix + message }
  }
  let script: Assessment | undefined
  try {
    script = checkByScript(live, options)
  } catch (error) {
    const place = `${namespaceOf(live)}/${nameOf(live)}`
    return failed(error, `failed to get resource health for ${place}: `)
  }
  if (script !== undefined) return script
  const ofKubernetes = builtIn[`${groupOf(live.apiVersion)}/${live.kind}`]
  if (ofKubernetes !== undefined) {
    try {
      return { health: told(ofKubernetes(live)) }
    } catch (error) {
      return failed(error, '')
    }
  }
  return { health: options.health?.unknown === 'kstatus' ? kstatus(live) : undefined }
}

/** What Argo CD leaves to scripts: the user's own and those that it brings along. */
function checkByScript(live: Manifest, options: HealthOptions): Assessment | undefined {
  const { clock } = options
  const override = findOverride(live, options.overrides ?? {})
  if (override !== undefined) {
    const openLibs = override.useOpenLibs === true
    return { health: runHealthScript(live, override.healthLua ?? '', { openLibs, clock }) }
  }
  const script = options.health && findHealthScript(live, options.health.library)
  if (script !== undefined) {
    return { health: runHealthScript(live, script, { openLibs: true, clock }) }
  }
  const known = libraryCheck(live)
  return known === undefined ? undefined : { health: told(known()) }
}

/** An empty message is none. */
function told(health: HealthStatus | undefined): HealthStatus | undefined {
  return health?.message === '' ? { status: health.status } : health
}

const time = /^\d{4}-\d\d-\d\dT\d\d?:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/

// what is no time is as good as nothing
function isDeleted(live: Manifest): boolean {
  const text = getPath(live, 'metadata', 'deletionTimestamp')
  return typeof text === 'string' && time.test(text) && !Number.isNaN(Date.parse(text))
}

function waitsForHook(live: Manifest): boolean {
  const finalizers = getPath(live, 'metadata', 'finalizers')
  if (!Array.isArray(finalizers) || !finalizers.every((one) => typeof one === 'string'))
    return false
  return finalizers.includes(finalizerHook)
}
