/** Answers kept for a while; whoever asks while one is being obtained shares it. Failures are not kept. */
export class TimedCache<T> {
  readonly #ttlMs: number
  readonly #now: () => number
  readonly #maxEntries: number
  readonly #answers = new Map<string, { readonly value: T; readonly until: number }>()
  readonly #pending = new Map<string, Promise<T>>()

  constructor(ttlMs: number, now: () => number, maxEntries = 1000) {
    this.#ttlMs = ttlMs
    this.#now = now
    this.#maxEntries = maxEntries
  }

  /** `bypass` asks again and keeps the new answer. */
  get(key: string, obtain: () => Promise<T>, bypass = false): Promise<T> {
    const known = this.#answers.get(key)
    if (!bypass && known !== undefined && known.until > this.#now())
      return Promise.resolve(known.value)
    // an answer on its way when somebody insists on a fresh one is fresh enough: it was asked for just now
    const pending = this.#pending.get(key)
    if (pending !== undefined) return pending
    const work = obtain().then((value) => {
      this.#answers.delete(key)
      this.#answers.set(key, { value, until: this.#now() + this.#ttlMs })
      if (this.#answers.size > this.#maxEntries) {
        this.#answers.delete(this.#answers.keys().next().value!)
      }
      return value
    })
    const shared = work.finally(() => this.#pending.delete(key))
    this.#pending.set(key, shared)
    return shared
  }

  clear(): void {
    this.#answers.clear()
  }
}
