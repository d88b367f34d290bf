// health: one live object → its health; the healths of many → the health of an Application; what may be done to an object.
// In: live objects, overrides, Lua scripts. Out: HealthStatus, or undefined where a kind has no health; objects that
// actions create or change. Never: I/O, the cluster.
export {
  type ActionOptions,
  discoverActions,
  type ImpactedResource,
  type ResourceAction,
  runAction,
} from './actions.ts'
export { aggregateHealth, type HealthInput, type HealthVerdict } from './aggregate.ts'
export { type Assessment, assessHealth, type HealthAssessor, type HealthOptions } from './assess.ts'
export { readScriptLibrary, type ScriptLibrary } from './script-library.ts'
export {
  type ScriptTestOptions,
  type ScriptTestResult,
  testScripts,
} from './script-tests.ts'
