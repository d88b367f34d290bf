import { describe, expect, it } from 'vitest'
import type { AppProject } from '../argo/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { integrityOf, integrityPolicies } from './integrity.ts'

const project = (spec: JsonObject): AppProject =>
  ({ metadata: { name: 'p' }, spec }) as unknown as AppProject
const policy = (urls: string[], mode: Json, ...keys: string[]): JsonObject => ({
  repos: urls.map((url) => ({ url })),
  gpg: { mode, keys },
})
const git = (...policies: JsonObject[]): JsonObject => ({ sourceIntegrity: { git: { policies } } })
const signatureKeys = [{ keyID: 'LEGACY' }, { keyID: 'KEYS' }]

describe('integrityPolicies', () => {
  const fresh = policy(['https://github.com/*'], 'strict', 'NEW')
  const migrated = policy(['*'], 'head', 'LEGACY', 'KEYS')

  // Argo CD v3.5.1 TestAppProject_EffectiveSourceIntegrity
  it.each<[string, JsonObject, JsonObject[]]>([
    ['neither', {}, []],
    ['the newer list', git(fresh), [fresh]],
    ['the older list', { signatureKeys }, [migrated]],
    ['both: the newer one', { signatureKeys, ...git(fresh) }, [fresh]],
    ['a newer one without git', { signatureKeys, sourceIntegrity: {} }, [migrated]],
    ['an empty older list', { signatureKeys: [] }, []],
  ])('%s', (_, spec, policies) => {
    expect(integrityPolicies(project(spec))).toEqual(policies)
  })
})

describe('integrityOf', () => {
  const url = 'https://github.com/org/repo'
  const key40 = '0123456789abcdef01234567D56C4FCA57A46444'

  it.each<[string, JsonObject, object]>([
    ['no policy', {}, { kind: 'none' }],
    ['for another repository', git(policy(['https://x/*'], 'head')), { kind: 'none' }],
    [
      'a star crosses slashes',
      git(policy(['https://github.com/*'], 'head', 'D56C4FCA57A46444')),
      { kind: 'signed', mode: 'head', keys: ['D56C4FCA57A46444'] },
    ],
    [
      'fingerprints are cut',
      git(policy(['*'], 'strict', key40)),
      { kind: 'signed', mode: 'strict', keys: ['D56C4FCA57A46444'] },
    ],
    ['an exception', git(policy(['*', '!https://github.com/org/*'], 'head')), { kind: 'none' }],
    ['exceptions alone', git(policy(['!https://x/*'], 'head')), { kind: 'none' }],
    ['case matters', git(policy(['https://GitHub.com/*'], 'head')), { kind: 'none' }],
    ['so does .git', git(policy([`${url}.git`], 'head')), { kind: 'none' }],
    ['mode none', git(policy(['*'], 'none')), { kind: 'none' }],
    [
      'an unknown mode',
      git(policy(['*'], 'some')),
      { kind: 'wrong', message: 'unknown GPG mode "some" configured for GIT source integrity' },
    ],
    [
      'several',
      git(policy(['*'], 'none'), policy(['https://*'], 'head')),
      {
        kind: 'wrong',
        message: `multiple (2) git source integrity policies found for repo URL: ${url}`,
      },
    ],
    [
      'the older list',
      { signatureKeys },
      { kind: 'signed', mode: 'head', keys: ['LEGACY', 'KEYS'] },
    ],
  ])('%s', (_, spec, demand) => {
    expect(integrityOf(project(spec), url)).toEqual(demand)
  })
})
