/**
 * A text that is being evaluated. `name` is shown in errors; `path` is what its imports are relative to and is empty
 * for snippets.
 */
export class Source {
  readonly name: string
  readonly path: string
  readonly text: string
  /** What std.thisFile says. */
  readonly thisFile: string
  private starts: number[] | undefined

  constructor(name: string, path: string, text: string, thisFile: string = path) {
    this.name = name
    this.path = path
    this.text = text.toWellFormed()
    this.thisFile = thisFile
  }

  /** Line from 1 and column from 1 counted in bytes of UTF-8, as go-jsonnet counts. */
  position(offset: number): { readonly line: number; readonly column: number } {
    const starts = this.lineStarts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: utf8Length(this.text, starts[low]!, offset) + 1 }
  }

  /** `file:1:2-3` or `file:(1:2)-(3:4)`. */
  range(begin: number, end: number): string {
    const from = this.position(begin)
    const to = this.position(end)
    const prefix = this.name === '' ? '' : this.name + ':'
    if (from.line !== to.line) {
      return `${prefix}(${from.line}:${from.column})-(${to.line}:${to.column})`
    }
    if (from.column === to.column) return `${prefix}${from.line}:${from.column}`
    return `${prefix}${from.line}:${from.column}-${to.column}`
  }

  /** The whole lines that a range touches, without the last newline. */
  lines(begin: number, end: number): string {
    const starts = this.lineStarts()
    const first = this.position(begin).line
    const last = this.position(end).line
    const stop = last < starts.length ? starts[last]! - 1 : this.text.length
    return this.text.slice(starts[first - 1]!, stop)
  }

  private lineStarts(): readonly number[] {
    if (this.starts === undefined) {
      const starts = [0]
      for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) {
        starts.push(at + 1)
      }
      this.starts = starts
    }
    return this.starts
  }
}

function utf8Length(text: string, from: number, to: number): number {
  let bytes = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    // the two halves of a surrogate pair are four bytes together
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3
  }
  return bytes
}
