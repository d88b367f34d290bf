import { BudgetError } from './errors.ts'

// Values form graphs: what is reached twice is walked twice, and what contains itself has no end. So every walk over a
// value counts its parts, and a run takes the count into its steps when it takes the next one.

/** How deep a value may be where it is walked; JSON texts of Go have the tenfold, YAML texts half of it. */
const maxDepth = 1_000

/** Throws BudgetError below that depth: a host's stack ends at no certain place. */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) {
    throw new BudgetError(
      `template budget exceeded: a value deeper than ${maxDepth} levels, or one that contains itself`,
    )
  }
}

const maxVisited = 1_000_000
let visited = 0

/** Counts one part of a value that is being walked. Throws BudgetError when a single walk has too many. */
export function visit(): void {
  if (++visited > maxVisited) {
    visited = 0
    throw new BudgetError(
      `template budget exceeded: a value of more than ${maxVisited} parts, or one that contains itself`,
    )
  }
}

/** How many parts were counted since the last time this was asked. */
export function takeVisited(): number {
  const count = visited
  visited = 0
  return count
}
