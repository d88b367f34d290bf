// Text of repositories inside of Markdown and HTML.
import { harmless, harmlessLine } from './color.ts'

/** A fence longer than any run of backticks inside, so that nothing in a manifest can end it. */
export function fence(lines: readonly string[], language: string): readonly string[] {
  const text = lines.map(harmless).join('\n')
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return [`${ticks}${language}`, text, ticks]
}

export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${harmlessLine(text)}\`` : `${ticks} ${harmlessLine(text)} ${ticks}`
}

/** `@name` would call somebody. */
const entities: { readonly [char: string]: string } = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '@': '@\u200b',
}

/** Inside of HTML, where Markdown's own marks mean nothing. */
export function escapeHtml(text: string): string {
  return harmlessLine(text).replace(/[<>&@]/g, (char) => entities[char] ?? char)
}

export function escapeText(text: string): string {
  return harmless(text.replaceAll('\n', ' ')).replace(
    /[\\`*_{}[\]<>#|~@&$]/g,
    (char) => entities[char] ?? `\\${char}`,
  )
}
