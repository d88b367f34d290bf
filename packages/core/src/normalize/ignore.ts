import type { IgnoreDifference, Settings } from '../argo/index.ts'
import { compareStrings, type Json } from '../json/index.ts'
import { groupOf, type Manifest, nameOf, namespaceOf } from '../kube/index.ts'
import { matchGlob } from '../text/index.ts'
import { splitOverrideKey } from './known-types.ts'
import { removeByPointer } from './pointer.ts'

/** Where a rule is written. `index` counts the entries of `spec.ignoreDifferences` from 0. */
export type RuleSource =
  | { readonly from: 'application'; readonly index: number }
  | { readonly from: 'settings'; readonly override: string }

/** One pointer or path expression, as the user wrote it. */
export interface IgnoreRule {
  readonly source: RuleSource
  readonly type: 'jsonPointer' | 'jqPathExpression'
  readonly text: string
  readonly group: string
  readonly kind: string
  /** '' is any. */
  readonly name: string
  readonly namespace: string
}

/**
 * Runs `del(EXPRESSION)` on a document. The one output; undefined when there was none, there were several, the program
 * failed or used up its budget: the rule is then skipped for this document.
 */
export type JqDeletion = (document: Json) => Json | undefined

/** Compiles `del(EXPRESSION)`. Throws CompareError JQ_INVALID with gojq's words. */
export type JqCompiler = (program: string) => JqDeletion

interface CompiledRule extends IgnoreRule {
  readonly remove: (document: Json) => Json | undefined
}

export interface IgnoreRules {
  readonly rules: readonly CompiledRule[]
}

/**
 * The rules of an Application in their order, then those of the settings (Argo CD takes these in no order; here they
 * are sorted by key). Managed-fields managers are no part of it.
 *
 * Throws CompareError JQ_INVALID for the first path expression that cannot be compiled: nothing can be compared then.
 * Source: argo-cd v3.5.1 util/argo/normalizers/diff_normalizer.go
 */
export function compileIgnoreRules(
  ignoreDifferences: readonly IgnoreDifference[],
  overrides: Settings['overrides'],
  compileJq: JqCompiler,
): IgnoreRules {
  const rules: CompiledRule[] = []
  const add = (
    entry: Pick<IgnoreDifference, 'jsonPointers' | 'jqPathExpressions'>,
    scope: Omit<IgnoreRule, 'type' | 'text'>,
  ): void => {
    for (const text of entry.jsonPointers ?? []) {
      const remove = (document: Json): Json | undefined => removeByPointer(document, text)
      rules.push({ ...scope, type: 'jsonPointer', text, remove })
    }
    for (const text of entry.jqPathExpressions ?? []) {
      rules.push({ ...scope, type: 'jqPathExpression', text, remove: compileJq(`del(${text})`) })
    }
  }
  for (const [index, entry] of ignoreDifferences.entries()) {
    add(entry, {
      source: { from: 'application', index },
      group: entry.group ?? '',
      kind: entry.kind,
      name: entry.name ?? '',
      namespace: entry.namespace ?? '',
    })
  }
  for (const override of Object.keys(overrides).sort(compareStrings)) {
    const { ignoreDifferences: entry } = overrides[override]!
    if (entry === undefined) continue
    const groupKind = splitOverrideKey(override)
    add(entry, { source: { from: 'settings', override }, ...groupKind, name: '', namespace: '' })
  }
  return { rules }
}

/** The rules that concern an object, in the order in which they are applied. */
export function rulesFor(manifest: Manifest, { rules }: IgnoreRules): readonly CompiledRule[] {
  const group = groupOf(typeof manifest.apiVersion === 'string' ? manifest.apiVersion : '')
  return rules.filter(
    (rule) =>
      matchGlob(rule.group, group) &&
      matchGlob(rule.kind, manifest.kind) &&
      (rule.name === '' || rule.name === nameOf(manifest)) &&
      (rule.namespace === '' || rule.namespace === namespaceOf(manifest)),
  )
}

export interface Ignored {
  /** Undefined when a rule removed the document as a whole. */
  readonly manifest: Manifest | undefined
  /** The rules that removed something, each with the document after it. */
  readonly applied: readonly { readonly rule: IgnoreRule; readonly after: Json }[]
}

/** Applies the rules one after the other; a rule that fits nothing changes nothing. */
export function applyIgnoreRules(manifest: Manifest, rules: IgnoreRules): Ignored {
  let document: Json = manifest
  const applied: { rule: IgnoreRule; after: Json }[] = []
  for (const rule of rulesFor(manifest, rules)) {
    const after = rule.remove(document)
    if (after === undefined || after === document) continue
    document = after
    applied.push({ rule, after })
  }
  // Lists and scalars cannot be read back as an object: the rules are then as if they were not there.
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  if (document === null) return { manifest: undefined, applied }
  return isObject ? { manifest: document as Manifest, applied } : { manifest, applied: [] }
}
