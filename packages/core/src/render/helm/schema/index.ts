// values.schema.json: compiling, checking against the metaschema, validating, failures as Helm words them.
import { RenderError } from '../../../errors/index.ts'
import { isObject, type Json, parseJson } from '../../../json/index.ts'
import { SchemaCompiler } from './compile.ts'
import { failureLines, rootCauses, SchemaIssue } from './errors.ts'
import { metaschemaUrls } from './metaschemas.ts'
import type { Draft, Schema, SchemaSource } from './schema.ts'
import { type Meter, validate } from './validate.ts'

const address = 'file:///values.schema.json'
const maxSteps = 2_000_000
const maxDepth = 500

/** Charges steps and stops when there are too many. */
function meter(): Meter {
  let steps = 0
  return {
    charge: (count) => {
      steps += count
      if (steps > maxSteps) {
        throw new RenderError(
          'BUDGET_EXCEEDED',
          `schema validation takes more than ${maxSteps} steps`,
        )
      }
    },
  }
}

const metaschemas = new Map<Draft, Schema>()

function metaschemaOf(draft: Draft): Schema {
  let schema = metaschemas.get(draft)
  if (schema === undefined) {
    schema = new SchemaCompiler(new Map(), () => undefined).compile(metaschemaUrls[draft])
    metaschemas.set(draft, schema)
  }
  return schema
}

function checkDocument(url: string, source: Json, draft: Draft): void {
  const failed = validate(metaschemaOf(draft), source, meter())
  if (failed === undefined) return
  const head = `jsonschema validation failed with '${metaschemaUrls[draft]}#'`
  const lines = rootCauses(failed).flatMap((cause) => failureLines(cause))
  throw new SchemaIssue(
    `${JSON.stringify(url)} is not valid against metaschema: ${[head, ...lines].join('\n')}`,
  )
}

const compiled = new Map<string, Schema | SchemaIssue>()
const maxCompiled = 100

function compile(text: string): Schema | SchemaIssue {
  let known = compiled.get(text)
  if (known === undefined) {
    known = attempt(text)
    if (compiled.size >= maxCompiled) compiled.clear()
    compiled.set(text, known)
  }
  return known
}

function attempt(text: string): Schema | SchemaIssue {
  try {
    const source = parseJson(text, ({ message }) => {
      if (text.trim() === '') throw new SchemaIssue('EOF')
      const isAfter = message.endsWith(' after top-level value')
      if (isAfter) throw new SchemaIssue('invalid character after top-level value')
      throw new SchemaIssue(message === 'unexpected end of JSON input' ? 'unexpected EOF' : message)
    })
    checkDepth(source)
    if (typeof source !== 'boolean' && !isObject(source)) {
      // not a schema at all; the metaschema of the latest draft says so
      checkDocument(`${address}#`, source, 2020)
    }
    const sources = new Map([[address, source as SchemaSource]])
    return new SchemaCompiler(sources, checkDocument).compile(address)
  } catch (error) {
    if (error instanceof SchemaIssue) return error
    throw error
  }
}

/** Refuses schemas that are deeper than any is, without descending into them on the stack of the host. */
function checkDepth(source: Json): void {
  let level: readonly Json[] = [source]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) {
      throw new RenderError('BUDGET_EXCEEDED', `a schema is deeper than ${maxDepth} levels`)
    }
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as Json[]) : [],
    )
  }
}

/**
 * What Helm says about values that do not fit a schema, or about a schema that cannot be used; undefined when all is
 * well. Ends with a line break when it is about values.
 *
 * Throws BUDGET_EXCEEDED. Source: helm v4.2.1 pkg/chart/common/util/jsonschema.go
 */
export function schemaIssue(schemaText: string, values: Json): string | undefined {
  const schema = compile(schemaText)
  if (schema instanceof SchemaIssue) return schema.message
  const failed = validate(schema, values, meter())
  if (failed === undefined) return undefined
  return `${rootCauses(failed)
    .flatMap((cause) => failureLines(cause))
    .join('\n')}\n`
}
