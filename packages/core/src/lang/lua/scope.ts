import type { LuaValue } from './values.ts'

/** A variable. Closures hold boxes, so that they and the block that made one see the same value. */
export interface Box {
  value: LuaValue
}

/** One call of a function. */
export interface Frame {
  readonly slots: Box[]
  readonly captured: readonly Box[]
  readonly rest: readonly LuaValue[]
}

export interface Capture {
  readonly from: 'slot' | 'captured'
  readonly index: number
}

export type Variable =
  | { readonly kind: 'slot'; readonly index: number }
  | { readonly kind: 'captured'; readonly index: number }
  | { readonly kind: 'global' }

/** The names that a function's text sees while it is compiled. */
export class FunctionScope {
  readonly captures: Capture[] = []
  readonly takesRest: boolean
  private readonly parent: FunctionScope | undefined
  private readonly blocks: Map<string, number>[] = [new Map()]
  private readonly capturedNames = new Map<string, number>()
  private slots = 0

  constructor(parent: FunctionScope | undefined, takesRest: boolean) {
    this.parent = parent
    this.takesRest = takesRest
  }

  open(): void {
    this.blocks.push(new Map())
  }

  close(): void {
    this.blocks.pop()
  }

  declare(name: string): number {
    const slot = this.slots++
    this.blocks.at(-1)!.set(name, slot)
    return slot
  }

  find(name: string): Variable {
    for (let index = this.blocks.length - 1; index >= 0; index--) {
      const slot = this.blocks[index]!.get(name)
      if (slot !== undefined) return { kind: 'slot', index: slot }
    }
    if (this.parent === undefined) return { kind: 'global' }
    const outer = this.parent.find(name)
    if (outer.kind === 'global') return outer
    // the same name may mean another variable of the parent later
    const key = `${outer.kind} ${outer.index}`
    let index = this.capturedNames.get(key)
    if (index === undefined) {
      index = this.captures.length
      this.captures.push({ from: outer.kind, index: outer.index })
      this.capturedNames.set(key, index)
    }
    return { kind: 'captured', index }
  }
}
