import type { KustomizeSource } from '../../../argo/index.ts'
import { type FileTree, joinPath, resolveLinks } from '../../../files/index.ts'
import { isObject, type Json, type JsonObject } from '../../../json/index.ts'
import { type BuildEnvironment, expandEnvironment } from '../../environment.ts'
import { editUsage } from '../facts/index.ts'
import { fail } from '../fail.ts'
import type { Kustomization } from '../kustomization.ts'
import { fileNames, finishKustomization, readRaw } from '../kustomization-read.ts'
import { splitImage } from '../transform.ts'

type Raw = { [key: string]: Json }

export interface EditOptions {
  readonly tree: FileTree
  /** The folder of the source. */
  readonly path: string
  readonly environment: BuildEnvironment
}

/**
 * What Argo CD changes in the kustomization file before it builds, in its order; undefined when it changes nothing.
 *
 * Errors: KUSTOMIZE_FAILED with the failing command in Argo CD's words.
 * Source: argo-cd v3.5.1 util/kustomize/kustomize.go, kustomize v5.8.1 kustomize/commands/edit
 */
export function editKustomization(
  source: KustomizeSource,
  options: EditOptions,
): Kustomization | undefined {
  const edits = editsOf(source, options)
  if (edits.length === 0) return undefined
  let raw: Raw | undefined
  for (const { command, check, run } of edits) {
    try {
      check?.()
      raw ??= readFile(options, command === '')
      run(raw)
    } catch (error) {
      if (command === '') throw error
      const why = error instanceof Error ? error.message : String(error)
      const usage = editUsage[command.split(' ').slice(1, 3).join(' ')] ?? ''
      return fail(
        `\`kustomize ${command}\` failed exit status 1: Error: ${why}\n${usage}`,
        undefined,
        error,
      )
    }
  }
  return raw === undefined ? undefined : finishKustomization(raw, options.path)
}

interface Edit {
  /** '' for what Argo CD does to the file itself. */
  readonly command: string
  /** What the command refuses before it reads the file. */
  readonly check?: () => void
  run(raw: Raw): void
}

function readFile({ tree, path }: EditOptions, byArgo: boolean): Raw {
  const found = fileNames.filter((name) => {
    const at = resolveLinks(tree, joinPath(path, name))
    return 'path' in at && tree.entry(at.path)?.kind === 'file'
  })
  const [name] = found
  if (name === undefined) {
    return fail(
      byArgo
        ? 'kustomization file not found in the path'
        : "Missing kustomization file 'kustomization.yaml'.\n",
    )
  }
  if (found.length > 1 && !byArgo) {
    fail(`Found multiple kustomization file: [${found.join(' ')}]`)
  }
  return readRaw(tree, joinPath(path, name))
}

function editsOf(source: KustomizeSource, options: EditOptions): Edit[] {
  const { environment } = options
  const edits: Edit[] = []
  const set = (command: string, field: string, value: string | undefined): void => {
    if (!value) return
    edits.push({
      command: `edit set ${command} -- ${value}`,
      run: (raw) => {
        raw[field] = value
      },
    })
  }
  set('nameprefix', 'namePrefix', source.namePrefix)
  set('namesuffix', 'nameSuffix', source.nameSuffix)
  if (source.images?.length) {
    const images = source.images.map((image) => expandEnvironment(image, environment))
    edits.push({
      command: `edit set image ${images.join(' ')}`,
      check: () => images.forEach(readImage),
      run: (raw) => setImages(raw, images),
    })
  }
  if (source.replicas?.length) {
    const counts = source.replicas.map(({ name, count }) => ({ name, count: integer(count) }))
    edits.push({
      command: `edit set replicas ${counts.map(({ name, count }) => `${name}=${count}`).join(' ')}`,
      run: (raw) => setReplicas(raw, counts),
    })
  }
  edits.push(...markEdits(source, environment))
  set('namespace', 'namespace', source.namespace)
  if (source.patches?.length) {
    const { patches } = source
    edits.push({ command: '', run: (raw) => addPatches(raw, patches) })
  }
  if (source.components?.length) {
    const components = source.components.filter(
      (component) => source.ignoreMissingComponents !== true || isPresent(options, component),
    )
    if (components.length > 0) {
      edits.push({
        command: `edit add component ${components.join(' ')}`,
        check: () => checkComponents(components, options),
        run: (raw) => addComponents(raw, components),
      })
    }
  }
  return edits
}

function isPresent({ tree, path }: EditOptions, component: string): boolean {
  return 'path' in resolveLinks(tree, joinPath(path, component))
}

function integer(count: number | string): number {
  const value = typeof count === 'number' ? count : /^[+-]?\d+$/.test(count) ? Number(count) : NaN
  if (!Number.isInteger(value)) fail(`expected integer value for count. Received: ${count}`)
  return value
}

function markEdits(source: KustomizeSource, environment: BuildEnvironment): Edit[] {
  const edits: Edit[] = []
  const labels = Object.entries(source.commonLabels ?? {})
  if (labels.length > 0) {
    const pairs = labels.map(([key, value]) => `${key}:${expandEnvironment(value, environment)}`)
    const flags = [
      source.forceCommonLabels === true ? '--force ' : '',
      source.labelWithoutSelector === true ? '--without-selector ' : '',
      source.labelIncludeTemplates === true ? '--include-templates ' : '',
    ].join('')
    edits.push({
      command: `edit add label ${flags}${pairs.join(' ')}`,
      check: () => {
        if (source.labelIncludeTemplates === true && source.labelWithoutSelector !== true) {
          fail('--without-selector flag must be specified for --include-templates to work')
        }
      },
      run: (raw) => addLabels(raw, readPairs(pairs), source),
    })
  }
  const annotations = Object.entries(source.commonAnnotations ?? {})
  if (annotations.length > 0) {
    const expand = source.commonAnnotationsEnvsubst === true
    const pairs = annotations.map(
      ([key, value]) => `${key}:${expand ? expandEnvironment(value, environment) : value}`,
    )
    const force = source.forceCommonAnnotations === true
    edits.push({
      command: `edit add annotation ${force ? '--force ' : ''}${pairs.join(' ')}`,
      run: (raw) => {
        raw['commonAnnotations'] = withPairs(
          raw['commonAnnotations'],
          readPairs(pairs),
          force,
          'annotation',
        )
      },
    })
  }
  return edits
}

