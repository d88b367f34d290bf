import { isLitecdError, SourceError, SpecError } from '../../errors/index.ts'
import { baseName, dirName, type FileTree, readText, walkFiles } from '../../files/index.ts'
import { canonicalJson, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { compileDoublestar, filepathMatch, matchPathspec } from '../../text/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { appsetError, messageOf, within } from '../fail.ts'
import { objectsIn, objectsProblem } from '../go-json.ts'
import { flatStrings, type Params } from '../params.ts'
import { normalizeName } from '../slug.ts'
import type { GeneratorContext } from './context.ts'

interface Pattern {
  readonly path: string
  /** What every match begins with. */
  readonly start: string
  readonly exclude: boolean
}

const maxFolders = 200_000

/** Source: argo-cd v3.5.1 applicationset/generators/git.go */
export function gitParams(
  spec: JsonObject,
  tree: FileTree | SourceError,
  context: GeneratorContext,
): readonly Params[] {
  const directories = patternsOf(spec['directories'])
  const files = patternsOf(spec['files'])
  if (directories.length === 0 && files.length === 0) throw appsetError('ApplicationSet is empty')
  try {
    if (tree instanceof SourceError) {
      const what =
        directories.length > 0
          ? 'error getting directories from repo: error retrieving Git Directories'
          : 'error retrieving Git files'
      throw appsetError(`${what}: ${tree.message}`, tree)
    }
    return paramsOfTree(spec, tree, context, directories, files)
  } catch (error) {
    if (!isLitecdError(error) || error.code !== 'APPSET_FAILED') throw error
    throw appsetError(`error generating params from git: ${error.message}`, error)
  }
}

function paramsOfTree(
  spec: JsonObject,
  tree: FileTree,
  { renderer, doublestar, budget }: GeneratorContext,
  directories: readonly Pattern[],
  files: readonly Pattern[],
): readonly Params[] {
  const prefix = typeof spec['pathParamPrefix'] === 'string' ? spec['pathParamPrefix'] : ''
  const full = (params: Params): Params =>
    within('failed to append templated values: ', () => renderer.withValues(params, spec['values']))
  if (directories.length > 0) {
    const taken = kept(tree, canonicalJson(['folders', ...directories.map(asJson)]), () => {
      const folders = foldersOf(tree)
      budget.spend(folders.length * directories.length)
      return folders.filter((path) => isTaken(path, directories))
    })
    return taken.map((path) => full(pathParams({}, path, prefix, renderer.goTemplate)))
  }
  const picked = kept(tree, canonicalJson(['files', doublestar, ...files.map(asJson)]), () => {
    const all = filesOf(tree)
    budget.spend(all.length * files.length)
    return pickFiles(all, files, doublestar)
  })
  return picked.flatMap((path) =>
    objectsOf(tree, path, String(spec['repoURL'] ?? '')).map((object) => {
      budget.spend(1)
      const content = renderer.goTemplate ? object : flatStrings(object)
      return full(pathParams(content, dirName(path), prefix, renderer.goTemplate, baseName(path)))
    }),
  )
}

const asJson = ({ path, exclude }: Pattern): Json => [path, exclude]
/** What patterns pick, the latest of them: a matrix asks again for each of its sets. */
const pickedByTree = new WeakMap<FileTree, Map<string, readonly string[]>>()
const maxPicked = 50

function kept(tree: FileTree, key: string, pick: () => readonly string[]): readonly string[] {
  let picked = pickedByTree.get(tree)
  if (picked === undefined) {
    picked = new Map()
    pickedByTree.set(tree, picked)
  }
  let known = picked.get(key)
  if (known === undefined) {
    known = pick()
    if (picked.size >= maxPicked) picked.delete(picked.keys().next().value!)
    picked.set(key, known)
  }
  return known
}

function patternsOf(items: Json | undefined): readonly Pattern[] {
  return (Array.isArray(items) ? items : []).filter(isObject).map((item) => {
    const path = String(item['path'] ?? '')
    const special = path.search(/[*?[\\]/)
    const start = special === -1 ? path : path.slice(0, special)
    return { path, start, exclude: item['exclude'] === true }
  })
}

/** What the trees hold: a matrix asks many times for one of them. */
const foldersByTree = new WeakMap<FileTree, readonly string[]>()
const filesByTree = new WeakMap<FileTree, readonly string[]>()

function filesOf(tree: FileTree): readonly string[] {
  let known = filesByTree.get(tree)
  if (known === undefined) {
    known = Array.from(walkFiles(tree, ''), ({ path }) => path)
    filesByTree.set(tree, known)
  }
  return known
}

/** Every folder but the root and hidden ones, in the order of Go's filepath.Walk. */
function foldersOf(tree: FileTree): readonly string[] {
  const known = foldersByTree.get(tree)
  if (known !== undefined) return known
  const out: string[] = []
  const visit = (dir: string): void => {
    for (const { name, kind } of tree.list(dir) ?? []) {
      if (kind !== 'directory' || name.startsWith('.')) continue
      const path = dir === '' ? name : `${dir}/${name}`
      out.push(path)
      if (out.length > maxFolders) {
        throw new SpecError(
          'BUDGET_EXCEEDED',
          `the repository has more than ${maxFolders} directories`,
        )
      }
      visit(path)
    }
  }
  visit('')
  foldersByTree.set(tree, out)
  return out
}

function isTaken(path: string, patterns: readonly Pattern[]): boolean {
  let taken = false
  for (const { path: pattern, start, exclude } of patterns) {
    if (!path.startsWith(start)) continue
    const fits = filepathMatch(pattern, path)
    if (fits !== true) continue
    if (exclude) return false
    taken = true
  }
  return taken
}

function pickFiles(
  all: readonly string[],
  patterns: readonly Pattern[],
  doublestar: boolean,
): readonly string[] {
  const matcher = ({ path }: Pattern): ((file: string) => boolean) => {
    if (!doublestar) return (file) => matchPathspec(path, file)
    const compiled = compileDoublestar(path)
    return (file) => compiled?.(file) === true
  }
  const includes = patterns.filter(({ exclude }) => !exclude).map(matcher)
  const excludes = patterns.filter(({ exclude }) => exclude).map(matcher)
  return all
    .filter((file) => includes.some((fits) => fits(file)) && !excludes.some((fits) => fits(file)))
    .sort()
}

function objectsOf(tree: FileTree, path: string, repoURL: string): readonly JsonObject[] {
  const fail = (message: string, cause?: unknown): never => {
    throw appsetError(
      `unable to process file '${path}' from repository '${repoURL}': unable to parse file: ${message}`,
      cause,
    )
  }
  const text = readText(tree, path) ?? ''
  let value: Json
  try {
    value = parseYaml(text)
  } catch (error) {
    return fail(messageOf(error), error)
  }
  if (value === null) return [{}]
  if (isObject(value)) return [value]
  const problem = objectsProblem(value)
  return problem === undefined ? objectsIn(value) : fail(problem)
}

function pathParams(
  content: Params,
  folder: string,
  prefix: string,
  goTemplate: boolean,
  file?: string,
): Params {
  const segments = folder === '' ? ['.'] : folder.split('/')
  const path = folder === '' ? '.' : folder
  const basename = segments.at(-1) ?? ''
  const normalized = normalizeName(basename)
  if (goTemplate) {
    const about: { [key: string]: Json } = {
      path,
      basename,
      basenameNormalized: normalized,
      segments,
      ...(file === undefined ? {} : { filename: file, filenameNormalized: normalizeName(file) }),
    }
    return { ...content, ...(prefix === '' ? { path: about } : { [prefix]: { path: about } }) }
  }
  const name = prefix === '' ? 'path' : `${prefix}.path`
  const out: { [key: string]: Json } = {
    ...content,
    [name]: path,
    [`${name}.basename`]: basename,
    [`${name}.basenameNormalized`]: normalized,
  }
  if (file !== undefined) {
    out[`${name}.filename`] = file
    out[`${name}.filenameNormalized`] = normalizeName(file)
  }
  segments.forEach((segment, index) => {
    if (segment !== '') out[`${name}[${index}]`] = segment
  })
  return out
}
