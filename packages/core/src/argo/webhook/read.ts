import type { Json } from '../../json/index.ts'
import { hostnameOf, parseGoUrl, UrlIssue } from '../../text/index.ts'
import { type PushEvent, type WebhookEvent, WebhookRefused } from './event.ts'
import { at, list, longestText, revisionOf, text } from './fields.ts'
import type { Headers, WebhookProvider } from './provider.ts'

const nothing: WebhookEvent = { kind: 'nothing' }

/**
 * The event of a request whose signature has been checked. `body` is its JSON.
 *
 * Source: argo-cd v3.5.1 util/webhook/{webhook,scm,ghcr}.go, applicationset/webhook/webhook.go
 */
export function readWebhookEvent(
  provider: WebhookProvider,
  headers: Headers,
  body: Json,
): WebhookEvent | WebhookRefused {
  switch (provider) {
    case 'azuredevops':
      return azureDevOps(body)
    case 'gogs':
      return headers['x-gogs-event'] === 'push' ? gogsPush(body) : unknown('Gogs', 'x-gogs-event')
    case 'github':
      return gitHub(body, headers['x-github-event'] ?? '')
    case 'gitlab':
      return gitLab(body, headers['x-gitlab-event'] ?? '')
    case 'bitbucket':
      return headers['x-event-key'] === 'repo:push'
        ? bitbucketPush(body)
        : unknown('Bitbucket', 'x-event-key')
    case 'bitbucketserver':
      return bitbucketServer(body, headers['x-event-key'] ?? '')
    case 'ghcr':
      return ghcrPackage(body)
  }
  function unknown(host: string, header: string): WebhookRefused {
    return new WebhookRefused(`${host} event ${JSON.stringify(headers[header] ?? '')}`)
  }
}

function push(facts: Omit<PushEvent, 'kind' | 'forSets' | 'forApplications'>): PushEvent {
  return { kind: 'push', forSets: true, forApplications: true, ...facts }
}

/** More are not compared one by one with the paths of every Application. */
const mostFiles = 5000
/** A server names one for each way to reach a repository. */
const mostLinks = 32

/** Files of all commits, each once; undefined, as if any may have changed, where they are too many or too long. */
function filesOf(body: Json): readonly string[] | undefined {
  const files = new Set<string>()
  for (const commit of list(body, 'commits')) {
    for (const how of ['added', 'modified', 'removed']) {
      for (const file of list(commit, how)) {
        if (typeof file !== 'string') continue
        files.add(file)
        if (files.size > mostFiles || file.length > longestText) return undefined
      }
    }
  }
  return [...files]
}

function azureDevOps(body: Json): WebhookEvent | WebhookRefused {
  const type = text(body, 'eventType')
  const repository = at(body, 'resource', 'repository')
  switch (type) {
    case 'git.push': {
      const ref = text(body, 'resource', 'refUpdates', 0, 'name')
      const told = list(body, 'resource', 'refUpdates').length > 0
      return push({
        urls: [text(repository, 'remoteUrl')],
        revision: revisionOf(ref),
        // full names on both sides, other than everywhere else
        touchedHead: told && ref === text(repository, 'defaultBranch'),
        files: undefined,
      })
    }
    case 'git.pullrequest.created':
    case 'git.pullrequest.updated':
    case 'git.pullrequest.merged':
      return {
        kind: 'pullRequest',
        host: 'azuredevops',
        project: text(repository, 'project', 'name'),
        repository: text(repository, 'name'),
      }
    case 'build.complete':
      return nothing
    default:
      return new WebhookRefused(`Azure DevOps event ${JSON.stringify(type)}`)
  }
}

function gogsPush(body: Json): WebhookEvent {
  const revision = revisionOf(text(body, 'ref'))
  const url = text(body, 'repository', 'html_url')
  return {
    ...push({
      urls: url === '' ? [] : [url],
      revision,
      touchedHead: text(body, 'repository', 'default_branch') === revision,
      files: filesOf(body),
    }),
    forSets: false,
  }
}

const gitHubActions: ReadonlySet<string> = new Set([
  'opened',
  'closed',
  'synchronize',
  'labeled',
  'reopened',
  'unlabeled',
])

