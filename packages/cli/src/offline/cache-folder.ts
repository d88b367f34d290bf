import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where fetched repositories are kept: LITECD_CACHE, else the user's cache folder. */
export function cacheFolder(env: { readonly [name: string]: string | undefined }): string {
  const own = env['LITECD_CACHE']
  if (own !== undefined && own !== '') return own
  const base = env['XDG_CACHE_HOME']
  return join(base !== undefined && base !== '' ? base : join(homedir(), '.cache'), 'litecd')
}
