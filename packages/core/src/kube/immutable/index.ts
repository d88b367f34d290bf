// kube/immutable: which changes of an object the API server refuses because a field may not change once it is set.
// In: an object as it is, and as it should be. Out: fields with the server's words. Never: requests, custom kinds' own rules.
export { type FrozenChange, type FrozenInput, frozenChanges } from './frozen.ts'
