import type { AnyNode } from './nodes.ts'

const nilField = /^nil pointer evaluating interface \{\}\.(.+)$/s
const nilArgument = /^wrong type for value; expected .*; got interface \{\}$/s

/**
 * The value that was nil when a node failed, as the template spells it: `.Values.a` for `.Values.a.b`, and the whole path
 * for a nil that was given to a function that wants a string. Undefined when something else was wrong.
 *
 * Fields and variables only: literals of the template stay out.
 */
export function nilPath(node: AnyNode, message: string): string | undefined {
  if (node.type !== 'field' && node.type !== 'variable' && node.type !== 'chain') return undefined
  const start = node.type === 'field' ? '' : node.type === 'variable' ? node.name : '(...)'
  const spell = (fields: readonly string[]): string =>
    start + fields.map((field) => '.' + field).join('') || '.'
  if (nilArgument.test(message)) return spell(node.fields)
  const missed = nilField.exec(message)
  return missed === null
    ? undefined
    : spell(node.fields.slice(0, node.fields.lastIndexOf(missed[1]!)))
}
