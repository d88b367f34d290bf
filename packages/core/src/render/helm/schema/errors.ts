import { quoteGo } from '../../../text/index.ts'

/** A failure of a schema, in the shape and words of santhosh-tekuri/jsonschema v6, which Helm uses. */
export interface Failure {
  /** Steps from the root of the instance. */
  readonly at: readonly string[]
  readonly message: string
  readonly causes: readonly Failure[]
  /** A group of several failures at one place: a container that takes it shows its members instead. */
  readonly isGroup: boolean
  /** A reference is not shown when it has a single cause. */
  readonly isReference: boolean
}

export function failure(
  at: readonly string[],
  message: string,
  causes: readonly Failure[] = [],
  kind: 'plain' | 'group' | 'reference' = 'plain',
): Failure {
  return { at, message, causes, isGroup: kind === 'group', isReference: kind === 'reference' }
}

/** `'text'`, with the escapes of Go's %q but for double quotes. */
export function quoteText(text: string): string {
  // the closing quote is still there: a last backslash loses its escape
  const body = quoteGo(text).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${body.slice(1, -1)}'`
}

export function pointerText(at: readonly string[]): string {
  return at.map((step) => '/' + step.replaceAll('~', '~0').replaceAll('/', '~1')).join('')
}

/** The lines of a failure below a root line: `- at '/a': …`, causes two spaces deeper. */
export function failureLines(item: Failure, depth = 0): readonly string[] {
  const hidden = item.isReference && item.causes.length === 1
  const own = hidden
    ? []
    : [`${'  '.repeat(depth)}- at ${quoteText(pointerText(item.at))}: ${item.message}`]
  return [
    ...own,
    ...item.causes.flatMap((cause) => failureLines(cause, hidden ? depth : depth + 1)),
  ]
}

/** The failures that a root shows: the members of a group, or the one failure. */
export function rootCauses(item: Failure): readonly Failure[] {
  return item.isGroup ? item.causes : [item]
}

/** The schema itself cannot be used. */
export class SchemaIssue extends Error {
  override readonly name = 'SchemaIssue'
}
