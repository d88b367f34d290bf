import type { OutputMark } from '../../../lang/gotemplate/index.ts'
import type { RenderedFile } from './templates.ts'

/** The line of the template, from 1, that made the character at `offset` of the file's output. */
export function templateLineOf(file: RenderedFile, offset: number): number {
  const mark = lastMark(file.marks, offset)
  if (mark === undefined) return 1
  const source = file.template.text
  // text nodes are copied, so the line can be told within them
  const copied = file.text.slice(mark.offset, offset + 1)
  const at = source.startsWith(copied, mark.pos) ? mark.pos + copied.length - 1 : mark.pos
  let line = 1
  for (let i = source.indexOf('\n'); i !== -1 && i < at; i = source.indexOf('\n', i + 1)) line++
  return line
}

function lastMark(marks: readonly OutputMark[], offset: number): OutputMark | undefined {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (marks[middle]!.offset <= offset) low = middle + 1
    else high = middle
  }
  return marks[low - 1]
}
