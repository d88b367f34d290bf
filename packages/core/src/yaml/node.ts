export type YamlKind = 'document' | 'mapping' | 'sequence' | 'scalar' | 'alias'

/** How a node is written: `''` is plain for scalars and block for collections. */
export type YamlStyle = '' | 'single' | 'double' | 'literal' | 'folded' | 'flow'

/**
 * One node of a document, as go-yaml v3 shows it to Kustomize.
 *
 * Nodes are made to be changed by their owner: a tree belongs to whoever parsed it, and is never shared.
 */
export class YamlNode {
  kind: YamlKind
  /** Short form: `!!str`, `!!int`, `!local`. Read in the v3 dialect it is always set; `''` lets the text decide. */
  tag: string
  /** The tag was written in the document, and is written again. */
  tagged = false
  style: YamlStyle = ''
  /** Text of a scalar, name of an alias. */
  value: string
  anchor = ''
  /** What an alias stands for. */
  target: YamlNode | undefined = undefined
  /** Of a mapping: key, value, key, value. */
  content: YamlNode[] = []
  headComment = ''
  lineComment = ''
  footComment = ''
  /** Where the node begins, both counted from 1; 0 for nodes that were not read. */
  line = 0
  column = 0

  constructor(kind: YamlKind, tag: string = '', value: string = '') {
    this.kind = kind
    this.tag = tag
    this.value = value
  }
}

const longPrefix = 'tag:yaml.org,2002:'

export function shortTag(tag: string): string {
  return tag.startsWith(longPrefix) ? '!!' + tag.slice(longPrefix.length) : tag
}
