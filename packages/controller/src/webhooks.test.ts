import type { Application, PushEvent } from '@litecd/core/argo'
import type { JsonObject } from '@litecd/core/json'
import type { StoredSet } from '@litecd/k8s-adapter/argocd'
import { describe, expect, it } from 'vitest'
import { createLogger } from './log/index.ts'
import { webhookSecrets } from './webhook-secrets.ts'
import { Webhooks } from './webhooks.ts'

const repoURL = 'https://git.example.com/team/mono'
const app = (name: string, spec: JsonObject = {}): Application =>
  ({
    metadata: { name, namespace: 'argocd' },
    spec: { source: { repoURL, path: name }, ...spec },
  }) as unknown as Application
const set = (name: string, repo: string): StoredSet =>
  ({
    set: {
      metadata: { name, namespace: 'argocd' },
      spec: { generators: [{ git: { repoURL: repo } }], template: {} },
    },
  }) as unknown as StoredSet

const push: PushEvent = {
  kind: 'push',
  urls: [repoURL],
  revision: 'main',
  touchedHead: true,
  files: undefined,
  forSets: true,
  forApplications: true,
}

function world(applications: readonly Application[], sets: readonly StoredSet[] = []) {
  const writes: string[] = []
  const note = (key: string, patch: JsonObject): void => {
    const { annotations } = patch['metadata'] as { annotations: JsonObject }
    const short = Object.entries(annotations).map(
      ([name, value]) => `${name.split('/')[1]}=${value}`,
    )
    writes.push(`${key} ${short.join(' ')}`)
  }
  let failures = 0
  const webhooks = new Webhooks({
    applications: () => applications,
    patchApplication: async (key, patch) => {
      if (failures-- > 0) throw new Error('busy')
      note(key, patch)
    },
    sets: () => sets,
    patchSet: async (key, patch) => note(key, patch),
    facts: () => ({ clusters: [], tree: () => undefined }),
    newGitFileGlobbing: () => false,
    jitter: () => ({ ms: 60_000, threshold: 2 }),
    workers: 20,
    random: () => 0.5,
    log: createLogger('error', () => {}),
    onError: () => {},
  })
  return {
    webhooks,
    writes,
    fail: (count: number) => {
      failures = count
    },
  }
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

describe('an event', () => {
  it('refreshes Applications and sets that it concerns', async () => {
    const { webhooks, writes } = world(
      [app('a'), app('b', { source: { repoURL: 'https://elsewhere/x' } })],
      [set('s', repoURL), set('t', 'https://elsewhere/x'), { set: undefined } as StoredSet],
    )
    webhooks.take(push)
    await settled()
    expect(writes).toEqual(['argocd/a refresh=normal', 'argocd/s application-set-refresh=true'])
    expect([...webhooks.requests]).toEqual([['https://git.example.com/team/mono', 1]])
    await webhooks.stop()
  })

  it('lets Applications beyond a number of them wait', async () => {
    const { webhooks, writes } = world(['a', 'b', 'c', 'd'].map((name) => app(name)))
    webhooks.take(push)
    await settled()
    expect(writes).toHaveLength(2)
    await webhooks.stop()
  })

  it('asks for hydration, also when the first try fails', async () => {
    const sourceHydrator = {
      drySource: { repoURL, path: 'dry', targetRevision: 'main' },
      syncSource: { targetBranch: 'env', path: 'sync' },
    }
    const { webhooks, writes, fail } = world([app('h', { source: null, sourceHydrator })])
    fail(1)
    webhooks.take(push)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(writes).toEqual(['argocd/h refresh=normal hydrate=normal'])
    await webhooks.stop()
  })

  it('that says nothing does nothing', async () => {
    const { webhooks, writes } = world([app('a')], [set('s', repoURL)])
    webhooks.take({ kind: 'nothing' })
    webhooks.take({ ...push, urls: [] })
    await settled()
    expect(writes).toEqual([])
    await webhooks.stop()
  })

  it('keeps passwords and endless names of repositories out of its counts', () => {
    const { webhooks } = world([])
    webhooks.take({ ...push, urls: ['https://me:secret@git.example.com/a'] })
    for (let index = 0; index < 2000; index++)
      webhooks.take({ ...push, urls: [`https://x/${index}`] })
    expect([...webhooks.requests.keys()].join(' ')).not.toContain('secret')
    webhooks.take({ ...push, urls: ['https://git.example.com/\ud800'] }) // JSON can hold half a character
    expect(webhooks.requests.size).toBeLessThanOrEqual(1001)
  })
})

describe('webhookSecrets', () => {
  const stored: { [name: string]: { data: { [key: string]: string } } } = {
    'argocd-secret': {
      data: {
        'webhook.github.secret': ' plain \n',
        'webhook.gitlab.secret': '$other.key',
        'webhook.gogs.secret': '$elsewhere:token',
        'webhook.bitbucket.uuid': '$missing',
        'other.key': 'referred',
      },
    },
    elsewhere: { data: { token: 'far' } },
  }

  it('are trimmed, and follow references', async () => {
    let reads = 0
    let now = 0
    const secrets = webhookSecrets(
      async (_, name) => {
        reads++
        return stored[name]
      },
      'argocd',
      () => now,
    )
    expect(await secrets()).toEqual({
      github: 'plain',
      gitlab: 'referred',
      bitbucketUuid: '$missing',
      bitbucketServer: '',
      gogs: 'far',
      azureUsername: '',
      azurePassword: '',
    })
    await secrets()
    expect(reads).toBe(2)
    now += 10_000
    await secrets()
    expect(reads).toBe(4)
  })

  it('are not taken for none when they cannot be read', async () => {
    const refuse = webhookSecrets(
      async () => {
        throw new Error('forbidden')
      },
      'argocd',
      () => 0,
    )
    await expect(refuse()).rejects.toThrow('forbidden')
    await expect(refuse()).rejects.toThrow('forbidden')
  })
})
