// queue: keys that wait for work: each at most once in line and once at work, with delays.
// In: keys. Out: calls of one function a key. Never: what the work is.
export { WorkQueue } from './work-queue.ts'
