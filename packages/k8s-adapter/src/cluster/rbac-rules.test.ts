import { describe, expect, it } from 'vitest'
import {
  missingRules,
  missingSubjects,
  ruleJson,
  ruleOf,
  ruleText,
  subjectOf,
} from './rbac-rules.ts'

const rule = (text: string) => {
  const [apiGroups, resources, verbs, resourceNames = ''] = text.split(' ')
  const list = (words: string | undefined) => (words === '' ? [] : words!.split(','))
  return ruleOf({
    apiGroups: list(apiGroups === '-' ? '' : apiGroups).map((group) =>
      group === 'core' ? '' : group,
    ),
    resources: list(resources),
    verbs: list(verbs),
    resourceNames: list(resourceNames),
  })
}
const short = (one: ReturnType<typeof rule>): string =>
  [one.apiGroups.map((group) => group || 'core'), one.resources, one.verbs, one.resourceNames]
    .map((list) => list.join(','))
    .join(' ')
    .trim()

describe('missingRules', () => {
  it.each([
    ['nothing is there', [], 'core pods get', ['core pods get']],
    ['all is there', ['core pods get,list'], 'core pods list', []],
    ['one verb is missing', ['core pods get'], 'core pods get,list', ['core pods list']],
    ['each atom by itself', [], 'core,apps pods get', ['core pods get', 'apps pods get']],
    ['a star covers', ['* * *'], 'apps deployments/scale get', []],
    ['a star is not covered by its parts', ['core pods get'], 'core pods *', ['core pods *']],
    ['two rules cover together', ['core pods get', 'core pods list'], 'core pods get,list', []],
    ['any subresource of that name', ['core */status get'], 'core pods/status get', []],
    ['not the resource itself', ['core */status get'], 'core pods get', ['core pods get']],
    ['no names allow all names', ['core pods get'], 'core pods get a', []],
    ['names do not allow all', ['core pods get a'], 'core pods get', ['core pods get']],
    ['one name of two', ['core pods get a'], 'core pods get a,b', ['core pods get b']],
  ])('%s', (_, existing, wanted, missing) => {
    expect(missingRules(existing.map(rule), [rule(wanted)]).map(short)).toEqual(missing)
  })

  it('compares URLs by their start', () => {
    const url = (...nonResourceURLs: string[]) => ruleOf({ nonResourceURLs, verbs: ['get'] })
    expect(missingRules([url('/api*')], [url('/api', '/apis/x', '/version')])).toEqual([
      { ...url('/version') },
    ])
  })
})

describe('missingSubjects', () => {
  it('names each once, and takes fields as they are written', () => {
    const user = subjectOf({ kind: 'User', name: 'u' })
    const filledIn = subjectOf({ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' })
    const account = subjectOf({ kind: 'ServiceAccount', name: 's', namespace: 'n' })
    expect(missingSubjects([filledIn, account], [user, user, account])).toEqual([user])
  })
})

it('prints and writes rules', () => {
  expect(ruleText(rule('core pods get,list a'))).toBe(
    '{Verbs:[get list] APIGroups:[] Resources:[pods] ResourceNames:[a] NonResourceURLs:[]}',
  )
  expect(ruleJson(ruleOf({}))).toEqual({ verbs: [] })
})
