import { RenderError } from '../../../errors/index.ts'
import { compileFilepathMatch, trimSpace } from '../../../text/index.ts'

interface Rule {
  readonly negated: boolean
  readonly foldersOnly: boolean
  /** Held against the whole path, not only the last name. */
  readonly whole: boolean
  fits(subject: string): boolean
}

/** Says whether a path of the chart is left out. */
export type IgnoreTest = (path: string, isFolder: boolean) => boolean

/**
 * The rules of a .helmignore text and Helm's own rule for dotfiles in templates/. The first rule that decides wins, and
 * a negated rule leaves out everything that it does not match; this is not gitignore.
 *
 * Throws HELM_FAILED for a rule that cannot be read. Source: helm v4.2.1 pkg/ignore/rules.go
 */
export function parseHelmignore(text: string): IgnoreTest {
  const rules: Rule[] = []
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const rule = parseRule(line)
    if (rule !== undefined) rules.push(rule)
  }
  rules.push(parseRule('templates/.?*')!)
  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    for (const rule of rules) {
      const fits = (isFolder || !rule.foldersOnly) && rule.fits(rule.whole ? path : name)
      if (fits !== rule.negated) return true
    }
    return false
  }
}

function parseRule(line: string): Rule | undefined {
  let pattern = trimSpace(line)
  if (pattern === '' || pattern.startsWith('#')) return undefined
  if (pattern.includes('**')) {
    throw new RenderError('HELM_FAILED', 'double-star (**) syntax is not supported')
  }
  if (compileFilepathMatch(pattern) === undefined) {
    throw new RenderError('HELM_FAILED', 'syntax error in pattern')
  }
  const negated = pattern.startsWith('!')
  if (negated) pattern = pattern.slice(1)
  const foldersOnly = pattern.endsWith('/')
  if (foldersOnly) pattern = pattern.slice(0, -1)
  const rooted = pattern.startsWith('/')
  if (rooted) pattern = pattern.slice(1)
  // Parity: a rule that is malformed only without its last slash matches nothing
  const fits = compileFilepathMatch(pattern) ?? (() => false)
  return { negated, foldersOnly, whole: rooted || pattern.includes('/'), fits }
}
