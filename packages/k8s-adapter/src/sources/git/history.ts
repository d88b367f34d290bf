import type { GitCommit } from './object.ts'
import type { GitRepository } from './repository.ts'

const fromA = 1
const fromB = 2
const stale = 4
const result = 8

/**
 * The best common ancestor of two commits, as `git merge-base A B` prints it; undefined when they share no history
 * (or a shallow clone hides it). Of several best ones the youngest.
 */
export function mergeBase(repository: GitRepository, a: string, b: string): string | undefined {
  return mergeBases(repository, a, b)[0]
}

/** All best common ancestors: common ancestors that no other common ancestor descends from. Youngest first. */
export function mergeBases(repository: GitRepository, a: string, b: string): readonly string[] {
  if (a === b) return [a]
  const common = paint(repository, a, b)
  if (common.length <= 1) return common.map((commit) => commit.id)
  // Clocks that run backwards let an ancestor of a result slip in; ask for each one whether another descends from it.
  return common
    .filter(
      (one) => !common.some((other) => other !== one && isAncestor(repository, one.id, other.id)),
    )
    .map((commit) => commit.id)
}

/** True when `ancestor` can be reached from `descendant` by parents; a commit is its own ancestor. */
export function isAncestor(
  repository: GitRepository,
  ancestor: string,
  descendant: string,
): boolean {
  if (ancestor === descendant) return true
  const seen = new Set([descendant])
  const pending = [descendant]
  while (pending.length > 0) {
    for (const parent of parentsOf(repository, repository.commit(pending.pop()!))) {
      if (parent === ancestor) return true
      if (!seen.has(parent)) {
        seen.add(parent)
        pending.push(parent)
      }
    }
  }
  return false
}

/**
 * Walks from both commits, youngest first, and marks who can be reached from which side. A commit reached from both is
 * a candidate, and everything below it is stale; the walk ends when only stale commits are left to visit.
 */
function paint(repository: GitRepository, a: string, b: string): readonly GitCommit[] {
  const flags = new Map<string, number>([
    [a, fromA],
    [b, fromB],
  ])
  const queue = new CommitQueue()
  let fresh = 2 // queued visits that are not stale
  queue.push(repository.commit(a))
  queue.push(repository.commit(b))
  const queued = new Map<string, boolean>([
    [a, true],
    [b, true],
  ])
  const found: GitCommit[] = []
  while (fresh > 0) {
    const commit = queue.pop()
    if (commit === undefined) break
    queued.set(commit.id, false)
    let own = flags.get(commit.id)!
    if ((own & stale) === 0) fresh--
    if ((own & (fromA | fromB)) === (fromA | fromB) && (own & stale) === 0) {
      if ((own & result) === 0) found.push(commit)
      flags.set(commit.id, own | result)
      own |= stale
    }
    const passed = own & (fromA | fromB | stale)
    for (const id of parentsOf(repository, commit)) {
      const before = flags.get(id) ?? 0
      if ((before & passed) === passed) continue
      const after = before | passed
      flags.set(id, after)
      if (queued.get(id) === true) {
        if ((before & stale) === 0 && (after & stale) !== 0) fresh--
        continue
      }
      queued.set(id, true)
      queue.push(repository.commit(id))
      if ((after & stale) === 0) fresh++
    }
  }
  return found
    .filter((commit) => (flags.get(commit.id)! & stale) === 0)
    .sort((one, other) => other.committedAt - one.committedAt)
}

function parentsOf(repository: GitRepository, commit: GitCommit): readonly string[] {
  return repository.shallow.has(commit.id) ? [] : commit.parents
}

/** A binary heap: the youngest commit first, of equally old ones the one that came first. */
class CommitQueue {
  readonly #heap: { readonly commit: GitCommit; readonly order: number }[] = []
  #next = 0

  push(commit: GitCommit): void {
    const heap = this.#heap
    heap.push({ commit, order: this.#next++ })
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#before(at, parent)) break
      this.#swap(at, parent)
      at = parent
    }
  }

  pop(): GitCommit | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first?.commit
    heap[0] = last
    for (let at = 0; ; ) {
      let best = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && this.#before(child, best)) best = child
      }
      if (best === at) return first.commit
      this.#swap(at, best)
      at = best
    }
  }

  #before(a: number, b: number): boolean {
    const one = this.#heap[a]!
    const other = this.#heap[b]!
    const byDate = other.commit.committedAt - one.commit.committedAt
    return byDate < 0 || (byDate === 0 && one.order < other.order)
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const kept = heap[a]!
    heap[a] = heap[b]!
    heap[b] = kept
  }
}
