import type { SourceRequest } from '../../../adapters/index.ts'
import { RenderError } from '../../../errors/index.ts'
import {
  cleanPath,
  decodeText,
  type FileTree,
  joinPath,
  resolveLinks,
  walkFiles,
} from '../../../files/index.ts'
import { compileDoublestar } from '../../../text/index.ts'
import { type BuildEnvironment, expandEnvironment } from '../../environment.ts'
import type { RenderInput, RenderNeed } from '../../types.ts'

/** A value file, or the file of a file parameter, as helm is given it. */
export interface ResolvedFile {
  /** As messages show it. */
  readonly shown: string
  /** In `tree`; undefined for a remote file. */
  readonly local?: { readonly tree: FileTree; readonly path: string }
  readonly need?: RenderNeed
}

/** How Argo CD shows paths of fetched sources in messages. */
const shownRoot = '<path to cached source>/'
const maxLinks = 10 // argo-cd v3.5.1 util/io/path/resolved.go

/** What Argo CD puts before an error of one value file; file parameters have other words. */
const ofValueFiles = 'error resolving helm value files: error resolving value file path: '

function failed(why: string, hint: string, grpc = 'Unknown'): RenderError {
  return new RenderError('HELM_FAILED', why, { hint, data: { grpc } })
}

interface Place {
  readonly tree: FileTree
  /** Folder that relative paths start from. */
  readonly dir: string
}

/**
 * The value files of a source in the order in which helm gets them.
 *
 * Globs keep lexical order, and leave out files that are named by themselves elsewhere: those keep their own place.
 * Source: argo-cd v3.5.1 reposerver/repository/repository.go getResolvedValueFiles
 */
export function resolveValueFiles(
  input: RenderInput,
  environment: BuildEnvironment,
): readonly ResolvedFile[] {
  const helm = input.source.helm ?? {}
  const ignoreMissing = helm.ignoreMissingValueFiles === true
  const entries = (helm.valueFiles ?? []).map((entry) => ({
    entry,
    file: resolveFile(entry, input, environment),
  }))
  const explicit = new Set(
    entries.filter(({ file }) => !isGlob(file)).map(({ file }) => identity(file)),
  )
  const out = new Map<string, ResolvedFile>()
  const add = (file: ResolvedFile): void => {
    if (!out.has(identity(file))) out.set(identity(file), file)
  }
  for (const { entry, file } of entries) {
    if (file.local === undefined) {
      add(file)
      continue
    }
    if (isGlob(file)) {
      const matches = glob(file.local, expandEnvironment(entry, environment))
      if (matches.length === 0 && !ignoreMissing) {
        throw failed(
          `error resolving helm value files: values file glob "${entry}" matched no files`,
          'Correct the pattern, or set ignoreMissingValueFiles.',
          'NotFound',
        )
      }
      for (const match of matches) if (!explicit.has(identity(match))) add(match)
      continue
    }
    if (ignoreMissing && file.local.tree.entry(file.local.path) === undefined) continue
    add(file)
  }
  return [...out.values()]
}

/** The file that one entry names, not yet looked at. `$ref/…` names a file of another source. */
export function resolveFile(
  entry: string,
  input: RenderInput,
  environment: BuildEnvironment,
  prefix: string = ofValueFiles,
): ResolvedFile {
  const slash = entry.indexOf('/')
  const ref = slash === -1 ? entry : entry.slice(0, slash)
  const other = input.context.multiSource && entry.startsWith('$') ? input.refs[ref] : undefined
  if (other !== undefined) {
    const rest = slash === -1 ? '' : expandEnvironment(entry.slice(slash + 1), environment)
    // Parity: for files of another source the words come twice
    const again = `${prefix}error resolving value file path: `
    return resolveLocal(rest, { tree: other.tree, dir: '' }, `/${rest}`, again)
  }
  const text = expandEnvironment(entry, environment)
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined) {
    if (!input.context.settings.helmValuesFileSchemes.includes(scheme)) {
      throw failed(
        `${prefix}the URL scheme '${scheme}' is not allowed`,
        'Allow it with helm.valuesFileSchemes in argocd-cm, or keep the file in the repository.',
      )
    }
    const request: SourceRequest = { type: 'http', url: text, revision: '' }
    return { shown: text, need: { id: `http ${text}`, request } }
  }
  return resolveLocal(text, { tree: input.tree, dir: input.path }, entry, prefix)
}

