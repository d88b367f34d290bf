import { RenderError } from '../../../errors/index.ts'
import { compareStrings } from '../../../json/index.ts'
import {
  executeTemplate,
  type OutputMark,
  ParseCache,
  Run,
  TemplateError,
  type TemplateLimits,
  TemplateSet,
  type TracedTemplate,
  Tracer,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import { dropNoValue, type HelmHost, helmFunctions } from '../functions/index.ts'
import { type Renderable, valuesType } from './context.ts'
import { budgetFailure, executionFailure, parseFailure, setName } from './errors.ts'

/** The output of one template file. */
export interface RenderedFile {
  readonly path: string
  readonly text: string
  /** Where parts of the text were made; offsets count in `text` as long as nothing was cut from it. */
  readonly marks: readonly OutputMark[]
  readonly template: Renderable
  /** Paths below the chart's context that were read, such as `Values.image.tag`. */
  readonly reads: ReadonlySet<string>
  /** What made which part of the output before anything was cut from it; only where that is wanted. */
  readonly trace: TracedTemplate | undefined
}

/** Parsed templates by content, shared by all renders of the process. */
const parsed = new ParseCache(helmFunctions)

/** Deeper files first, and in reverse byte order among equals: so parents override the helpers of their children. */
function inEngineOrder(templates: readonly Renderable[]): readonly Renderable[] {
  const depths = new Map(templates.map(({ path }) => [path, path.split('/').length]))
  return [...templates].sort(
    (a, b) => depths.get(b.path)! - depths.get(a.path)! || compareStrings(b.path, a.path),
  )
}

/**
 * Parses and runs all templates. Files whose name starts with `_` are parsed only.
 *
 * Throws RenderError (TEMPLATE_PARSE, TEMPLATE_EXEC, BUDGET_EXCEEDED) with Helm's texts.
 * Source: helm v4.2.1 pkg/engine/engine.go render
 */
export function runTemplates(
  templates: readonly Renderable[],
  host: HelmHost,
  limits: Partial<TemplateLimits>,
  isTraced: boolean = false,
): readonly RenderedFile[] {
  const set = new TemplateSet(setName, parsed)
  // of two charts of the same name the later one wins, as in Go's map
  const byPath = new Map(templates.map((template) => [template.path, template]))
  const ordered = inEngineOrder([...byPath.values()])
  for (const { path, text, instance } of ordered) {
    try {
      set.add(path, text)
    } catch (error) {
      throw failureOf(error, path, instance.name, parseFailure)
    }
  }
  const run = new Run(host, limits)
  const tracer = isTraced ? tracerOf(ordered) : undefined
  run.notes = tracer
  const out: RenderedFile[] = []
  for (const template of ordered) {
    const { path, context } = template
    if (path.slice(path.lastIndexOf('/') + 1).startsWith('_')) continue
    context.set('Template', templateValue(template))
    host.stream = host.chance.stream(path)
    run.reads = new Set()
    const root = valuesType(context)
    run.root = root
    run.depth = 0
    tracer?.name(root, [template.instance.fullPath])
    const marks: OutputMark[] = []
    try {
      const raw = executeTemplate(set, set.lookup(path)!, root, run, marks)
      run.charge(raw.length >> 1)
      const trace = tracer?.finished
      out.push({ path, text: dropNoValue(raw), marks, template, reads: run.reads, trace })
    } catch (error) {
      throw failureOf(error, path, template.instance.name, executionFailure)
    }
  }
  return out
}

/** A tracer that knows the values of all charts, under `CHART, Values, …` with the chart's path. */
function tracerOf(templates: readonly Renderable[]): Tracer {
  const tracer = new Tracer()
  const contexts = new Map(templates.map(({ context, instance }) => [context, instance.fullPath]))
  // the values of a subchart are a part of its parent's: its own come first and keep their name
  const deepFirst = [...contexts].sort(([, a], [, b]) => b.length - a.length)
  for (const [context, path] of deepFirst) {
    tracer.name(context, [path])
    tracer.learn(context.get('Values'), [path, 'Values'])
  }
  return tracer
}

function failureOf(
  error: unknown,
  path: string,
  chart: string,
  inWords: (error: TemplateError, chart: string) => RenderError,
): unknown {
  if (error instanceof TemplateError) return inWords(error, chart)
  const isBudget = error instanceof RenderError && error.code === 'BUDGET_EXCEEDED'
  return isBudget ? budgetFailure(error, path, chart) : error
}

function templateValue({ path, basePath }: Renderable): Value {
  return valuesType(
    new Map<string, Value>([
      ['Name', path],
      ['BasePath', basePath],
    ]),
  )
}
