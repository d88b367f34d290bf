import { describe, expect, it } from 'vitest'
import type { Application, AppProject } from '../argo/index.ts'
import type { JsonObject } from '../json/index.ts'
import { deletionIdentityOf, serviceAccountFor, syncIdentityOf } from './identity.ts'

const server = 'https://kubernetes.default.svc'
const project = (...destinationServiceAccounts: JsonObject[]): AppProject =>
  ({ metadata: { name: 'p' }, spec: { destinationServiceAccounts } }) as unknown as AppProject
const app = (namespace?: string): Application =>
  ({
    metadata: { name: 'a', namespace: 'app-ns' },
    spec: { destination: { server, ...(namespace !== undefined && { namespace }) } },
  }) as unknown as Application
const entry = (namespace: string, defaultServiceAccount: string, at = server): JsonObject => ({
  server: at,
  namespace,
  defaultServiceAccount,
})

describe('serviceAccountFor', () => {
  // Argo CD v3.5.1 TestDeriveServiceAccountToImpersonate and the tables of its sync controller, in our words
  it.each<[string, JsonObject[], string | undefined, string]>([
    ['the same', [entry('dest-ns', 'sa')], 'dest-ns', 'system:serviceaccount:dest-ns:sa'],
    ['patterns', [entry('d*', 'sa', 'https://*')], 'dest-ns', 'system:serviceaccount:dest-ns:sa'],
    ['with its own namespace', [entry('*', 'x:sa')], 'dest-ns', 'system:serviceaccount:x:sa'],
    ['no namespace', [entry('', 'sa')], undefined, 'system:serviceaccount:app-ns:sa'],
    ['a star fits none too', [entry('*', 'sa')], undefined, 'system:serviceaccount:app-ns:sa'],
    ['no namespace, a name wanted', [entry('dest-ns', 'sa')], undefined, 'undefined'],
    [
      'the first that fits',
      [entry('other', 'no'), entry('dest-ns', 'first'), entry('*', 'second')],
      'dest-ns',
      'system:serviceaccount:dest-ns:first',
    ],
    ['nothing', [], 'dest-ns', 'undefined'],
    ['another server', [entry('*', 'sa', 'https://x')], 'dest-ns', 'undefined'],
    ['negations are no negations', [entry('!other', 'sa')], 'dest-ns', 'undefined'],
    [
      'blank',
      [entry('*', '  ')],
      'dest-ns',
      "error default service account contains invalid chars '  '",
    ],
    [
      'a pattern as the account',
      [entry('*', 'sa-*')],
      'dest-ns',
      "error default service account contains invalid chars 'sa-*'",
    ],
    [
      'a bad pattern',
      [entry('[', 'sa')],
      'dest-ns',
      'error invalid glob pattern for destination namespace: [',
    ],
    [
      'a bad pattern of servers',
      [entry('*', 'sa', '[')],
      'dest-ns',
      'error invalid glob pattern for destination server: [',
    ],
  ])('%s', (_, accounts, namespace, want) => {
    const identity = serviceAccountFor(project(...accounts), app(namespace), server)
    expect('error' in identity ? `error ${identity.error}` : String(identity.user)).toBe(want)
  })
})

describe('identities', () => {
  const on = { enabled: true, enforced: true }

  it('are the own one where nothing is impersonated', () => {
    const broken = project(entry('*', '*'))
    expect(syncIdentityOf(broken, app('x'), server, { enabled: false, enforced: true })).toEqual({
      user: undefined,
    })
  })

  it('of syncs need an entry where that is enforced, those of deletions do not', () => {
    expect(syncIdentityOf(project(), app('x'), server, on)).toEqual({
      error: `no matching service account found for destination server ${server} and namespace x`,
    })
    expect(syncIdentityOf(project(), app('x'), server, { ...on, enforced: false })).toEqual({
      user: undefined,
    })
    expect(deletionIdentityOf(project(), app('x'), server, on)).toEqual({ user: undefined })
  })

  it('tell what is wrong in the words of each', () => {
    const broken = project(entry('*', ''))
    const why = "default service account contains invalid chars ''"
    expect(syncIdentityOf(broken, app('x'), server, on)).toEqual({
      error: `failed to derive service account to impersonate: ${why}`,
    })
    expect(deletionIdentityOf(broken, app('x'), server, on)).toEqual({
      error: `cannot apply impersonation: error deriving service account to impersonate: ${why}`,
    })
  })
})
