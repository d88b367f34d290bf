import { SourceError } from '@litecd/core/errors'
import type { GitRepository } from './repository.ts'

/**
 * The object that a revision of a local repository names, as `git rev-parse` reads it: full and abbreviated ids, names
 * of refs in git's order of search, `@`, `git describe` names, and any chain of `~N`, `^N`, `^{commit}`, `^{tree}`,
 * `^{}` and `^0`. Reflogs (`@{1}`), upstreams and searches (`:/text`) are not understood.
 *
 * @throws SourceError SOURCE_REVISION_UNKNOWN
 */
export function resolveRevision(repository: GitRepository, text: string): string {
  const [, name, steps] = /^(.*?)((?:[~^](?:\d*|\{\w*\}))*)$/s.exec(text) as unknown as [
    string,
    string,
    string,
  ]
  if (/@\{|:/.test(name)) {
    throw unknown(
      text,
      'reflogs, upstreams and paths are not understood here; name a branch, tag or commit',
    )
  }
  let id = resolveName(repository, name, steps === '' ? undefined : 'commit')
  if (id === undefined) throw unknown(text)
  for (const [, kind, count, type] of steps.matchAll(/([~^])(?:(\d+)|\{(\w*)\})?/g)) {
    if (type !== undefined) id = peelTo(repository, id, type, text)
    else if (kind === '~') {
      id = peelTo(repository, id, 'commit', text)
      for (let left = Number(count ?? 1); left > 0; left--) id = parentOf(repository, id, 1, text)
    } else {
      id = peelTo(repository, id, 'commit', text)
      const which = Number(count ?? 1)
      if (which > 0) id = parentOf(repository, id, which, text)
    }
  }
  return id
}

/** {@link resolveRevision}, then the commit it leads to. @throws SourceError SOURCE_REVISION_UNKNOWN */
export function resolveCommit(repository: GitRepository, text: string): string {
  return peelTo(repository, resolveRevision(repository, text), 'commit', text)
}

/** How git expands a short name of a ref. Source: git-rev-parse(1), "Specifying revisions" */
const expansions: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `refs/${name}`,
  (name) => `refs/tags/${name}`,
  (name) => `refs/heads/${name}`,
  (name) => `refs/remotes/${name}`,
  (name) => `refs/remotes/${name}/HEAD`,
]

/** The full name that a short name of a ref stands for; undefined when there is no such ref. */
export function expandRefName(repository: GitRepository, name: string): string | undefined {
  for (const expand of expansions) {
    const full = expand(name)
    if (full === name && !name.startsWith('refs/') && !/^[A-Z_]+$/.test(name)) continue
    if (repository.refs.resolve(full) !== undefined) return full
  }
  return undefined
}

function resolveName(
  repository: GitRepository,
  name: string,
  wanted: 'commit' | undefined,
): string | undefined {
  if (/^[0-9a-f]{40}$/i.test(name)) return name.toLowerCase()
  const full = expandRefName(repository, name === '@' ? 'HEAD' : name)
  if (full !== undefined) return repository.refs.resolve(full)
  const hex = /^[0-9a-f]{4,39}$/i.test(name) ? name : /-g([0-9a-f]{4,40})$/i.exec(name)?.[1]
  if (hex === undefined) return undefined
  return resolveAbbreviation(
    repository,
    hex.toLowerCase(),
    wanted ?? (hex === name ? undefined : 'commit'),
  )
}

function resolveAbbreviation(
  repository: GitRepository,
  hex: string,
  wanted: 'commit' | undefined,
): string | undefined {
  const ids = hex.length === 40 ? [hex] : repository.objects.idsWithPrefix(hex)
  if (ids.length <= 1) return ids[0]
  const commits = ids.filter((id) => {
    const type = repository.objects.read(id)?.type
    return type === 'commit' || (type === 'tag' && repository.peel(id).type === 'commit')
  })
  if (commits.length === 1 || (wanted === 'commit' && commits.length === 0)) return commits[0]
  throw new SourceError('SOURCE_REVISION_UNKNOWN', `short object ID ${hex} is ambiguous`, {
    hint: 'give more digits',
    data: { candidates: [...ids].sort() },
  })
}

function peelTo(repository: GitRepository, id: string, type: string, text: string): string {
  if (repository.objects.read(id) === undefined) throw unknown(text)
  if (type === 'object' || (type === 'tag' && repository.objects.read(id)?.type === 'tag'))
    return id
  const peeled = repository.peel(id)
  if (type === '' || type === peeled.type) return peeled.id
  if (type === 'tree' && peeled.type === 'commit') return repository.commit(peeled.id).tree
  throw unknown(text, `it leads to a ${peeled.type}`)
}

function parentOf(repository: GitRepository, id: string, which: number, text: string): string {
  const parent = repository.shallow.has(id) ? undefined : repository.commit(id).parents[which - 1]
  if (parent === undefined) {
    throw unknown(
      text,
      repository.shallow.size > 0
        ? 'the repository is a shallow clone and lacks that commit; fetch more of its history'
        : undefined,
    )
  }
  return parent
}

function unknown(text: string, hint?: string): SourceError {
  return new SourceError('SOURCE_REVISION_UNKNOWN', `unknown revision ${JSON.stringify(text)}`, {
    hint,
  })
}
