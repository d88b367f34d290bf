// events: the EventSink that writes core/v1 Events as Argo CD writes them.
// In: a KubeClient. Out: POSTs that nobody waits for. Never: repeating, counting or ordering events.
export { createEventSink, type EventSinkOptions } from './event-sink.ts'
