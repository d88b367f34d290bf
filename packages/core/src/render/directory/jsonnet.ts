import { isLitecdError, RenderError } from '../../errors/index.ts'
import { cleanPath } from '../../files/index.ts'
import { isObject, type Json } from '../../json/index.ts'
import type { Manifest } from '../../kube/index.ts'
import {
  evaluateJsonnet,
  type Importer,
  JsonnetCache,
  type JsonnetResult,
  type JsonnetVariable,
  notFound,
  treeImporter,
} from '../../lang/jsonnet/index.ts'
import { type BuildEnvironment, buildEnvironment, expandEnvironment } from '../environment.ts'
import type { FieldCause, FieldTrace, RenderedManifest, RenderInput } from '../types.ts'
import type { ManifestFile } from './select.ts'

/** How Argo CD shows paths in messages of its renderer. */
const shownRoot = '<path to cached source>/'
const preconditionFailed = { grpc: 'FailedPrecondition' } as const

/** Evaluates the Jsonnet files of one directory source; variables are expanded anew for each file. */
export class JsonnetFiles {
  private readonly input: RenderInput
  private readonly importer: Importer
  private readonly cache = new JsonnetCache()
  private extVars: readonly JsonnetVariable[]
  private tlas: readonly JsonnetVariable[]

  /** Throws RenderError for a library folder outside of the repository. */
  constructor(input: RenderInput) {
    this.input = input
    const options = input.source.directory?.jsonnet ?? {}
    this.extVars = options.extVars ?? []
    this.tlas = options.tlas ?? []
    this.importer = shownImporter(input, libraryFolders(input, options.libs ?? []))
  }

  /**
   * The manifests of one file: a list of objects, or one object.
   *
   * Parity: variables are expanded once more for every file, so `$$X` is `$X` in the first and its value in the second.
   * Source: argo-cd v3.5.1 reposerver/repository/repository.go makeJsonnetVm
   */
  read(file: ManifestFile): readonly RenderedManifest[] {
    const { input } = this
    const environment = buildEnvironment(input.source, input.revision, input.context)
    this.extVars = expand(this.extVars, environment)
    this.tlas = expand(this.tlas, environment)
    const { value, result } = this.evaluate(file)
    const isList = Array.isArray(value)
    const items = isList ? (value as readonly Json[]) : [value]
    const imports = this.imports.filter((path) => path !== file.path)
    return items.flatMap((item, index): readonly RenderedManifest[] => {
      if (item === null) return []
      return [
        {
          manifest: checked(item, file),
          origin: { path: file.path, line: 1, ...(imports.length > 0 ? { inputs: imports } : {}) },
          ...(input.context.traceFields === true
            ? { trace: programTrace(result, isList ? [index] : []) }
            : {}),
        },
      ]
    })
  }

  private imports: readonly string[] = []

  private evaluate(file: ManifestFile): { readonly value: Json; readonly result: JsonnetResult } {
    try {
      const result = evaluateJsonnet({
        entry: { path: shownRoot + file.path },
        importer: this.importer,
        extVars: this.extVars,
        tlas: this.tlas,
        cache: this.cache,
      })
      const value = result.json()
      this.imports = result.imports.map((path) => path.slice(shownRoot.length))
      return { value, result }
    } catch (error) {
      if (!isLitecdError(error)) throw error
      const { position } = error
      throw new RenderError(
        error.code,
        `Failed to evaluate jsonnet "${file.name}": ${error.message}`,
        {
          position:
            position === undefined
              ? { path: file.path }
              : { ...position, path: position.path.replace(shownRoot, '') },
          hint: error.hint ?? 'Evaluate the file with `litecd jsonnet` and the same variables.',
          data: preconditionFailed,
          cause: error,
        },
      )
    }
  }
}

/** Where a program writes the fields of one of its objects. */
function programTrace(result: JsonnetResult, start: readonly number[]): FieldTrace {
  return {
    causesOf(path) {
      const places = result.placesOf([...start, ...path])
      return places.map(
        (place, index): FieldCause => ({
          kind: 'jsonnet',
          text: index === 0 ? 'as written' : 'overridden',
          position: { ...place, path: place.path.replace(shownRoot, '') },
        }),
      )
    },
  }
}

function expand(
  variables: readonly JsonnetVariable[],
  environment: BuildEnvironment,
): readonly JsonnetVariable[] {
  return variables.map((variable) => ({
    ...variable,
    value: expandEnvironment(variable.value, environment),
  }))
}

/** Library folders from the repository's root; the folder of the Application comes after them. */
function libraryFolders(input: RenderInput, libs: readonly string[]): readonly string[] {
  const folders = libs.map((lib) => {
    const clean = cleanPath(lib.replace(/^\/+/, ''))
    if (clean === '..' || clean.startsWith('../')) {
      throw new RenderError('SOURCE_UNSAFE', `file '${lib}' resolved to outside repository root`, {
        hint: 'Name a folder inside the repository, relative to its root.',
      })
    }
    return clean
  })
  return [input.path, ...folders]
}

/** An importer whose paths look as Argo CD shows them, since they end up in messages. */
function shownImporter(input: RenderInput, folders: readonly string[]): Importer {
  const inner = treeImporter(input.tree, folders)
  return (from, path) => {
    const plain = path.startsWith(shownRoot) ? path.slice(shownRoot.length) : path
    const found = inner(from.startsWith(shownRoot) ? from.slice(shownRoot.length) : '', plain)
    // Parity: a path out of the repository is not found, like any other
    return typeof found === 'string' ? notFound(path) : { ...found, path: shownRoot + found.path }
  }
}

function checked(item: Json, file: ManifestFile): Manifest {
  const fail = (why: string): never => {
    throw new RenderError(
      'MANIFEST_INVALID',
      `Failed to unmarshal generated json "${file.name}": ${why}`,
      {
        position: { path: file.path },
        hint: 'The file must give one Kubernetes object, or a list of them.',
        data: preconditionFailed,
      },
    )
  }
  if (!isObject(item)) {
    const kind = Array.isArray(item) ? 'array' : typeof item === 'boolean' ? 'bool' : typeof item
    return fail(`json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`)
  }
  if (typeof item['kind'] !== 'string' || item['kind'] === '') {
    return fail(`Object 'Kind' is missing in '${JSON.stringify(item)}'`)
  }
  return item as Manifest
}
