import type { Source } from './source.ts'

/**
 * A program that cannot be read. It never leaves this room: an import turns it into a runtime error, the front door
 * into a RenderError.
 */
export class StaticFailure extends Error {
  readonly source: Source
  readonly begin: number
  readonly end: number
  readonly hint: string | undefined

  constructor(source: Source, begin: number, end: number, message: string, hint?: string) {
    super(message)
    this.source = source
    this.begin = begin
    this.end = end
    this.hint = hint
  }

  /** The first line of what go-jsonnet prints: `file:1:2-3 message`. */
  summary(): string {
    return `${this.source.range(this.begin, this.end)} ${this.message}`
  }

  /** Everything that go-jsonnet prints: the first line, the lines of source, and blank lines around them. */
  text(): string {
    return `${this.summary()}\n\n${this.source.lines(this.begin, this.end)}\n\n`
  }
}
