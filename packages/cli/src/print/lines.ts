import type { FieldChange } from '@litecd/core/diff'
import { diffLines } from 'diff'
import { harmless } from './color.ts'
import { blockValue, inlineValue, pathText } from './values.ts'

/** One line of a report with what it says: added, removed, or context. */
export interface ReportLine {
  readonly sign: '+' | '-' | ' ' | '~'
  readonly text: string
}

const contextLines = 2

/** One field change as lines: `path: old → new` where it fits, a block below the path where it does not. */
export function fieldLines(change: FieldChange): readonly ReportLine[] {
  const path = pathText(change)
  const before = inlineValue(change.before)
  const after = inlineValue(change.after)
  switch (change.change) {
    case 'move':
      return [
        {
          sign: '~',
          text: `${path}: moved from position ${Number(change.before) + 1} to ${Number(change.after) + 1}`,
        },
      ]
    case 'add':
      return oneSided('+', path, change.after)
    case 'remove':
      return oneSided('-', path, change.before)
    default:
  }
  if (before !== undefined && after !== undefined) {
    return [{ sign: '~', text: `${path}: ${before} → ${after}` }]
  }
  if (typeof change.before === 'string' && typeof change.after === 'string') {
    return [{ sign: '~', text: `${path}:` }, ...textDiff(change.before, change.after)]
  }
  return [
    { sign: '~', text: `${path}:` },
    ...blockValue(change.before ?? null).map((text) => ({ sign: '-' as const, text: `  ${text}` })),
    ...blockValue(change.after ?? null).map((text) => ({ sign: '+' as const, text: `  ${text}` })),
  ]
}

function oneSided(
  sign: '+' | '-',
  path: string,
  value: FieldChange['after'],
): readonly ReportLine[] {
  const inline = inlineValue(value)
  if (inline !== undefined) return [{ sign, text: `${path}: ${inline}` }]
  return [
    { sign, text: `${path}:` },
    ...blockValue(value ?? null).map((text) => ({ sign, text: `  ${text}` })),
  ]
}

/** A long text is told line by line, with a little of what stands around. */
function textDiff(before: string, after: string): readonly ReportLine[] {
  const lines: ReportLine[] = []
  for (const part of diffLines(before, after)) {
    const sign = part.added ? '+' : part.removed ? '-' : ' '
    const texts = part.value.replace(/\n$/, '').split('\n')
    const shown =
      sign !== ' ' || texts.length <= contextLines * 2 + 1
        ? texts
        : [...texts.slice(0, contextLines), '…', ...texts.slice(-contextLines)]
    for (const text of shown) lines.push({ sign, text: `  ${harmless(text)}` })
  }
  return lines
}
