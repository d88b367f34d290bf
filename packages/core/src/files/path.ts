/** `a/b` joined and cleaned as Go's path.Join does, '' for the root. Leading slashes are dropped. '..' may remain. */
export function joinPath(...parts: readonly string[]): string {
  return cleanPath(parts.filter((part) => part !== '').join('/'))
}

const uncleanStep = /(?:^|\/)\.{0,2}(?:\/|$)/ // '', '.' or '..'

/** Without '.', '//', trailing slash and resolvable '..'; a leading '..' stays, so that callers can refuse it. */
export function cleanPath(path: string): string {
  if (!uncleanStep.test(path)) return path
  const out: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..' && out.length > 0 && out.at(-1) !== '..') out.pop()
    else out.push(step)
  }
  return out.join('/')
}

export function dirName(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** True when the clean `path` is `dir` or below it; '' holds everything that does not start with '..'. */
export function isInside(path: string, dir: string): boolean {
  if (path === '..' || path.startsWith('../')) return false
  return dir === '' || path === dir || path.startsWith(dir + '/')
}
