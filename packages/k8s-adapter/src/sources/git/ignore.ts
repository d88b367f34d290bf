import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { lastValue } from './config.ts'
import type { GitRepository } from './repository.ts'

interface Rule {
  readonly expression: RegExp
  readonly negated: boolean
  readonly foldersOnly: boolean
}

/** Rules of one file, for the paths below one folder. */
interface RuleFile {
  readonly folder: string
  readonly rules: readonly Rule[]
}

/**
 * Decides which untracked paths git would ignore: `.gitignore` files, `info/exclude` and the user's own file.
 * For use where there is no git program.
 *
 * Source: gitignore(5)
 */
export class IgnoreRules {
  readonly #root: string
  readonly #outer: readonly RuleFile[]
  readonly #files = new Map<string, RuleFile | undefined>()

  constructor(repository: GitRepository, workTree: string) {
    this.#root = workTree
    const configured = lastValue(repository.config, 'core.excludesfile')
    const home = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
    const own = configured?.replace(/^~(?=\/)/, homedir()) ?? join(home, 'git', 'ignore')
    this.#outer = [own, join(repository.commonDir, 'info', 'exclude')].map((path) => ({
      folder: '',
      rules: parseIgnoreFile(textOf(path)),
    }))
  }

  /** Whether `path`, whose parent folders are not ignored, is. */
  isIgnored(path: string, isFolder: boolean): boolean {
    const files = [...this.#outer]
    for (let slash = -1; ; slash = path.indexOf('/', slash + 1)) {
      const folder = slash === -1 ? '' : path.slice(0, slash)
      const file = this.#fileOf(folder)
      if (file !== undefined) files.push(file)
      if (path.indexOf('/', slash + 1) === -1) break
    }
    // the nearest file decides, and in it the last rule that fits
    for (const { folder, rules } of files.reverse()) {
      const below = folder === '' ? path : path.slice(folder.length + 1)
      for (let i = rules.length - 1; i >= 0; i--) {
        const rule = rules[i]!
        if (rule.foldersOnly && !isFolder) continue
        if (rule.expression.test(below)) return !rule.negated
      }
    }
    return false
  }

  #fileOf(folder: string): RuleFile | undefined {
    if (!this.#files.has(folder)) {
      const text = textOf(join(this.#root, folder, '.gitignore'))
      const rules = parseIgnoreFile(text)
      this.#files.set(folder, rules.length === 0 ? undefined : { folder, rules })
    }
    return this.#files.get(folder)
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // absent or unreadable: git goes on without it, too
  }
}

export function parseIgnoreFile(text: string): readonly Rule[] {
  const rules: Rule[] = []
  for (let line of text.replace(/^\ufeff/, '').split('\n')) {
    line = line.replace(/\r$/, '')
    if (line === '' || line.startsWith('#')) continue
    const negated = line.startsWith('!')
    if (negated) line = line.slice(1)
    line = line.replace(/((?:^|[^\\])(?:\\\\)*) +$/, '$1')
    const foldersOnly = line.endsWith('/') && !line.endsWith('\\/')
    if (foldersOnly) line = line.slice(0, -1)
    if (line === '' || line === '/') continue
    const anchored = line.includes('/')
    const expression = toExpression(line.replace(/^\//, ''), anchored)
    if (expression !== undefined) rules.push({ expression, negated, foldersOnly })
  }
  return rules
}

/** A pattern of gitignore as an expression over the whole path; undefined when it can match nothing. */
function toExpression(pattern: string, anchored: boolean): RegExp | undefined {
  let out = anchored ? '^' : '^(?:.*/)?'
  for (let i = 0; i < pattern.length; ) {
    const rest = pattern.slice(i)
    const atStart = i === 0 || pattern[i - 1] === '/'
    if (atStart && rest.startsWith('**/')) {
      out += '(?:[^/]+/)*'
      i += 3
    } else if (atStart && rest === '**') {
      out += '.+'
      i += 2
    } else if (pattern[i] === '*') {
      out += '[^/]*'
      while (pattern[i] === '*') i++
    } else if (pattern[i] === '?') {
      out += '[^/]'
      i++
    } else if (pattern[i] === '[') {
      const set = readSet(pattern, i)
      if (set === undefined) return undefined
      out += set.expression
      i = set.end
    } else {
      if (pattern[i] === '\\') {
        if (i + 1 >= pattern.length) return undefined
        i++
      }
      const char = String.fromCodePoint(pattern.codePointAt(i)!)
      out += char.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
      i += char.length
    }
  }
  try {
    return new RegExp(out + '$', 'su')
  } catch {
    return undefined // a range that runs backwards
  }
}

function readSet(
  pattern: string,
  start: number,
): { readonly expression: string; readonly end: number } | undefined {
  let i = start + 1
  const negated = pattern[i] === '!' || pattern[i] === '^'
  if (negated) i++
  let set = ''
  for (let first = true; first || pattern[i] !== ']'; first = false) {
    if (i >= pattern.length) return undefined
    const named = /^\[:(\w+):\]/.exec(pattern.slice(i))
    if (named !== null) {
      const known = posixClasses[named[1]!]
      if (known === undefined) return undefined
      set += known
      i += named[0].length
      continue
    }
    if (pattern[i] === '-' && set !== '' && pattern[i + 1] !== ']') set += '-'
    else {
      if (pattern[i] === '\\') i++
      const char = String.fromCodePoint(pattern.codePointAt(i) ?? 0)
      set += char.replace(/[\\\]^[\-&~|{}()/.]/g, '\\$&')
      i += char.length - 1
    }
    i++
  }
  return { expression: `(?!/)[${negated ? '^' : ''}${set}]`, end: i + 1 }
}

const posixClasses: { readonly [name: string]: string } = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  xdigit: '0-9a-fA-F',
  punct: '!-\\/:-@\\[-`\\{-~',
  print: ' -~',
  graph: '!-~',
  cntrl: '\\0-\\x1f\\x7f',
}
