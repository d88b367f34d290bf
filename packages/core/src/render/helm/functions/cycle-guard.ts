import { FunctionFailure, typeName, type Value } from '../../../lang/gotemplate/index.ts'

const freeDepth = 1000 // go 1.26 encoding/json startDetectCyclesAfter

/** Finds values that contain themselves while they are made JSON, as Go's encoder does. */
export class CycleGuard {
  private depth = 0
  private readonly open = new Set<Value>()

  /** Throws a FunctionFailure when the value is inside itself. */
  enter(value: Value): void {
    if (++this.depth <= freeDepth) return
    if (this.open.has(value)) {
      throw new FunctionFailure(
        `json: unsupported value: encountered a cycle via ${typeName(value)}`,
      )
    }
    this.open.add(value)
  }

  leave(value: Value): void {
    if (this.depth-- > freeDepth) this.open.delete(value)
  }
}
