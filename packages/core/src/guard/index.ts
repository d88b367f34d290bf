// guard: which data a change destroys, followed from the objects that go away to the volumes and databases behind them.
// In: objects that go, with the reason, and all objects known. Out: losses and what is kept, each with its path.
// Never: what is pruned and what not (sync and app decide that), I/O, guessing that something is safe.
export { type DataFate, type DataKind, dataKindOf, dataKinds } from './data-kinds.ts'
export { guardData } from './guard.ts'
export { Inventory } from './inventory.ts'
export type {
  DataLoss,
  Departure,
  Guarded,
  GuardInput,
  KeptData,
  LossVerdict,
  Shrinkage,
} from './types.ts'
