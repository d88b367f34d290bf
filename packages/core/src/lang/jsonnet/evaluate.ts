import { isLitecdError, type LitecdError, RenderError } from '../../errors/index.ts'
import type { Json } from '../../json/index.ts'
import { JsonnetCache, textOf } from './cache.ts'
import { call } from './calls.ts'
import type { StaticFailure } from './failure.ts'
import { messageHint } from './hints.ts'
import type { ImportedFile, Importer } from './importer.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { budgetExceeded, enter, fail, machine, type World } from './machine.ts'
import { manifestJson, manifestText } from './manifest.ts'
import { fieldNames, indexObject } from './object.ts'
import { type JsonnetPlace, placesOf } from './places.ts'
import { loadProgram, type Program } from './program.ts'
import { type Caller, Phase } from './site.ts'
import { Source } from './source.ts'
import {
  ArrayValue,
  FunctionValue,
  ObjectValue,
  type Slot,
  Thunk,
  typeName,
  type Value,
} from './values.ts'

/** An external variable or a top-level argument: a string, or Jsonnet code that runs when it is asked for. */
export interface JsonnetVariable {
  readonly name: string
  readonly value: string
  readonly code?: boolean | undefined
}

export interface JsonnetOptions {
  /**
   * A file, found through the importer, or a text with a name for error messages; its imports are relative to `from`,
   * '' if not given.
   */
  readonly entry:
    | { readonly path: string }
    | { readonly name: string; readonly text: string; readonly from?: string | undefined }
  readonly importer: Importer
  readonly extVars?: readonly JsonnetVariable[] | undefined
  /** Given by name where the program is a function; otherwise ignored. */
  readonly tlas?: readonly JsonnetVariable[] | undefined
  /** Go beyond {@link defaultLimits} or below. */
  readonly limits?: Partial<Limits> | undefined
  /** Lines of a stack trace, 20 if not given; 0 shows all. */
  readonly maxTrace?: number | undefined
  readonly cache?: JsonnetCache | undefined
  /** Takes the lines of std.trace, without a line feed. */
  readonly trace?: ((line: string) => void) | undefined
}

/** A program that has been evaluated. Its value is lazy: every method may still fail. */
export interface JsonnetResult {
  /** Paths of the files imported so far, in the order of their first import. */
  readonly imports: readonly string[]
  /** The value as JSON. Numbers are doubles. */
  json(): Json
  /**
   * Where the program writes what is at a path of the value: the literal that counts, then those that it overrides.
   * Columns are counted in bytes. What a function has made is where the call is; empty where the path leads nowhere.
   */
  placesOf(path: readonly (string | number)[]): readonly JsonnetPlace[]
  /** The value as text over several lines, as `jsonnet` prints it, without the last line feed. */
  text(): string
  /** The value, which must be a string (`jsonnet -S`). */
  string(): string
  /** The fields of the value, which must be an object, as texts (`jsonnet -m`); `strings` as `jsonnet -S -m`. */
  files(strings?: boolean): ReadonlyMap<string, string>
  /** The elements of the value, which must be an array, as texts (`jsonnet -y`). */
  documents(): readonly string[]
}

/**
 * Evaluates a Jsonnet program.
 *
 * Throws RenderError: JSONNET_STATIC, JSONNET_RUNTIME or BUDGET_EXCEEDED. The message is the text that go-jsonnet 0.22
 * prints, stack trace included; `hint` says what to do where we know.
 */
export function evaluateJsonnet(options: JsonnetOptions): JsonnetResult {
  return new Evaluation(options).start()
}

const starting = new Phase('During evaluation')
const manifesting = new Phase('During manifestation')
const topLevel = new Phase('Top-level function call')

class Evaluation implements World {
  readonly maxTrace: number
  readonly trace: (line: string) => void
  private readonly options: JsonnetOptions
  private readonly limits: Limits
  private readonly cache: JsonnetCache
  private readonly imports = new Set<string>()
  private readonly files = new Map<string, ImportedFile>()
  private readonly values = new Map<string, Thunk>()
  private readonly extVars = new Map<string, Slot | StaticFailure>()
  private steps: number

  constructor(options: JsonnetOptions) {
    this.options = options
    this.limits = { ...defaultLimits, ...options.limits }
    this.steps = this.limits.steps
    this.cache = options.cache ?? new JsonnetCache()
    this.maxTrace = options.maxTrace ?? 20
    this.trace = options.trace ?? (() => {})
    for (const variable of options.extVars ?? []) {
      this.extVars.set(variable.name, this.variable(variable, 'extvar'))
    }
  }

  start(): JsonnetResult {
    const value = this.within(() => this.evaluate())
    const { imports } = this
    return {
      get imports() {
        return [...imports]
      },
      json: () => this.within(() => manifestJson(value, manifesting)),
      placesOf: (path) => this.within(() => placesOf(value, path)),
      text: () => this.within(() => manifestText(value, true, manifesting)),
      string: () => this.within(() => stringOf(value)),
      files: (strings = false) => this.within(() => filesOf(value, strings)),
      documents: () => this.within(() => documentsOf(value)),
    }
  }

  private evaluate(): Value {
    const program = this.entry()
    if ('failure' in program) throw staticError(program.failure)
    enter(starting)
    const value = program.code([])
    machine.depth--
    if (!(value instanceof FunctionValue)) return value
    const tlas = this.options.tlas ?? []
    const slots = tlas.map((variable) => {
      const slot = this.variable(variable, 'top-level-arg')
      return slot instanceof Thunk || !isFailure(slot) ? slot : failing(slot)
    })
    const names = tlas.map((variable) => variable.name)
    return call(value, [], { names, slots }, topLevel)
  }

