// loops: one key in, a look at an Application, a beat of its sync or a look at an ApplicationSet, a requeue out.
// In: keys, the ports of the world. Out: writes through the ports. Never: watching, building adapters.
export { ApplicationLoop } from './application.ts'
export { ApplicationSetLoop } from './application-sets.ts'
export { annotationSetRefresh } from './generate-set.ts'
export { OperationLoop } from './operation.ts'
export type { ArgoPort, DestinationPort, LoopContext } from './ports.ts'
