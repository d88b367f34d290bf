import { filepathMatch } from './filepath-match.ts'

const slash = '\u0000'

/**
 * Whether git's `ls-files -- PATTERN` lists a file: wildcards stand for `/` too, and a folder's name for all below it.
 */
export function matchPathspec(pattern: string, file: string): boolean {
  const wanted = pattern.replace(/^(\.\/)+/, '')
  if (wanted === '' || wanted === '.') return true
  const folder = wanted.endsWith('/') ? wanted : `${wanted}/`
  if (file === wanted || file.startsWith(folder)) return true
  return filepathMatch(wanted.replaceAll('/', slash), file.replaceAll('/', slash)) === true
}