function resolveLocal(text: string, place: Place, entry: string, prefix: string): ResolvedFile {
  const path = text.startsWith('/') ? cleanPath(text) : cleanPath(`${place.dir}/${text}`)
  const outside = (): RenderError =>
    failed(
      `${prefix}file '${entry}' resolved to outside repository root`,
      'Value files must lie inside the repository.',
    )
  if (path === '..' || path.startsWith('../')) throw outside()
  if (path === '') {
    throw failed(
      `${prefix}internal error: failed to resolve path. Check logs for more details`,
      'Name a file, not the repository itself.',
    )
  }
  let current = path
  for (let links = 0; ; links++) {
    const found = place.tree.entry(current)
    if (found?.kind !== 'link') break
    const target = found.target ?? ''
    if (target.startsWith('/')) throw outside()
    current = cleanPath(`${current}/../${target}`)
    if (current === '..' || current.startsWith('../')) throw outside()
    if (links >= maxLinks) throw outside()
  }
  return { shown: shownRoot + current, local: { tree: place.tree, path: current } }
}

function isGlob(file: ResolvedFile): boolean {
  return file.local !== undefined && /[*?[]/.test(file.local.path)
}

function identity(file: ResolvedFile): string {
  return file.shown
}

function glob(
  { tree, path }: { readonly tree: FileTree; readonly path: string },
  pattern: string,
): readonly ResolvedFile[] {
  const matches = compileDoublestar(path)
  if (matches === undefined) {
    throw failed(
      `error resolving helm value files: error expanding glob pattern "${pattern}": syntax error in pattern`,
      'Close every bracket and brace of the pattern.',
    )
  }
  // everything above the first wildcard is fixed, so only that folder is walked
  const steps = path.split('/')
  const fixed = steps.slice(
    0,
    steps.findIndex((step) => /[*?[{\\]/.test(step)),
  )
  const out: ResolvedFile[] = []
  const visit = (dir: string): void => {
    for (const entry of tree.list(dir) ?? []) {
      const found = joinPath(dir, entry.name)
      if (matches(found)) {
        const real =
          entry.kind === 'link'
            ? resolveLocal(found, { tree, dir: '' }, found, ofValueFiles)
            : undefined
        const missing = real?.local !== undefined && tree.entry(real.local.path) === undefined
        if (!missing) out.push(real ?? { shown: shownRoot + found, local: { tree, path: found } })
      }
      if (entry.kind === 'directory') visit(found)
    }
  }
  visit(joinPath(...fixed))
  return out
}

/**
 * The text of a file, or helm's words for why it cannot be read.
 *
 * Parity: helm cuts the list of value files at commas, so a name with a comma names two files.
 */
export function readResolved(
  file: ResolvedFile,
  input: RenderInput,
): { readonly text: string } | { readonly error: string } {
  if (file.need !== undefined) {
    const answer = input.answers[file.need.id]
    if (answer === undefined) return { error: `${file.shown} was not fetched` }
    if ('error' in answer) return { error: answer.error.message }
    const [first] = [...walkFiles(answer.tree, '')]
    const bytes = first === undefined ? undefined : answer.tree.read(first.path)
    return bytes === undefined ? { error: `${file.shown} is empty` } : { text: decodeText(bytes) }
  }
  const { tree, path: named } = file.local!
  const real = resolveLinks(tree, named)
  const path = 'path' in real ? real.path : named
  const entry = tree.entry(path)
  if (entry === undefined) return { error: `open ${file.shown}: no such file or directory` }
  if (entry.kind === 'directory') return { error: `read ${file.shown}: is a directory` }
  const bytes = tree.read(path)
  if (bytes === undefined) return { error: `open ${file.shown}: no such file or directory` }
  return { text: decodeText(bytes) }
}
