export interface WorkQueueOptions {
  /** How many keys are worked on at the same time. */
  readonly workers: number
  /** The work. What it throws goes to `onError`; the key is then tried again after a growing delay. */
  readonly work: (key: string) => Promise<void>
  readonly onError: (key: string, error: unknown) => void
}

const firstRetryMs = 500
const lastRetryMs = 60_000

/**
 * Keys in line. A key that is added while it is worked on comes again afterwards; added twice while it waits it comes
 * once; the earlier of two delays wins.
 */
export class WorkQueue {
  private readonly options: WorkQueueOptions
  private readonly waiting = new Set<string>()
  private readonly active = new Set<string>()
  private readonly again = new Set<string>()
  private readonly delayed = new Map<
    string,
    { readonly at: number; readonly timer: NodeJS.Timeout }
  >()
  private readonly failures = new Map<string, number>()
  private stopped = false
  private started = false
  private idle: (() => void)[] = []

  constructor(options: WorkQueueOptions) {
    this.options = options
  }

  /** Begins to work; until then keys only wait. */
  start(): void {
    this.started = true
    this.pump()
  }

  /** Puts a key in line, now or after a delay. */
  add(key: string, delayMs = 0): void {
    if (this.stopped) return
    if (delayMs > 0) {
      this.later(key, delayMs)
      return
    }
    this.dropDelay(key)
    if (this.active.has(key)) this.again.add(key)
    else this.waiting.add(key)
    this.pump()
  }

  /** Forgets a key that is in line or delayed; work that has begun goes on. */
  forget(key: string): void {
    this.waiting.delete(key)
    this.again.delete(key)
    this.failures.delete(key)
    this.dropDelay(key)
  }

  /** True when nothing is in line or at work; delayed keys do not count. */
  get isIdle(): boolean {
    return this.waiting.size === 0 && this.active.size === 0
  }

  /** Keys in line; those at work and those that are delayed do not count. */
  get depth(): number {
    return this.waiting.size
  }

  /** Takes no more keys and waits until what has begun is done. */
  async stop(): Promise<void> {
    this.stopped = true
    this.waiting.clear()
    this.again.clear()
    for (const key of [...this.delayed.keys()]) this.dropDelay(key)
    if (this.active.size === 0) return
    await new Promise<void>((resolve) => {
      this.idle.push(resolve)
    })
  }

  private later(key: string, delayMs: number): void {
    const at = Date.now() + delayMs
    const known = this.delayed.get(key)
    if (known !== undefined && known.at <= at) return
    this.dropDelay(key)
    const timer = setTimeout(() => {
      this.delayed.delete(key)
      this.add(key)
    }, delayMs)
    timer.unref()
    this.delayed.set(key, { at, timer })
  }

  private dropDelay(key: string): void {
    const known = this.delayed.get(key)
    if (known === undefined) return
    clearTimeout(known.timer)
    this.delayed.delete(key)
  }

  private pump(): void {
    if (!this.started) return
    for (const key of this.waiting) {
      if (this.active.size >= this.options.workers) return
      this.waiting.delete(key)
      this.active.add(key)
      void this.run(key)
    }
  }

  private async run(key: string): Promise<void> {
    try {
      await this.options.work(key)
      this.failures.delete(key)
    } catch (error) {
      this.options.onError(key, error)
      const count = this.failures.get(key) ?? 0
      this.failures.set(key, count + 1)
      if (!this.stopped) this.later(key, Math.min(firstRetryMs * 2 ** count, lastRetryMs))
    } finally {
      this.active.delete(key)
      if (this.again.delete(key) && !this.stopped) this.waiting.add(key)
      this.pump()
      if (this.active.size === 0) for (const resolve of this.idle.splice(0)) resolve()
    }
  }
}
