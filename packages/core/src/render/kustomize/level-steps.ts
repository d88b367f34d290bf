import type { Position } from '../../errors/index.ts'
import { deepEqual, type Json } from '../../json/index.ts'
import { locator, parseYaml } from '../../yaml/index.ts'
import type { Kustomization, PatchArgs } from './kustomization.ts'
import type { LevelFile } from './level-file.ts'
import type { Loader } from './loader.ts'
import { readResources } from './read.ts'
import type { Resource } from './resource.ts'
import {
  documentStep,
  mergeStep,
  operationsStep,
  type PatchDocument,
  type Step,
  stepAt,
} from './trace/index.ts'

type Field = keyof Kustomization

/** What a level does to objects, as the trace tells it: by the fields of its file. */
export class LevelSteps {
  private readonly file: LevelFile
  private readonly placeOf: ReturnType<typeof locator>
  private readonly loader: Loader

  constructor(file: LevelFile, loader: Loader) {
    this.file = file
    this.placeOf = locator(file.text)
    this.loader = loader
  }

  /** A field of the file, or an entry of one; what the Application adds in memory is its parameter. */
  field(kind: 'transformer' | 'generator' | 'patch', field: Field, index?: number): Step {
    const written = this.writtenPath(field, index)
    if (written === undefined) return stepAt('parameter', `kustomize.${field}`)
    return stepAt(kind, nameOf(field, index), this.place(written))
  }

  private place(path: readonly (string | number)[]): Position {
    const found = this.placeOf(path)
    return { path: this.file.path, ...(found ?? {}) }
  }

  /** The path in the file as it is written; undefined for what only the Application says. */
  private writtenPath(field: Field, index?: number): readonly (string | number)[] | undefined {
    const { kustomization, written } = this.file
    if (written === undefined) return index === undefined ? [field] : [field, index]
    const [now, before] = [kustomization[field] as Json, written[field] as Json | undefined]
    if (before === undefined) return undefined
    if (index === undefined) return deepEqual(now, before) ? [field] : undefined
    const entry = (now as readonly Json[])[index]!
    const at = (before as readonly Json[]).findIndex((other) => deepEqual(other, entry))
    return at === -1 ? undefined : [field, at]
  }

  /** Objects of a file, as it writes them. */
  document(resource: Resource, text: string): Step {
    return documentStep(text, resource.file, resource.line)
  }

  /** Data comes from the files that a generator reads, all else from the generator. */
  generated(field: 'configMapGenerator' | 'secretGenerator', index: number, made: Resource): Step {
    const own = this.field('generator', field, index)
    const files = made.dataFiles
    return {
      causeOf: (path, object) => {
        const [map, key] = path
        const file =
          (map === 'data' || map === 'binaryData') && typeof key === 'string'
            ? files?.get(key)
            : undefined
        const cause = own.causeOf(path, object)
        return file === undefined ? cause : { ...cause, position: { path: file } }
      },
    }
  }

  /** The template of a chart. */
  template(made: Resource): Step {
    const { file: path, line } = made
    return stepAt('template', 'template', { path, ...(line === undefined ? {} : { line }) })
  }

  /** A generator or transformer that an object configures. */
  plugin(kind: 'transformer' | 'generator', plugin: Resource): Step {
    const { file: path, line } = plugin
    const name = plugin.name === '' ? plugin.kind : `${plugin.kind} ${plugin.name}`
    return stepAt(kind, name, { path, ...(line === undefined ? {} : { line }) })
  }

  /** An entry of `patches`, `patchesJson6902` or `patchesStrategicMerge`. */
  patch(field: 'patches' | 'patchesJson6902' | 'patchesStrategicMerge', index: number): Step {
    const whole = this.field('patch', field, index)
    const { text, position } = whole.causeOf([], null)
    const entry = (this.file.kustomization[field] as readonly (PatchArgs | string)[])[index]!
    const source = typeof entry === 'string' ? this.merged(entry) : this.sourceOf(entry)
    if (source === undefined) return whole
    const { text: content, file } = source
    if (field !== 'patchesJson6902') {
      const documents = this.documents(content, file)
      if (documents.length > 0) return mergeStep(text, () => documents, position)
    }
    const operations = (): Json => parseYaml(content, { path: file })
    return operationsStep(text, () => ({ text: content, file, operations: operations() }), position)
  }

  /** Patches in files: those written inline have no places of their own. */
  private sourceOf({
    path,
  }: PatchArgs): { readonly text: string; readonly file: string } | undefined {
    if (!path) return undefined
    return { text: this.loader.text(path), file: this.loader.pathOf(path) }
  }

  private merged(entry: string): { readonly text: string; readonly file: string } | undefined {
    return entry.includes('\n') || entry.includes('{') ? undefined : this.sourceOf({ path: entry })
  }

  private documents(text: string, file: string): readonly PatchDocument[] {
    let patches: readonly Resource[]
    try {
      patches = readResources(text, file)
    } catch {
      return [] // it is a list of operations
    }
    const lines = text.replaceAll('\r\n', '\n').split('\n')
    return patches.flatMap((patch) => {
      if (patch.line === undefined) return []
      const own = lines.slice(patch.line - 1)
      const end = own.findIndex((one, i) => i > 0 && one.startsWith('---'))
      const document = (end === -1 ? own : own.slice(0, end)).join('\n')
      return [{ text: document, file, line: patch.line, value: patch.toJson() }]
    })
  }
}

function nameOf(field: Field, index: number | undefined): string {
  return index === undefined ? field : `${field}[${index}]`
}