  private entry(): Program {
    const { entry, importer } = this.options
    if (!('path' in entry)) return loadProgram(new Source(entry.name, entry.from ?? '', entry.text))
    const file = importer('', entry.path)
    if (typeof file === 'string') {
      throw new RenderError('JSONNET_STATIC', file, {
        position: { path: entry.path },
        hint: messageHint(file),
      })
    }
    return this.cache.program(file)
  }

  private variable(variable: JsonnetVariable, kind: string): Slot | StaticFailure {
    if (variable.code !== true) return variable.value.toWellFormed()
    const name = `<${kind}:${variable.name}>`
    const program = loadProgram(new Source(name, '', variable.value, name))
    return 'failure' in program ? program.failure : new Thunk(program.code, [])
  }

  extVar(name: string, caller: Caller): Value {
    const slot = this.extVars.get(name)
    if (slot === undefined) return fail(`Undefined external variable: ${name}`, caller)
    if (isFailure(slot)) throw staticError(slot)
    return slot instanceof Thunk ? slot.force(caller) : slot
  }

  private find(from: string, path: string, caller: Caller): ImportedFile {
    const key = from.slice(0, from.lastIndexOf('/') + 1) + '\0' + path
    let file = this.files.get(key)
    if (file === undefined) {
      const found = this.options.importer(from, path)
      if (typeof found === 'string') return fail(found, caller)
      file = found
      this.files.set(key, file)
      this.imports.add(file.path)
    }
    return file
  }

  importCode(from: string, path: string, caller: Caller): Value {
    const file = this.find(from, path, caller)
    let value = this.values.get(file.path)
    if (value === undefined) {
      const program = this.cache.program(file)
      if ('failure' in program) {
        return fail(program.failure.summary(), caller, program.failure.hint)
      }
      value = new Thunk(program.code, [])
      this.values.set(file.path, value)
    }
    return value.force(caller)
  }

  importText(from: string, path: string, caller: Caller): string {
    const text = textOf(this.find(from, path, caller).bytes)
    if (text.length > this.limits.stringLength) {
      budgetExceeded(`a string of more than ${this.limits.stringLength} characters`, caller)
    }
    return text
  }

  importBytes(from: string, path: string, caller: Caller): Uint8Array {
    const { bytes } = this.find(from, path, caller)
    if (bytes.length > this.limits.arrayLength) {
      budgetExceeded(`an array of more than ${this.limits.arrayLength} elements`, caller)
    }
    return bytes
  }

  /** Runs work on the machine with this evaluation's limits and leaves the machine as it was. */
  private within<T>(work: () => T): T {
    const { depth, callers, trimmable, steps, limits, world } = machine
    Object.assign(machine, {
      depth: 0,
      callers: [],
      trimmable: -1,
      steps: this.steps,
      limits: this.limits,
      world: this,
    })
    try {
      return work()
    } catch (error) {
      throw asLitecdError(error)
    } finally {
      this.steps = machine.steps
      Object.assign(machine, { depth, callers, trimmable, steps, limits, world })
    }
  }
}

function isFailure(slot: Slot | StaticFailure): slot is StaticFailure {
  return slot instanceof Error
}

/** A thunk that fails as a program that cannot be read does. */
function failing(failure: StaticFailure): Thunk {
  return new Thunk(() => {
    throw staticError(failure)
  }, [])
}

function staticError(failure: StaticFailure): RenderError {
  const { source, begin } = failure
  return new RenderError('JSONNET_STATIC', failure.text(), {
    position: { path: source.name, ...source.position(begin) },
    hint: failure.hint ?? messageHint(failure.message),
    data: { line: source.lines(begin, failure.end) },
  })
}

function asLitecdError(error: unknown): LitecdError {
  if (isLitecdError(error)) return error
  if (error instanceof RangeError) {
    const message = 'RUNTIME ERROR: max stack frames exceeded.\n'
    return new RenderError('BUDGET_EXCEEDED', message, {
      hint: messageHint('max stack frames exceeded.'),
      cause: error,
    })
  }
  throw error
}

function stringOf(value: Value): string {
  if (typeof value === 'string') return value
  return fail(`expected string result, got: ${typeName(value)}`, manifesting)
}

/** Go's names of what JSON is decoded to, which the error of multi mode shows. */
function goType(value: Value): string {
  if (value === null) return '<nil>'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'float64'
  return value instanceof ArrayValue ? '[]interface {}' : 'map[string]interface {}'
}

function filesOf(value: Value, strings: boolean): ReadonlyMap<string, string> {
  if (!(value instanceof ObjectValue)) {
    manifestText(value, true, manifesting)
    return fail(
      `multi mode: top-level object was a ${typeName(value)}, should be an object whose keys are filenames and values hold the JSON for that file.`,
      manifesting,
    )
  }
  // everything is evaluated before anything is checked
  manifestText(value, false, manifesting)
  const files = new Map<string, string>()
  for (const name of fieldNames(value, false, manifesting)) {
    const field = indexObject(value, name, name)
    if (!strings) files.set(name, manifestText(field, true, name))
    else if (typeof field === 'string') files.set(name, field)
    else {
      fail(
        `multi mode: top-level object's key ${name} has a value of type ${goType(field)}, should be a string`,
        manifesting,
      )
    }
  }
  return files
}

function documentsOf(value: Value): readonly string[] {
  if (!(value instanceof ArrayValue)) {
    manifestText(value, true, manifesting)
    return fail(
      `stream mode: top-level object was a ${typeName(value)}, should be an array whose elements hold the JSON for each document in the stream.`,
      manifesting,
    )
  }
  manifestText(value, false, manifesting)
  return value.items.map((_, i) => manifestText(value.at(i, i), true, i))
}
