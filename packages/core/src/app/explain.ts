import { type Application, annotationTrackingId, type Settings } from '../argo/index.ts'
import {
  compileDiffRules,
  type DiffRules,
  type FieldChange,
  formatPath,
  formatSource,
  ignoredDifferences,
  type PathStep,
  positionsOf,
} from '../diff/index.ts'
import { isLitecdError } from '../errors/index.ts'
import { type Manifest, namespaceOf } from '../kube/index.ts'
import { jqDeletionWithin, type Target } from '../normalize/index.ts'
import type { FieldCause, RenderedManifest } from '../render/index.ts'

const jqSteps = 50_000

/** A target that still knows how it was rendered. */
export type RenderedTarget = Target<RenderedManifest>

/** Why a field changes, and whether the change counts. */
export interface ChangeExplanation {
  /** What made the value: at the head, or at the base where the head has none. Nearest first; empty where unknown. */
  readonly causes: readonly FieldCause[]
  /** Where the rule is written by which Argo CD counts no difference here; undefined when it counts. */
  readonly ignoredBy?: string
}

/** What made a field of a target: the renderer's causes, or what happened to the manifest after rendering. */
export function causesOf(
  target: RenderedTarget,
  path: readonly PathStep[],
  settings: Settings,
): readonly FieldCause[] {
  const { trace, manifest } = target.origin
  const [first, second, third] = path
  if (first === 'metadata' && second === 'namespace' && namespaceOf(manifest) === '') {
    return [{ kind: 'parameter', text: 'spec.destination.namespace' }]
  }
  if (first === 'metadata' && second === 'annotations' && third === annotationTrackingId) {
    return [{ kind: 'transformer', text: 'tracking' }]
  }
  if (first === 'metadata' && second === 'labels' && third === settings.tracking.labelKey) {
    return [{ kind: 'transformer', text: 'tracking' }]
  }
  if (trace === undefined) return []
  const positions = positionsOf(target.manifest, path)
  return positions === undefined ? [] : trace.causesOf(positions)
}

/** Explains the changes of one object. `rules` is undefined when the Application's rules cannot be read. */
export function explainChanges(
  changes: readonly FieldChange[],
  before: RenderedTarget,
  after: RenderedTarget,
  rules: DiffRules | undefined,
  settings: Settings,
): readonly ChangeExplanation[] {
  const ignored = rules === undefined ? [] : ignoredPaths(before.manifest, after.manifest, rules)
  return changes.map(({ path, change }) => {
    const causes = causesOf(change === 'remove' ? before : after, path, settings)
    const text = formatPath(path)
    const rule = ignored.find(({ at }) => isAt(text, at))
    return rule === undefined ? { causes } : { causes, ignoredBy: rule.written }
  })
}

/** Explanations are made for so many objects of a preview; what is beyond nobody reads one by one. */
export const maxExplained = 300

/**
 * The rules of an Application; undefined when they are wrong, which the cluster tells in a condition. Their jq gets few
 * steps: an expression that needs more ignores nothing here.
 */
export function rulesOf(app: Application, settings: Settings): DiffRules | undefined {
  try {
    return compileDiffRules(app, settings, { compileJq: jqDeletionWithin(jqSteps) })
  } catch (error) {
    if (isLitecdError(error)) return undefined
    throw error
  }
}

function ignoredPaths(
  before: Manifest,
  after: Manifest,
  rules: DiffRules,
): readonly { readonly at: string; readonly written: string }[] {
  // looked at from both ends: a rule may take what only one of them has
  const found = [
    ...ignoredDifferences({ target: after, live: before }, rules),
    ...ignoredDifferences({ target: before, live: after }, rules),
  ]
  return found.flatMap(({ because, paths }) =>
    because.type === 'rule'
      ? paths.map((at) => ({ at, written: formatSource(because.rule.source) }))
      : [],
  )
}

/** Whether one path of text is another or below it. */
function isAt(path: string, above: string): boolean {
  return path.startsWith(above) && (path === above || '.['.includes(path.charAt(above.length)))
}
