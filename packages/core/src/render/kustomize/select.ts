import { compileRegexp, type GoRegexp, RegexpIssue } from '../../text/index.ts'
import { fail } from './fail.ts'
import { effectiveNamespace, type Gvk, idText, type ResId } from './id.ts'
import type { SelectorArgs } from './kustomization.ts'
import { type LabelSelector, parseLabelSelector } from './label-selector.ts'
import type { Resource } from './resource.ts'

type Part = 'group' | 'version' | 'kind' | 'name' | 'namespace'

/** A selector whose parts are anchored regular expressions; an empty part selects everything. */
export class Selector {
  readonly args: SelectorArgs
  private readonly parts = new Map<Part, GoRegexp>()
  private readonly labels: LabelSelector
  private readonly annotations: LabelSelector

  constructor(args: SelectorArgs) {
    this.args = args
    for (const part of ['group', 'version', 'kind', 'name', 'namespace'] as const) {
      const text = args[part] ?? ''
      if (text === '') continue
      const compiled = compileRegexp(`^(?:${text})$`)
      if (compiled instanceof RegexpIssue) fail(compiled.message)
      this.parts.set(part, compiled)
    }
    this.labels = lazily(args.labelSelector ?? '')
    this.annotations = lazily(args.annotationSelector ?? '')
  }

  private matches(part: Part, text: string): boolean {
    const pattern = this.parts.get(part)
    return pattern === undefined || pattern.test(text)
  }

  matchesGvk(gvk: Gvk): boolean {
    return (
      this.matches('kind', gvk.kind) &&
      this.matches('group', gvk.group) &&
      this.matches('version', gvk.version)
    )
  }

  /** All parts hold for this one id, its namespace as it is written. */
  matchesId(id: ResId): boolean {
    return (
      this.matchesGvk(id) &&
      this.matches('name', id.name) &&
      this.matches('namespace', id.namespace)
    )
  }

  /** Nothing about the id is asked for. */
  get anyId(): boolean {
    return this.parts.size === 0
  }

  matchesMarks(resource: Resource): boolean {
    return this.labels(() => resource.labels()) && this.annotations(() => resource.annotations())
  }

  /** Selection by patches: name and namespace by the first or the present id. */
  selects(resource: Resource): boolean {
    const { id } = resource
    if (!this.matchesGvk(id)) return false
    const first = resource.originalId
    if (!this.matches('name', first.name) && !this.matches('name', id.name)) return false
    if (
      !this.matches('namespace', effectiveNamespace(first)) &&
      !this.matches('namespace', effectiveNamespace(id))
    ) {
      return false
    }
    return this.labels(() => resource.labels()) && this.annotations(() => resource.annotations())
  }
}

/** Parity: a selector that cannot be read fails only where there is an object to select. */
function lazily(text: string): LabelSelector {
  let selector: LabelSelector | undefined
  return (labels) => (selector ??= parseLabelSelector(text))(labels)
}

export function selectorText(args: SelectorArgs): string {
  const id: ResId = {
    group: args.group ?? '',
    version: args.version ?? '',
    kind: args.kind ?? '',
    name: args.name ?? '',
    namespace: args.namespace ?? '',
  }
  return `${idText(id)}:a=${args.annotationSelector ?? ''}:l=${args.labelSelector ?? ''}`
}
