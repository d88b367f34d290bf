// loops: one Application key in, a look or a beat of its sync, a requeue out.
// In: keys, the ports of the world. Out: writes through the ports. Never: watching, building adapters.
export { ApplicationLoop } from './application.ts'
export { OperationLoop } from './operation.ts'
export type { ArgoPort, DestinationPort, LoopContext } from './ports.ts'
