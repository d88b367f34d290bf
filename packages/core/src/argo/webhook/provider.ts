/** Names in lower case. */
export interface Headers {
  readonly [name: string]: string | undefined
}

export type WebhookProvider =
  | 'azuredevops'
  | 'gogs'
  | 'github'
  | 'gitlab'
  | 'bitbucket'
  | 'bitbucketserver'
  | 'ghcr'

/**
 * Who sends the request, by its headers; undefined for nobody that is known. Gogs and Gitea also send GitHub's headers.
 *
 * Source: argo-cd v3.5.1 util/webhook/scm.go
 */
export function providerOf(headers: Headers): WebhookProvider | undefined {
  const has = (name: string): boolean => (headers[name] ?? '') !== ''
  if (has('x-vss-activityid')) return 'azuredevops'
  if (has('x-gogs-event')) return 'gogs'
  if (has('x-github-event')) return headers['x-github-event'] === 'package' ? 'ghcr' : 'github'
  if (has('x-gitlab-event')) return 'gitlab'
  if (has('x-hook-uuid')) return 'bitbucket'
  if (has('x-event-key')) return 'bitbucketserver'
  return undefined
}
