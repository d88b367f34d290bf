import { BudgetError } from './errors.ts'
import { takeVisited } from './walk.ts'

/** What one run of templates may use up. */
export interface TemplateLimits {
  /** Function calls, loop rounds and template activations. */
  readonly steps: number
  /** Nested activations of templates, include and tpl together. */
  readonly depth: number
  /** UTF-16 units of one string or output; a list may have an eighth as many elements. */
  readonly size: number
}

/**
 * Limits no real chart comes near. Depth: Helm stops one name at 1,000 activations; a host's stack may end earlier and
 * is then reported as a budget as well.
 */
export const defaultTemplateLimits: TemplateLimits = {
  steps: 100_000_000,
  depth: 10_000,
  size: 16 * 1024 * 1024,
}

/**
 * One run: everything that is shared by the templates that call each other.
 *
 * `host` is whatever the functions of the caller need; this room does not look at it.
 */
export class Run {
  readonly host: unknown
  readonly limits: TemplateLimits
  steps = 0
  depth = 0
  /** How many notes about the origin of outputs may still be taken. */
  marksLeft = 1_000_000
  /** The option of that name: for `.a` of a map without `a`, and for `.b` of that. Helm's is zero, Go's default. */
  missingKey: 'default' | 'zero' | 'error' = 'zero'
  /**
   * Field paths that were read off {@link root}, such as `Values.image.tag`, when they are wanted.
   */
  reads: Set<string> | undefined
  root: unknown
  /** Who notes more than that, when it is wanted; {@link tracerOf} knows what it is. */
  notes: object | undefined

  constructor(host: unknown, limits: Partial<TemplateLimits> = {}) {
    this.host = host
    this.limits = { ...defaultTemplateLimits, ...limits }
  }

  step(): void {
    this.steps += 1 + (takeVisited() >> 2)
    if (this.steps > this.limits.steps) {
      throw new BudgetError(`template budget exceeded: more than ${this.limits.steps} steps`)
    }
  }

  /** Charges work that is not seen from outside, such as the rounds inside one function. */
  charge(steps: number): void {
    this.steps += steps
    this.step()
  }

  /** Refuses a string or list before it is made. */
  checkSize(size: number): void {
    if (size > this.limits.size) {
      throw new BudgetError(
        `template budget exceeded: a value of more than ${this.limits.size} units`,
      )
    }
  }

  /** Charges for the characters of long texts that a function is given: most look at each of them. */
  chargeArguments(args: readonly unknown[]): void {
    for (let i = 0; i < args.length; i++) {
      const arg = args[i]
      if (typeof arg === 'string' && arg.length > 65_536) this.charge(arg.length)
    }
  }

  /** Charges for a string or list that a function gave, and refuses one that is too large. */
  chargeResult(value: unknown): void {
    if (typeof value === 'string') {
      if (value.length < 64) return
      this.checkSize(value.length)
      // large ones may all be kept, so they stand for memory as well as for time
      this.charge(value.length >> (value.length < 65_536 ? 6 : value.length < 1_048_576 ? 3 : 2))
    } else if (typeof value === 'object' && value !== null) {
      const size =
        Array.isArray(value) || value instanceof Uint8Array
          ? value.length
          : 'items' in value && Array.isArray(value.items) // a TypedSlice, which knows of runs itself
            ? value.items.length
            : 0
      if (size < 16) return
      this.checkItems(size)
      this.charge(size < 1024 ? size >> 3 : size * 4)
    }
  }

  /** Refuses a list before it is made: an element is worth eight characters. */
  checkItems(count: number): void {
    this.checkSize(count * 8)
  }

  /** Enters a template; leave with `depth--`. */
  enter(): void {
    this.step()
    if (++this.depth > this.limits.depth) {
      throw new BudgetError(
        `template budget exceeded: more than ${this.limits.depth} nested templates`,
      )
    }
  }
}
