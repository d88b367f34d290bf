import type { YamlNode } from './node.ts'
import { type SourceOptions, yamlError } from './problem.ts'

const low = 400_000
const high = 4_000_000

/**
 * Counts the nodes that are decoded, and refuses documents in which too many of them come from aliases.
 *
 * Source: go.yaml.in/yaml v2.4.3 decode.go `allowedAliasRatio`; v3.0.4 has the same figures.
 */
export class AliasBudget {
  private readonly options: SourceOptions
  private nodes = 0
  private aliased = 0
  private depth = 0
  private readonly open = new Set<YamlNode>()

  constructor(options: SourceOptions) {
    this.options = options
  }

  /** One more node. Errors: YAML_INVALID when the document is an alias bomb. */
  count(): void {
    this.nodes++
    if (this.depth === 0) return
    this.aliased++
    if (this.aliased > 100 && this.nodes > 1000 && this.aliased / this.nodes > this.allowed()) {
      throw yamlError(this.options, 'yaml: document contains excessive aliasing')
    }
  }

  enter(alias: YamlNode): void {
    if (this.open.has(alias)) {
      throw yamlError(this.options, `yaml: anchor '${alias.value}' value contains itself`, {
        line: alias.line - 1,
        column: alias.column - 1,
      })
    }
    this.open.add(alias)
    this.depth++
  }

  leave(alias: YamlNode): void {
    this.open.delete(alias)
    this.depth--
  }

  private allowed(): number {
    if (this.nodes <= low) return 0.99
    if (this.nodes >= high) return 0.1
    return 0.99 - 0.89 * ((this.nodes - low) / (high - low))
  }
}
