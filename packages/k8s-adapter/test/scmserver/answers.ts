export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: string
  /** Where the server is, with the provider's part of the path. */
  readonly base: string
  /** The most that a page holds here, whatever is asked for. */
  readonly pageSize: number
}

export interface Answered {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

export const notFound: Answered = { status: 404, body: { message: 'Not Found' } }

/** One page of a list, by a number that begins with 1. */
export function pageOf<T>(
  all: readonly T[],
  { query, pageSize }: Asked,
  names: { readonly page: string; readonly size: string },
): { readonly items: readonly T[]; readonly page: number; readonly pages: number } {
  const size = Math.min(Number(query.get(names.size)) || 30, pageSize)
  const page = Number(query.get(names.page) || 1)
  const pages = Math.max(1, Math.ceil(all.length / size))
  return { items: all.slice((page - 1) * size, page * size), page, pages }
}
