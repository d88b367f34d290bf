import { isLitecdError } from '@litecd/core/errors'

/** A write that failed: the condition says so, and the set is tried again. */
export class WriteFailure extends Error {
  readonly reason: string

  constructor(reason: string, cause: Error) {
    super(cause.message, { cause })
    this.reason = reason
  }
}

/** Goes on after the failure of one Application; the first one is told. */
export class Failures {
  private first: Error | undefined

  async collect(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isLitecdError(error)) throw error
      this.first ??= error
    }
  }

  raise(reason: string): void {
    if (this.first !== undefined) throw new WriteFailure(reason, this.first)
  }
}
