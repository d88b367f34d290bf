import { RenderError } from '../../errors/index.ts'
import { isObject } from '../../json/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import type { NodeBudget } from './anchors.ts'
import { madeFrom } from './facts/index.ts'
import { fail, MissingRemote } from './fail.ts'
import type { HelmHost } from './helm-host.ts'
import type { Loader } from './loader.ts'
import { builtInSchemas, openApiSchemas, type Schemas } from './schema.ts'
import { BuildTrace } from './trace/index.ts'

export interface BuildLimits {
  /** Levels below each other. */
  readonly depth: number
  /** Kustomization files in one build. */
  readonly levels: number
  /** Nodes of all objects that are read, each of about 200 bytes. */
  readonly nodes: number
  /** Bytes that all generators put into objects. */
  readonly generatedBytes: number
}

export const defaultLimits: BuildLimits = {
  depth: 100,
  levels: 10_000,
  nodes: 4_000_000,
  generatedBytes: 64 * 1024 * 1024,
}

export interface SessionOptions {
  readonly limits?: BuildLimits | undefined
  readonly traceFields?: boolean | undefined
  /** Told every warning as it comes up. */
  readonly warn?: ((line: string) => void) | undefined
  /** Told what kustomize logs, without the time before it. */
  readonly log?: ((line: string) => void) | undefined
}

/** What all levels of one build share. */
export class BuildSession {
  schemas: Schemas = builtInSchemas
  readonly warnings: string[] = []
  readonly helm: HelmHost
  /** Undefined unless the build is traced. */
  readonly trace: BuildTrace | undefined
  private openApiIsSet = false
  /** What may still be read. */
  readonly nodes: NodeBudget
  private generated = 0
  private depth = 0
  private levels = 0
  private readonly limits: BuildLimits
  private readonly options: SessionOptions

  constructor(helm: HelmHost, options: SessionOptions = {}) {
    this.helm = helm
    this.options = options
    this.limits = options.limits ?? defaultLimits
    this.nodes = { left: this.limits.nodes }
    this.trace = options.traceFields === true ? new BuildTrace() : undefined
  }

  warn(lines: readonly string[]): void {
    this.warnings.push(...lines)
    for (const line of lines) this.options.warn?.(line)
  }

  log(line: string): void {
    this.options.log?.(line)
  }

  isMissing(error: unknown): boolean {
    return error instanceof MissingRemote
  }

  /** Counts what a generator puts into an object. */
  spend(bytes: number): void {
    this.generated += bytes
    const { generatedBytes } = this.limits
    if (this.generated > generatedBytes) {
      throw new RenderError(
        'BUDGET_EXCEEDED',
        `the generators of a build may put ${generatedBytes} bytes into objects`,
      )
    }
  }

  enter(): void {
    this.levels++
    if (++this.depth > this.limits.depth || this.levels > this.limits.levels) {
      throw new RenderError(
        'BUDGET_EXCEEDED',
        `a build may have ${this.limits.levels} kustomizations, ${this.limits.depth} below each other`,
      )
    }
  }

  leave(): void {
    this.depth--
  }

  /** Parity: the first level that says something about schemas speaks for the whole build. */
  useOpenApi(
    field: { readonly [key: string]: string } | undefined,
    loader: Loader,
    reset: boolean,
  ): void {
    const path = field?.['path']
    const text = path === undefined ? undefined : loader.text(path)
    if (this.openApiIsSet && !reset) return
    const version = field?.['version']
    if (version !== undefined && text !== undefined) {
      fail('builtin version and custom schema provided, cannot use both')
    }
    if (text !== undefined) {
      const document = parseYaml(text, { path: loader.pathOf(path!) })
      this.schemas = openApiSchemas(isObject(document) ? document : {})
      this.openApiIsSet = true
      return
    }
    if (version === undefined || version === '') return
    if (version !== madeFrom.get('kubernetes'))
      fail('the specified OpenAPI version is not built in')
    this.openApiIsSet = true
  }
}
