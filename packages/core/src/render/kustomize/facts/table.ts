import { builtInTable } from './built-in.ts'

/**
 * Reads the table of built-in facts. A title stands at the left margin, what belongs to it is indented below:
 *
 *     made from              Kubernetes and the modules of kustomize, with versions
 *     cluster-scoped         `apiVersion Kind Kind...`; every other kind counts as namespaced
 *     definitions            `name: apiVersion Kind, ...`, and deeper `field[keys] definition`: a list with `[...]` merges by
 *                            the keys, by itself when there are none; `field{}` is a map of the definition. Fields that
 *                            matter to no merge are left out; a bare one hides the types of what stands in it.
 *     places LIST            `group/version/Kind path`, `*` for every kind; a path with `!` is made where it is missing
 *     name references        a target, and deeper the places that name it
 *     order first, order last
 */
const sections: ReadonlyMap<string, readonly string[]> = new Map(
  builtInTable
    .trim()
    .split('\n\n')
    .map((text) => {
      const [title = '', ...lines] = text.split('\n')
      return [title, lines.map((line) => line.slice(2))]
    }),
)

function linesOf(title: string): readonly string[] {
  return sections.get(title) ?? []
}

/** What the table stands for: `kubernetes` and the modules → version. */
export const madeFrom: ReadonlyMap<string, string> = new Map(
  linesOf('made from').map((line) => line.split(' ') as [string, string]),
)

const clusterScoped: ReadonlySet<string> = new Set(
  linesOf('cluster-scoped').flatMap((line) => {
    const [apiVersion, ...kinds] = line.split(' ')
    return kinds.map((kind) => `${apiVersion} ${kind}`)
  }),
)

/** Whether kustomize knows the kind to stand outside of namespaces; newer built-in kinds it does not know. */
export function isClusterScoped(apiVersion: string, kind: string): boolean {
  return clusterScoped.has(`${apiVersion} ${kind}`)
}

/** The places where a transformer writes when nothing is configured. */
export function placesOf(list: string): readonly string[] {
  return linesOf(`places ${list}`)
}

/** Targets of references, each with the places that name it. */
export function nameReferences(): readonly (readonly [string, readonly string[]])[] {
  return nested(linesOf('name references'))
}

/** The kinds that come before or after all others. */
export function kindsOf(order: 'first' | 'last'): readonly string[] {
  return linesOf(`order ${order}`)
}

function nested(lines: readonly string[]): [string, string[]][] {
  const out: [string, string[]][] = []
  for (const line of lines) {
    if (line.startsWith('  ')) out.at(-1)![1].push(line.slice(2))
    else out.push([line, []])
  }
  return out
}

export interface DefinitionField {
  readonly name: string
  /** The keys by which the list merges, none for a list of scalars; undefined when it does not merge. */
  readonly mergeKeys: readonly string[] | undefined
  /** Of the field, of the elements of the list, or of the values of the map. */
  readonly definition: string | undefined
  readonly isMap: boolean
}

interface Definitions {
  readonly fields: ReadonlyMap<string, readonly string[]>
  /** `apiVersion kind` → definition. */
  readonly types: ReadonlyMap<string, string>
}

let definitions: Definitions | undefined

function readDefinitions(): Definitions {
  const fields = new Map<string, readonly string[]>()
  const types = new Map<string, string>()
  for (const [head, lines] of nested(linesOf('definitions'))) {
    const [name = '', described = ''] = head.split(': ')
    fields.set(name, lines)
    for (const type of described.split(', ')) if (type !== '') types.set(type, name)
  }
  return { fields, types }
}

/** The definition of a type; undefined for types that kustomize does not know. */
export function definitionOf(apiVersion: string, kind: string): string | undefined {
  definitions ??= readDefinitions()
  return definitions.types.get(`${apiVersion} ${kind}`)
}

/** The fields of a definition that matter to a merge. */
export function fieldsOf(definition: string): readonly DefinitionField[] {
  definitions ??= readDefinitions()
  return (definitions.fields.get(definition) ?? []).map(parseField)
}

function parseField(line: string): DefinitionField {
  const match = /^([^ [{]+)(?:\[([^\]]*)\]|(\{\}))?(?: (.+))?$/.exec(line)
  const [, name = line, keys, map, definition] = match ?? []
  return {
    name,
    mergeKeys: keys === undefined ? undefined : keys.split(' ').filter((key) => key !== ''),
    definition,
    isMap: map !== undefined,
  }
}