function gitHub(body: Json, event: string): WebhookEvent | WebhookRefused {
  const repository = at(body, 'repository')
  switch (event) {
    case 'ping':
      return nothing
    case 'push': {
      const revision = revisionOf(text(body, 'ref'))
      return push({
        urls: [text(repository, 'html_url')],
        revision,
        touchedHead: text(repository, 'default_branch') === revision,
        files: filesOf(body),
      })
    }
    case 'pull_request':
      if (!gitHubActions.has(text(body, 'action'))) return nothing
      return {
        kind: 'pullRequest',
        host: 'github',
        owner: text(repository, 'owner', 'login'),
        repository: text(repository, 'name'),
        apiUrl: text(repository, 'url'),
      }
    default:
      return new WebhookRefused(`GitHub event ${JSON.stringify(event)}`)
  }
}

const gitLabActions: ReadonlySet<string> = new Set(['open', 'close', 'reopen', 'update', 'merge'])

function gitLab(body: Json, event: string): WebhookEvent | WebhookRefused {
  switch (event) {
    case 'Push Hook':
      return gitLabPush(body)
    case 'Tag Push Hook':
      return gitLabTag(body)
    case 'Merge Request Hook':
      return gitLabMergeRequest(body)
    case 'System Hook': {
      const kind = text(body, 'object_kind') || text(body, 'event_name')
      if (kind === 'push') return gitLabPush(body)
      if (kind === 'tag_push') return gitLabTag(body)
      if (kind === 'merge_request') return gitLabMergeRequest(body)
      return new WebhookRefused(`GitLab system hook ${JSON.stringify(kind)}`)
    }
    default:
      return new WebhookRefused(`GitLab event ${JSON.stringify(event)}`)
  }
}

function gitLabPush(body: Json): PushEvent {
  const revision = revisionOf(text(body, 'ref'))
  return push({
    urls: [text(body, 'project', 'web_url')],
    revision,
    touchedHead: text(body, 'project', 'default_branch') === revision,
    files: filesOf(body),
  })
}

/** Parity: generators take no notice of tags. */
function gitLabTag(body: Json): PushEvent {
  return { ...gitLabPush(body), forSets: false }
}

function gitLabMergeRequest(body: Json): WebhookEvent {
  if (!gitLabActions.has(text(body, 'object_attributes', 'action'))) return nothing
  const url = parseGoUrl(text(body, 'project', 'web_url'))
  if (url instanceof UrlIssue) return nothing
  const id = at(body, 'object_attributes', 'target_project_id')
  return {
    kind: 'pullRequest',
    host: 'gitlab',
    projectId: typeof id === 'number' || typeof id === 'bigint' ? String(id) : '0',
    hostname: hostnameOf(url),
  }
}

/** The payload does not tell which branch is HEAD, nor which files have changed. */
function bitbucketPush(body: Json): WebhookEvent {
  return {
    ...push({
      urls: [text(body, 'repository', 'links', 'html', 'href')],
      revision: text(body, 'push', 'changes', 0, 'new', 'name'),
      touchedHead: true,
      files: undefined,
    }),
    forSets: false,
  }
}

function bitbucketServer(body: Json, event: string): WebhookEvent | WebhookRefused {
  if (event === 'diagnostics:ping') return nothing
  if (event !== 'repo:refs_changed') {
    return new WebhookRefused(`Bitbucket Server event ${JSON.stringify(event)}`)
  }
  const links = list(body, 'repository', 'links', 'clone')
    .filter((link) => ['http', 'ssh'].includes(text(link, 'name')))
    .slice(0, mostLinks)
  return {
    ...push({
      urls: links.map((link) => text(link, 'href')).filter((href) => href !== ''),
      revision: revisionOf(text(body, 'changes', 0, 'ref', 'id')),
      touchedHead: true,
      files: undefined,
    }),
    forSets: false,
  }
}

function ghcrPackage(body: Json): WebhookEvent {
  const tag = text(body, 'package', 'package_version', 'container_metadata', 'tag', 'name')
  const isContainer = text(body, 'package', 'package_type').toLowerCase() === 'container'
  if (text(body, 'action') !== 'published' || !isContainer || tag === '') return nothing
  const owner = text(body, 'package', 'owner', 'login')
  return { kind: 'package', url: `oci://ghcr.io/${owner}/${text(body, 'package', 'name')}`, tag }
}
