// health: one live object → its health; the healths of many → the health of an Application.
// In: live objects, overrides. Out: HealthStatus, or undefined where a kind has no health. Never: I/O, the cluster.
export { aggregateHealth, type HealthInput, type HealthVerdict } from './aggregate.ts'
export { assessHealth, type HealthAssessor } from './assess.ts'
