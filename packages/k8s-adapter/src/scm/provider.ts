import type { PullRequest, ScmBranch, ScmRepository } from '@litecd/core/adapters'
import { SourceError } from '@litecd/core/errors'
import type { Json } from '@litecd/core/json'

/** One host of repositories, as one generator names it. */
export interface Provider {
  repositories(signal?: AbortSignal): Promise<readonly ScmRepository[]>
  branches(repository: ScmRepository, signal?: AbortSignal): Promise<readonly ScmBranch[]>
  hasPath(
    repository: ScmRepository,
    branch: ScmBranch,
    path: string,
    signal?: AbortSignal,
  ): Promise<boolean>
  pullRequests(signal?: AbortSignal): Promise<readonly PullRequest[]>
}

/** Puts words before the words of an error; those of the status `bare` stay alone. */
export function prefixed(prefix: string, bare?: number): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SourceError) || error.code === 'BUDGET_EXCEEDED') throw error
    if (bare !== undefined && error.data['status'] === bare) throw error
    throw new SourceError(error.code, prefix + error.message, {
      retryable: error.retryable,
      data: error.data,
      cause: error,
    })
  }
}

/** Texts of a list. */
export function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value)
    ? (value as readonly Json[]).filter((one): one is string => typeof one === 'string')
    : []
}

/** A segment of a path, as Go's url.PathEscape writes it. */
export function segment(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(3A|40|26|3D|2B|24)/g, (escaped) => decodeURIComponent(escaped))
}

/** A path whose slashes stay. */
export function segments(path: string): string {
  return path.split('/').map(segment).join('/')
}

/** Parameters in the order of their names, as Go's url.Values.Encode writes them. */
export function query(parameters: {
  readonly [name: string]: string | number | boolean | undefined
}): string {
  const escaped = (text: string): string =>
    encodeURIComponent(text)
      .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%20', '+')
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${escaped(name)}=${escaped(String(value))}`)
    .join('&')
}
