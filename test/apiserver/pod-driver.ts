import { getPath, isObject, type Json, type JsonObject } from '@litecd/core/json'
import { annotationsOf, type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import { Informer, isConflict, isNotFound, type KubeClient } from '@litecd/k8s-adapter/client'

/** What becomes of a pod, from its annotation `test/fate` or its restart policy. */
type Fate = 'hang' | 'fail' | 'badimage' | 'run' | 'succeed'

interface PodDriver {
  /** Settles when the driver's watch is up: no pod waits for it from then on. */
  readonly ready: Promise<void>
  stop(): void
}

const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true }

/** Pods that restart always run; others, such as those of Jobs, end well. */
function fateOf(pod: Manifest): Fate {
  const asked = annotationsOf(pod)['test/fate']
  if (asked === 'hang' || asked === 'fail' || asked === 'badimage' || asked === 'run') return asked
  const policy = getPath(pod, 'spec', 'restartPolicy')
  return policy === 'Never' || policy === 'OnFailure' ? 'succeed' : 'run'
}

function containers(pod: Manifest, field: string): readonly JsonObject[] {
  const found = getPath(pod, 'spec', field)
  return Array.isArray(found) ? found.filter(isObject) : []
}

function condition(type: string, status: boolean, at: string): Json {
  return { type, status: status ? 'True' : 'False', lastTransitionTime: at }
}

function containerStatus(container: JsonObject, fate: Fate, at: string): Json {
  const image = String(container['image'] ?? '')
  const own = {
    name: String(container['name']),
    image,
    imageID: '',
    restartCount: 0,
    started: fate === 'run',
    ready: fate === 'run',
  }
  if (fate === 'run') return { ...own, state: { running: { startedAt: at } } }
  if (fate === 'badimage') {
    const message = `Back-off pulling image "${image}"`
    return { ...own, state: { waiting: { reason: 'ImagePullBackOff', message } } }
  }
  const exitCode = fate === 'fail' ? 1 : 0
  const reason = fate === 'fail' ? 'Error' : 'Completed'
  return {
    ...own,
    state: { terminated: { exitCode, reason, startedAt: at, finishedAt: at } },
  }
}

/** The status that a kubelet would report once the fate has come true; undefined: it stays as it is. */
function fatefulStatus(pod: Manifest, at: string): JsonObject | undefined {
  const fate = fateOf(pod)
  if (fate === 'hang') return undefined
  const ready = fate === 'run'
  const phases = { run: 'Running', badimage: 'Pending', fail: 'Failed', succeed: 'Succeeded' }
  return {
    phase: phases[fate],
    startTime: at,
    conditions: [
      condition('PodScheduled', true, at),
      condition('Initialized', true, at),
      condition('ContainersReady', ready, at),
      condition('Ready', ready, at),
    ],
    initContainerStatuses: containers(pod, 'initContainers').map((container) =>
      containerStatus(container, 'succeed', at),
    ),
    containerStatuses: containers(pod, 'containers').map((container) =>
      containerStatus(container, fate, at),
    ),
  }
}

/**
 * Plays the kubelet: every new pod of the namespace (or of all) gets the status of its fate, once. What tests write
 * into a pod's status later stays.
 */
export function podDriver(
  client: KubeClient,
  options: { readonly namespace?: string } = {},
): PodDriver {
  const settle = async (pod: Manifest): Promise<void> => {
    const status = fatefulStatus(pod, new Date().toISOString().replace(/\.\d+Z$/, 'Z'))
    if (status === undefined) return
    try {
      await client.patch(
        pods,
        nameOf(pod),
        'merge',
        { metadata: { uid: getPath(pod, 'metadata', 'uid') ?? null }, status },
        { namespace: namespaceOf(pod), subresource: 'status', fieldManager: 'kubelet' },
      )
    } catch (error) {
      // The pod went, or another of its name came, while we looked at it.
      if (!isNotFound(error) && !isConflict(error)) throw error
    }
  }
  const informer = new Informer<true>(client, pods, {
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    keep(pod) {
      const phase = getPath(pod, 'status', 'phase')
      const touched = getPath(pod, 'status', 'startTime') !== undefined
      const going = getPath(pod, 'metadata', 'deletionTimestamp') !== undefined
      if ((phase === undefined || phase === 'Pending') && !touched && !going) {
        settle(pod).catch((error: unknown) => {
          if (!stopped) console.error(`pod driver: ${error}`)
        })
      }
      return true
    },
  })
  let stopped = false
  return {
    ready: informer.whenSynced(),
    stop() {
      stopped = true
      informer.stop()
    },
  }
}
