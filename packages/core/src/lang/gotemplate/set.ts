import { BudgetError, isStackOverflow } from './errors.ts'
import { parseTemplate, type Tree } from './parse.ts'
import type { FunctionTable } from './value.ts'

/** A tree under the name it has in a set. */
export interface Template {
  readonly name: string
  /** The name under which its text was parsed, for errors. */
  readonly file: string
  readonly tree: Tree
}

/** Characters that a short text counts for: what is made of it takes more than itself. */
const perText = 1_000

/** Parsed texts by content, for one table of functions; forgets the oldest when it holds more than `maxChars`. */
export class ParseCache {
  readonly functions: FunctionTable
  private readonly known = new Map<string, readonly Tree[]>()
  private readonly maxChars: number
  private chars = 0

  constructor(functions: FunctionTable, maxChars: number = 32 * 1024 * 1024) {
    this.functions = functions
    this.maxChars = maxChars
  }

  /** Throws a TemplateError that names `name`. */
  parse(name: string, text: string): readonly Tree[] {
    const known = this.known.get(text)
    if (known !== undefined) return known
    const trees = this.parseAnew(name, text)
    this.known.set(text, trees)
    this.chars += text.length + perText
    for (const oldest of this.known.keys()) {
      if (this.chars <= this.maxChars || oldest === text) break
      this.known.delete(oldest)
      this.chars -= oldest.length + perText
    }
    return trees
  }

  private parseAnew(name: string, text: string): readonly Tree[] {
    try {
      return parseTemplate(name, text, (word) => this.functions.has(word))
    } catch (error) {
      if (!isStackOverflow(error)) throw error
      throw new BudgetError(
        'template budget exceeded: blocks nested deeper than the stack of the host allows',
      )
    }
  }
}

/**
 * Templates by name. A set that is laid over another sees its templates and may replace them for itself, which is how
 * `tpl` gets its own defines without copying anything.
 */
export class TemplateSet {
  /** Of the set as a whole, as errors name it. */
  readonly name: string
  readonly cache: ParseCache
  private readonly below: TemplateSet | undefined
  private readonly own = new Map<string, Template>()

  constructor(name: string, cache: ParseCache, below?: TemplateSet) {
    this.name = name
    this.cache = cache
    this.below = below
  }

  get functions(): FunctionTable {
    return this.cache.functions
  }

  lookup(name: string): Template | undefined {
    return this.own.get(name) ?? this.below?.lookup(name)
  }

  /**
   * Adds the templates of a text. A later one replaces an earlier of the same name, unless it is empty.
   *
   * Returns the template of the text itself. Throws a TemplateError.
   */
  add(name: string, text: string): Template {
    let main: Template | undefined
    for (const tree of this.cache.parse(name, text)) {
      const template = { name: tree.name ?? name, file: name, tree }
      if (tree.name === undefined) main = template
      if (!tree.isEmpty || this.lookup(template.name) === undefined) {
        this.own.set(template.name, template)
      }
    }
    return main!
  }

  overlay(): TemplateSet {
    return new TemplateSet(this.name, this.cache, this)
  }
}
