import type { FieldChange } from '@litecd/core/diff'
import { formatPath } from '@litecd/core/diff'
import { isObject, type Json } from '@litecd/core/json'
import { formatYaml } from '@litecd/core/yaml'
import { harmless, harmlessLine } from './color.ts'

const maxLines = 40

/** A value on one line, or undefined where it needs several. */
export function inlineValue(value: Json | undefined): string | undefined {
  if (value === undefined) return ''
  if (typeof value === 'string') {
    if (value.includes('\n') || value.length > 120) return undefined
    return harmless(value === '' || /^\s|\s$/.test(value) ? JSON.stringify(value) : value)
  }
  if (Array.isArray(value) && value.length === 0) return '[]'
  if (isObject(value) && Object.keys(value).length === 0) return '{}'
  if (Array.isArray(value) || isObject(value)) return undefined
  return String(value)
}

/** A value as lines of YAML; what is longer than a screen is cut, and says so. */
export function blockValue(value: Json): readonly string[] {
  const text = typeof value === 'string' ? value : formatYaml(value)
  const lines = harmlessLines(text)
  if (lines.length <= maxLines) return lines
  return [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines`]
}

function harmlessLines(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n').map(harmless)
}

export function pathText(change: FieldChange): string {
  return harmlessLine(formatPath(change.path))
}
