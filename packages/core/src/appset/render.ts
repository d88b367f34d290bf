import { isLitecdError, SpecError } from '../errors/index.ts'
import { defineKey, isObject, type Json, type JsonObject } from '../json/index.ts'
import { executeTemplate, ParseCache, Run, TemplateSet } from '../lang/gotemplate/index.ts'
import { type Chance, mapOfJson, seededChance } from '../render/helm/functions/index.ts'
import { quoteGo } from '../text/index.ts'
import { appsetError, messageOf, within } from './fail.ts'
import { appsetFunctions } from './functions.ts'
import type { Params } from './params.ts'
import { withPluginInput } from './plugin-input.ts'

export interface RendererOptions {
  readonly goTemplate: boolean
  readonly goTemplateOptions: readonly string[]
  /** What all texts together may take: steps of Go templates, characters of what comes out. */
  readonly totals?: { readonly steps: number; readonly size: number }
}

const valuePrefix =
  'failed to replace templated string: failed to replace templated string with rendered values: '
const templateName = 'base' // argo-cd v3.5.1 applicationset/utils/utils.go
const parsed = new ParseCache(appsetFunctions, 4 * 1024 * 1024)
// one text may hold a whole values file; no more than that is meant
const limits = { steps: 5_000_000, depth: 1_000, size: 16 * 1024 * 1024 }
/** Of all texts of a set together: twenty seconds or so, and what a process can hold. */
const defaultTotals = { steps: 200_000_000, size: 256 * 1024 * 1024 }
const missingKeys: { readonly [option: string]: Run['missingKey'] } = {
  'missingkey=default': 'default',
  'missingkey=invalid': 'default',
  'missingkey=zero': 'zero',
  'missingkey=error': 'error',
}

/** Replaces parameters in texts, in one of the two template languages of ApplicationSets. */
export class Renderer {
  readonly goTemplate: boolean
  private readonly missingKey: Run['missingKey']
  private readonly chance: Chance
  private readonly totals: { readonly steps: number; readonly size: number }
  private steps = 0
  private size = 0

  /** Throws APPSET_FAILED for an option that text/template does not know. */
  constructor(options: RendererOptions, seed: string) {
    const { goTemplate, goTemplateOptions, totals = defaultTotals } = options
    this.goTemplate = goTemplate
    this.totals = totals
    this.chance = seededChance(seed)
    let missingKey: Run['missingKey'] = 'default'
    for (const option of goTemplate ? goTemplateOptions : []) {
      const known = missingKeys[option]
      if (known === undefined) throw appsetError(`unrecognized option: ${option}`)
      missingKey = known
    }
    this.missingKey = missingKey
  }

  /** Throws APPSET_FAILED in Argo CD's words; BUDGET_EXCEEDED. */
  text(text: string, params: Params, missingKey: Run['missingKey'] = this.missingKey): string {
    if (!text.includes('{{')) return text
    const out = this.goTemplate
      ? this.execute(text, params, missingKey)
      : fasttemplate(text, params, this.totals.size - this.size)
    this.size += out.length
    if (this.size > this.totals.size) throw tooMuch(`${this.totals.size} characters`)
    return out
  }

  /** Every string in a value, map keys among them. */
  deep(value: Json, params: Params): Json {
    if (typeof value === 'string') return this.text(value, params)
    if (Array.isArray(value)) return value.map((item) => this.deep(item, params))
    if (!isObject(value)) return value
    const out: { [key: string]: Json } = {}
    for (const key of Object.keys(value)) {
      defineKey(out, this.text(key, params), this.deep(value[key]!, params))
    }
    return out
  }

  /** The parameters with those of `values` among them, each rendered with the parameters alone. */
  withValues(params: Params, values: Json | undefined): Params {
    if (!isObject(values)) return params
    const rendered: { [key: string]: Json } = {}
    for (const [key, value] of Object.entries(values)) {
      rendered[key] =
        typeof value === 'string' ? within(valuePrefix, () => this.text(value, params)) : value
    }
    if (this.goTemplate) return { ...params, values: rendered }
    return { ...params, ...prefixed('values', rendered) }
  }

  private execute(text: string, params: Params, missingKey: Run['missingKey']): string {
    const set = new TemplateSet(templateName, parsed)
    let template: ReturnType<TemplateSet['add']>
    try {
      template = set.add(templateName, text)
    } catch (error) {
      throw failed(`failed to parse template ${text}`, error)
    }
    const run = new Run(
      { chance: this.chance, stream: this.chance.stream(text), lookup: undefined },
      limits,
    )
    run.missingKey = missingKey
    let out: string
    try {
      out = executeTemplate(set, template, withPluginInput(params, mapOfJson(params)), run)
    } catch (error) {
      this.charge(run.steps)
      throw failed(`failed to execute go template ${text}`, error)
    }
    this.charge(run.steps)
    return out
  }

  private charge(steps: number): void {
    this.steps += steps
    if (this.steps > this.totals.steps) throw tooMuch(`${this.totals.steps} steps`)
  }
}

function tooMuch(what: string): SpecError {
  return new SpecError('BUDGET_EXCEEDED', `the templates of the set come to more than ${what}`)
}

function failed(what: string, error: unknown): unknown {
  if (!isLitecdError(error) || error.code === 'BUDGET_EXCEEDED' || error.code === 'INTERNAL') {
    return error
  }
  return appsetError(`${what}: ${messageOf(error)}`, error)
}

export function prefixed(prefix: string, values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]),
  )
}

/**
 * `{{name}}` by the string of that name. Unknown names and what is no string stay as they are written, and what is put
 * in is not looked at again.
 *
 * Source: github.com/valyala/fasttemplate v1.2.2, argo-cd v3.5.1 applicationset/utils/utils.go Replace
 */
export function fasttemplate(
  text: string,
  params: Params,
  maxSize: number = defaultTotals.size,
): string {
  if (!/\{\{.*\}\}/.test(text)) return text
  let out = ''
  let rest = text
  for (;;) {
    const start = rest.indexOf('{{')
    if (start === -1) return out + rest
    out += rest.slice(0, start)
    rest = rest.slice(start + 2)
    const end = rest.indexOf('}}')
    if (end === -1) {
      throw appsetError(
        `invalid template: Cannot find end tag=${quoteGo('}}')} in the template=${quoteGo(text)} starting from ${quoteGo(rest)}`,
      )
    }
    const tag = rest.slice(0, end)
    const name = tag.trim()
    const value = name !== '' && Object.hasOwn(params, name) ? params[name] : undefined
    out += typeof value === 'string' ? value : `{{${tag}}}`
    if (out.length > maxSize) throw tooMuch(`${maxSize} characters`)
    rest = rest.slice(end + 2)
  }
}
