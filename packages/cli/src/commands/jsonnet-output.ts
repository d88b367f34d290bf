import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'

/** A failure of the file system in the words of the program. */
export class OutputFailure extends Error {}

/** What Go calls an error of the operating system. */
export function goReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  switch (code) {
    case 'ENOENT':
      return 'no such file or directory'
    case 'EACCES':
      return 'permission denied'
    case 'EISDIR':
      return 'is a directory'
    case 'ENOTDIR':
      return 'not a directory'
    default:
      return (error as Error).message
  }
}

function attempt<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new OutputFailure(`${what}: ${goReason(error)}`)
  }
}

/** Writes one file; `path` is shown in errors as it was given. */
export function writeOutput(cwd: string, path: string, text: string, createDirs: boolean): void {
  const target = resolve(cwd, path)
  if (createDirs)
    attempt(`mkdir ${dirname(path)}`, () => mkdirSync(dirname(target), { recursive: true }))
  attempt(`open ${path}`, () => writeFileSync(target, text))
}

/**
 * Writes a file for every entry below `folder` and returns their paths, one a line. Files that hold the text already
 * are left alone, and nothing is written outside the folder.
 *
 * Source: go-jsonnet 0.22 cmd/jsonnet/cmd.go writeMultiOutputFiles
 */
export function writeFiles(
  cwd: string,
  folder: string,
  files: ReadonlyMap<string, string>,
  createDirs: boolean,
  list: (line: string) => void,
): void {
  if (files.size === 0) return
  const dir = normalize(folder).replace(/(.)\/$/, '$1')
  const root = resolve(cwd, dir)
  if (createDirs) attempt(`mkdir ${dir}`, () => mkdirSync(root, { recursive: true }))
  attempt(`open ${dir}`, () => {
    if (!statSync(root).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
  })
  for (const [name, text] of files) {
    const clean = isAbsolute(name) ? relative('/', name) : normalize(name).replace(/(.)\/$/, '$1')
    list(join(dir, clean) + '\n')
    const target = resolve(root, clean)
    refuseOutside(root, target, clean)
    if (holds(target, text)) continue
    if (createDirs)
      attempt(`mkdirat ${clean}`, () => mkdirSync(dirname(target), { recursive: true }))
    attempt(`openat ${clean}`, () => writeFileSync(target, text))
  }
}

function holds(target: string, text: string): boolean {
  try {
    return readFileSync(target, 'utf8') === text
  } catch {
    return false
  }
}

/** Throws where the path, or a link on the way to it, leaves the folder. */
function refuseOutside(root: string, target: string, shown: string): void {
  const real = realpathSync(root)
  let existing = target
  for (;;) {
    try {
      existing = realpathSync(existing)
      break
    } catch {
      existing = dirname(existing)
    }
  }
  const inside = (path: string, base: string): boolean =>
    path === base || path.startsWith(base + sep)
  if (!inside(target, root) || !(inside(existing, real) || inside(real, existing))) {
    throw new OutputFailure(`openat ${shown}: path escapes from parent`)
  }
}
