/** path.Clean of Go: '' is '.', a rooted path cannot leave the root. */
export function goClean(path: string): string {
  if (path === '') return '.'
  const rooted = path[0] === '/'
  const out: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') out.push(step)
    else if (out.length > 0 && out.at(-1) !== '..') out.pop()
    else if (!rooted) out.push('..')
  }
  const text = (rooted ? '/' : '') + out.join('/')
  return text === '' ? '.' : text
}

/** path.Base. */
export function goBase(path: string): string {
  if (path === '') return '.'
  const trimmed = path.replace(/\/+$/, '')
  if (trimmed === '') return '/'
  return trimmed.slice(trimmed.lastIndexOf('/') + 1)
}

/** path.Dir. */
export function goDir(path: string): string {
  return goClean(path.slice(0, path.lastIndexOf('/') + 1))
}

/** path.Ext: from the last dot of the last segment. */
export function goExt(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot)
}

/** path.Join: empty parts are left out; nothing left gives ''. */
export function goJoin(...parts: readonly string[]): string {
  const kept = parts.filter((part) => part !== '')
  return kept.length === 0 ? '' : goClean(kept.join('/'))
}
