import type { ChangeExplanation } from '@litecd/core/app'
import { harmlessLine } from './color.ts'
import { formatPosition } from './error.ts'

type Cause = ChangeExplanation['causes'][number]

/** `templates/deployment.yaml:12 .Values.replicas`; the line alone where `file` is already said. */
export function causeText({ text, position }: Cause, file: string = ''): string {
  const words = text === 'as written' && position !== undefined ? '' : text
  return harmlessLine([placeOf(position, file), words].filter((part) => part !== '').join(' '))
}

function placeOf(position: Cause['position'], file: string): string {
  if (position === undefined) return ''
  const { path, line } = position
  if (line === undefined) return path
  return path === file ? `line ${line}` : formatPosition({ path, line })
}

const shownCauses = 3

/** What made a changed field of an object from `file`, on one line; '' where nothing is known. */
export function explanationText(
  { causes, ignoredBy }: ChangeExplanation,
  file: string = '',
): string {
  const shown = causes.slice(0, shownCauses).map((cause) => causeText(cause, file))
  if (causes.length > shownCauses) shown.push(`${causes.length - shownCauses} more`)
  const made = shown.length === 0 ? '' : `← ${shown.join(' ← ')}`
  const ignored =
    ignoredBy === undefined ? '' : `not counted as a difference: ${harmlessLine(ignoredBy)}`
  return [made, ignored].filter((part) => part !== '').join('; ')
}