/** The pair travels as one argument: cut at the first colon, one pair of quotes around the value removed. */
function readPairs(pairs: readonly string[]): [string, string][] {
  return pairs.map((pair) => {
    const colon = pair.indexOf(':')
    const value = pair.slice(colon + 1)
    const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"')
    return [pair.slice(0, colon), isQuoted ? value.slice(1, -1) : value]
  })
}

function withPairs(
  present: Json | undefined,
  pairs: readonly (readonly [string, string])[],
  force: boolean,
  what: string,
): JsonObject {
  const out: Raw = isObject(present) ? { ...present } : {}
  for (const [key, value] of pairs) {
    if (Object.hasOwn(out, key) && !force) {
      fail(`${what} ${key} already in kustomization file. Use --force to override.`)
    }
    out[key] = value
  }
  return out
}

function addLabels(
  raw: Raw,
  pairs: readonly (readonly [string, string])[],
  source: KustomizeSource,
): void {
  const force = source.forceCommonLabels === true
  const templates = source.labelIncludeTemplates === true
  if (source.labelWithoutSelector !== true) {
    raw['commonLabels'] = withPairs(raw['commonLabels'], pairs, force, 'label')
    return
  }
  const labels = [...((raw['labels'] ?? []) as readonly JsonObject[])]
  const at = labels.findIndex(
    (entry) =>
      (entry['includeSelectors'] ?? false) === false &&
      (entry['includeTemplates'] ?? false) === templates,
  )
  if (at === -1) {
    const entry: Raw = { pairs: withPairs({}, pairs, force, 'label') }
    if (templates) entry['includeTemplates'] = true
    labels.push(entry)
  } else {
    const entry = labels[at]!
    labels[at] = { ...entry, pairs: withPairs(entry['pairs'], pairs, force, 'label') }
  }
  raw['labels'] = labels
}

interface Image {
  readonly name: string
  readonly newName: string
  readonly newTag: string
  readonly digest: string
}

const imageForms = `invalid format of image, use one of the following options:
- <image>=<newimage>:<newtag>
- <image>=<newimage>@<digest>
- <image>=<newimage>
- <image>:<newtag>
- <image>@<digest>`

function readImage(text: string): Image {
  const equals = text.indexOf('=')
  const value = equals === -1 ? text : text.slice(equals + 1)
  const { name, tag, digest } = splitImage(value)
  if (name === text) fail(imageForms)
  return equals === -1
    ? { name, newName: '', newTag: tag, digest }
    : { name: text.slice(0, equals), newName: name, newTag: tag, digest }
}

function setImages(raw: Raw, texts: readonly string[]): void {
  const wanted = new Map<string, Image>()
  for (const text of texts) {
    const image = readImage(text)
    wanted.set(image.name, image)
  }
  const kept = (value: string, old: Json | undefined): string =>
    value === '*' ? ((old as string | undefined) ?? '') : value
  const all = new Map<string, JsonObject>()
  for (const old of (raw['images'] ?? []) as readonly JsonObject[]) {
    const name = (old['name'] as string | undefined) ?? ''
    const image = wanted.get(name)
    all.set(
      name,
      image === undefined
        ? old
        : {
            name,
            newName: kept(image.newName, old['newName']),
            newTag: kept(image.newTag, old['newTag']),
            digest: kept(image.digest, old['digest']),
          },
    )
  }
  for (const [name, image] of wanted) {
    if (all.has(name)) continue
    all.set(name, {
      name,
      newName: kept(image.newName, ''),
      newTag: kept(image.newTag, ''),
      digest: kept(image.digest, ''),
    })
  }
  raw['images'] = [...all.keys()].sort().map((name) => all.get(name)!)
}

function setReplicas(
  raw: Raw,
  counts: readonly { readonly name: string; readonly count: number }[],
): void {
  const all = new Map<string, JsonObject>()
  for (const old of (raw['replicas'] ?? []) as readonly JsonObject[]) {
    all.set((old['name'] as string | undefined) ?? '', old)
  }
  for (const { name, count } of counts) all.set(name, { name, count })
  raw['replicas'] = [...all.keys()].sort().map((name) => all.get(name)!)
}

function addPatches(raw: Raw, patches: readonly JsonObject[]): void {
  raw['patches'] = [...((raw['patches'] ?? []) as readonly Json[]), ...patches]
}

function checkComponents(components: readonly string[], options: EditOptions): void {
  for (const component of components) {
    if (isPresent(options, component)) continue
    const shown = `<path to cached source>/${joinPath(options.path, component)}`
    fail(
      `${component} has no match: must build at directory: not a valid directory: evalsymlink failure on '${shown}' : lstat ${shown}: no such file or directory`,
    )
  }
}

function addComponents(raw: Raw, components: readonly string[]): void {
  const present = [...((raw['components'] ?? []) as readonly string[])]
  for (const component of components) if (!present.includes(component)) present.push(component)
  raw['components'] = present
}
