import { normalizeRepoUrl } from '@litecd/core/project'

/** Host and path of a repository: people clone by ssh what Applications name by https. */
export function repositoryName(url: string): string {
  const known = normalizeRepoUrl(url.trim().replace(/\/+$/, ''))
  const parts = /^(?:(?:https?|git|ssh):\/\/)?(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.*)$/.exec(known)
  return parts === null ? known : `${parts[1]}/${parts[2]}`
}
