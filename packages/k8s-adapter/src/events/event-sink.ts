import type { EventSink, LitecdEvent } from '@litecd/core/adapters'
import { isLitecdError } from '@litecd/core/errors'
import { getPath, type JsonObject } from '@litecd/core/json'
import { groupOf, labelsOf, type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import { coreEvents, type KubeClient } from '../client/index.ts'

export interface EventSinkOptions {
  readonly client: KubeClient
  /** Where events about plain resources go; those about Argo CD's own objects go to the object's namespace. */
  readonly namespace: string
  /** Who says it: `source.component`. The application controller when absent. */
  readonly component?: string
  /** Reasons to write; undefined: all. */
  readonly reasons?: ReadonlySet<string>
  /** Which labels of the object the Event gets too; undefined: none. Source: argocd-cm resource.includeEventLabelKeys. */
  readonly keepsLabel?: (key: string) => boolean
  /** An event that could not be written is lost; this is told why. */
  readonly onError?: (error: Error) => void
}

const applicationController = 'argocd-application-controller'
const ownKinds: ReadonlySet<string> = new Set(['Application', 'AppProject', 'ApplicationSet'])

/** Events of one object in one millisecond still need names of their own. */
let lastNanoseconds = 0n

function nanoseconds(now: number): bigint {
  const wanted = BigInt(now) * 1_000_000n
  lastNanoseconds = wanted > lastNanoseconds ? wanted : lastNanoseconds + 1n
  return lastNanoseconds
}

function text(object: Manifest, ...path: string[]): string {
  const value = getPath(object, ...path)
  return typeof value === 'string' ? value : ''
}

/** ApplicationSets have another writer of Events, which annotates nothing. */
function annotationsFor(regarding: Manifest, isOwn: boolean): JsonObject {
  if (!isOwn) return { 'resource-namespace': namespaceOf(regarding) }
  if (regarding.kind === 'ApplicationSet') return {}
  return {
    'dest-server': text(regarding, 'spec', 'destination', 'server'),
    'dest-namespace': text(regarding, 'spec', 'destination', 'namespace'),
  }
}

/** The Event about an object. Source: argo-cd v3.5.1 util/argo/audit_logger.go. */
function eventOf(
  regarding: Manifest,
  event: LitecdEvent,
  options: Omit<EventSinkOptions, 'client'>,
  now: number,
): Manifest {
  const isOwn = groupOf(regarding.apiVersion) === 'argoproj.io' && ownKinds.has(regarding.kind)
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  const labels = Object.entries(labelsOf(regarding)).filter(([key]) => options.keepsLabel?.(key))
  const annotations = annotationsFor(regarding, isOwn)
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${nameOf(regarding)}.${nanoseconds(now).toString(16)}`,
      namespace: isOwn ? namespaceOf(regarding) : options.namespace,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
    },
    source: { component: options.component ?? applicationController },
    involvedObject: {
      apiVersion: regarding.apiVersion,
      kind: regarding.kind,
      name: nameOf(regarding),
      namespace: namespaceOf(regarding),
      resourceVersion: text(regarding, 'metadata', 'resourceVersion'),
      uid: text(regarding, 'metadata', 'uid'),
    },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    message: event.message,
    type: event.type,
    reason: event.reason,
  }
}

/** Writes each event once, in the background. */
export function createEventSink(options: EventSinkOptions): EventSink {
  return {
    emit(regarding, event) {
      if (options.reasons !== undefined && !options.reasons.has(event.reason)) return
      const object = eventOf(regarding, event, options, Date.now())
      options.client
        .create(coreEvents, object, { namespace: namespaceOf(object) })
        .catch((error: unknown) => {
          if (!isLitecdError(error)) throw error
          options.onError?.(error)
        })
    },
  }
}
