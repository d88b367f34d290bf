import type { TemplateLimits } from '../../lang/gotemplate/index.ts'
import type { RenderDebug } from './debug.ts'
import type { HelmVersion } from './engine/index.ts'
import type { Chance, Lookup } from './functions/index.ts'
import type { UserValues } from './values/index.ts'

/** What `helm template` is told beside the chart. */
export interface RenderOptions extends UserValues {
  readonly releaseName: string
  /** `default` when absent. */
  readonly namespace?: string | undefined
  /** As `--kube-version`; v1.36.0 when absent. */
  readonly kubeVersion?: string | undefined
  /** Added to the known API versions. */
  readonly apiVersions?: readonly string[] | undefined
  readonly includeCrds?: boolean | undefined
  readonly skipTests?: boolean | undefined
  readonly noHooks?: boolean | undefined
  readonly isUpgrade?: boolean | undefined
  readonly skipSchemaValidation?: boolean | undefined
  /** Randomness and time; when absent everything follows from the release, the chart and the values. */
  readonly chance?: Chance | undefined
  /** Live objects for `lookup`, which is empty when absent. */
  readonly lookup?: Lookup | undefined
  readonly limits?: Partial<TemplateLimits> | undefined
  /** Whether {@link ChartRender.causes} can answer. Costs time and memory; off when absent. */
  readonly traceFields?: boolean | undefined
  /** Told every warning as it comes up: a render that fails has no other way to give them. */
  readonly warn?: ((warning: RenderWarning) => void) | undefined
  readonly debug?: RenderDebug | undefined
  readonly helmVersion?: HelmVersion | undefined
}

/** A document of the output and where it came from. */
export interface RenderedDocument {
  /** Path of the template or CRD file, as in `# Source:`. */
  readonly path: string
  /** Line of the template that made the first character, from 1. */
  readonly line: number
  readonly text: string
  readonly kind: string
  readonly apiVersion: string
  readonly name: string
  readonly isCrd: boolean
  /** Hook names when it is a hook. */
  readonly hooks: readonly string[] | undefined
  /** The chart or subchart that the template belongs to, by its name in the parent. */
  readonly chart: string
}

/** One value that a template read, and who set it: value files, `--set` and the like, `values.yaml` of a chart. */
export interface ReadValue {
  /** Below the template's `.Values`. */
  readonly path: string
  /** In the order in which they were applied; the last one won. */
  readonly from: readonly string[]
}

/** A field of a document: its path, and the place of its key or item in the text of the document. */
export interface FieldPlace {
  readonly path: readonly (string | number)[]
  /** Line and column in the document's text, from 1. */
  readonly line: number
  readonly column: number
  /** How many lines the value takes; 1 but for texts of several lines. */
  readonly lines: number
}

/** A line of a template that took part in a field, and what it read. */
export interface TemplateCause {
  /** Path of the template, as in `# Source:`. */
  readonly path: string
  /** From 1. */
  readonly line: number
  /** The named template that the line is in; undefined in the file itself. */
  readonly define: string | undefined
  readonly reads: readonly FieldRead[]
  /** What the nearest `if` around the line looked at, where it is not on the line itself. */
  readonly conditions: readonly FieldRead[]
  /** Named templates that were run for the field. */
  readonly calls: readonly string[]
}

/** Something that a line of a template looked at. */
export interface FieldRead {
  /** Path of the chart whose context it was: `web`, `web/charts/db`. */
  readonly chart: string
  /** Names and list positions below the context: `Values`, `image`, `tag`. */
  readonly path: readonly string[]
  /** For values: where the path is in the root's values, without `Values`. */
  readonly rootPath: readonly string[]
  /** For values: who set it, as in {@link ReadValue}. */
  readonly from: readonly string[]
}

/** What Helm logs while it renders. */
export interface RenderWarning {
  readonly level: 'INFO' | 'WARN'
  readonly message: string
  readonly facts?: { readonly [key: string]: string } | undefined
}

export interface ChartRender {
  /** Exactly what `helm template` prints. Bytes that are no UTF-8 are lone surrogates, see text/go-string. */
  readonly text: string
  /** CRDs, manifests and hooks in the order of the text. */
  readonly documents: readonly RenderedDocument[]
  readonly warnings: readonly RenderWarning[]
  /** What the template file of a document read of its values, sorted by path. */
  reads(document: RenderedDocument): readonly ReadValue[]
  /**
   * What made a field of a document: the line of the template, from inner named templates to the file itself, and what
   * each of them read for it. Empty for CRDs and where {@link RenderOptions.traceFields} was not asked for.
   *
   * A line counts as one of a named template when that gave the same line. What a template reads off copies of values
   * (of `merge`, `fromYaml`, `deepCopy`) is told at the copy only.
   */
  causes(document: RenderedDocument, place: FieldPlace): readonly TemplateCause[]
}
