import { RenderError } from '../../../errors/index.ts'
import { filepathMatch, trimSpace } from '../../../text/index.ts'

interface Rule {
  readonly negated: boolean
  readonly foldersOnly: boolean
  matches(path: string): boolean
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
    for (const rule of rules) {
      if (rule.negated) {
        if ((rule.foldersOnly && !isFolder) || !rule.matches(path)) return true
        continue
      }
      if (rule.foldersOnly && !isFolder) continue
      if (rule.matches(path)) return true
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
  if (filepathMatch(pattern, 'abc') === undefined) {
    throw new RenderError('HELM_FAILED', 'syntax error in pattern')
  }
  const negated = pattern.startsWith('!')
  if (negated) pattern = pattern.slice(1)
  const foldersOnly = pattern.endsWith('/')
  if (foldersOnly) pattern = pattern.slice(0, -1)
  const rooted = pattern.startsWith('/')
  if (rooted) pattern = pattern.slice(1)
  const whole = rooted || pattern.includes('/')
  return {
    negated,
    foldersOnly,
    matches: (path) => {
      const subject = whole ? path : path.slice(path.lastIndexOf('/') + 1)
      return filepathMatch(pattern, subject) === true
    },
  }
}
