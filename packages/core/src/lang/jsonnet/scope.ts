/**
 * What a runtime frame is for.
 *
 * A frame is an array: slot 0 is the enclosing frame. Functions and comprehension steps hold parameters and all the
 * locals of their body, since every expression in a body runs at most once per call. Objects hold self in slot 1, the
 * inheritance depth in slot 2, then their locals. Blocks hold locals written right inside an object's field.
 */
export type FrameKind = 'file' | 'function' | 'object' | 'block'

export const selfSlot = 1
export const depthSlot = 2
export const firstObjectLocal = 3

/** A frame as the compiler sees it. */
export class FrameScope {
  readonly kind: FrameKind
  readonly parent: FrameScope | undefined
  /** Slots, the link to the parent included. */
  size: number
  /**
   * An object's field that names neither self, super, `$` nor a local of the object runs straight in the frame around
   * the object, and its value is shared by everything that inherits it.
   */
  used: boolean

  constructor(kind: FrameKind, parent: FrameScope | undefined, size: number) {
    this.kind = kind
    this.parent = parent
    this.size = size
    this.used = kind !== 'object'
  }

  slot(): number {
    return this.size++
  }

  /** The frame that code written here runs in. */
  real(): FrameScope {
    let scope: FrameScope = this
    while (!scope.used) scope = scope.parent!
    return scope
  }

  /** How many links up from the frame that code here runs in to `target`. */
  hops(target: FrameScope): number {
    let count = 0
    let scope = this.real()
    while (scope !== target) {
      scope = scope.parent!.real()
      count++
    }
    return count
  }
}

/** Names that are visible at a place, innermost first. */
export class Names {
  readonly parent: Names | undefined
  readonly frame: FrameScope
  private readonly slots: ReadonlyMap<string, number>

  constructor(parent: Names | undefined, frame: FrameScope, slots: ReadonlyMap<string, number>) {
    this.parent = parent
    this.frame = frame
    this.slots = slots
  }

  find(name: string): { readonly frame: FrameScope; readonly slot: number } | undefined {
    for (let names: Names | undefined = this; names !== undefined; names = names.parent) {
      const slot = names.slots.get(name)
      if (slot !== undefined) return { frame: names.frame, slot }
    }
    return undefined
  }

  /** Every visible name, for suggestions. */
  all(): readonly string[] {
    const all: string[] = ['std']
    for (let names: Names | undefined = this; names !== undefined; names = names.parent) {
      all.push(...names.slots.keys())
    }
    return all
  }
}
