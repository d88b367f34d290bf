import { describe, expect, it } from 'vitest'
import type { Application } from '../../argo/index.ts'
import type { JsonObject } from '../../json/index.ts'
import type { ApplicationSet } from '../types.ts'
import { isRollingSync, planSteps, rollingSteps, stepNumber } from './steps.ts'

/** `name key=value key=value` */
function app(words: string): Application {
  const [name = '', ...labels] = words.split(' ')
  const pairs = labels.map((one) => one.split('='))
  return { metadata: { name, labels: Object.fromEntries(pairs) } } as unknown as Application
}

/** `env in dev|qa, region notin eu` is one step. */
function step(words: string): JsonObject {
  if (words === '') return {}
  const matchExpressions = words.split(', ').map((one) => {
    const [key = '', operator = '', values = ''] = one.split(' ')
    const named = { in: 'In', notin: 'NotIn' }[operator] ?? operator
    return { key, operator: named, values: values.split('|') }
  })
  return { matchExpressions }
}

describe('planSteps', () => {
  // the tables of Argo CD v3.5.1 applicationset/progressivesync TestBuildAppDependencyList, in our words
  it.each<[string, string[], string[], string[][]]>([
    ['no steps', [], ['a env=dev'], []],
    ['no Applications', ['env in dev'], [], [[]]],
    ['one that fits', ['env in dev'], ['a env=dev'], [['a']]],
    [
      'a step that nobody fits',
      ['env in dev', 'env in qa', 'env in prod'],
      ['q env=qa', 'p env=prod'],
      [[], ['q'], ['p']],
    ],
    [
      'all expressions must hold',
      ['region in us-east-2, env in qa'],
      ['q1 env=qa', 'q2 env=qa region=us-east-2'],
      [['q2']],
    ],
    [
      'any of the values',
      ['env in qa|prod'],
      ['d env=dev', 'q env=qa', 'p env=prod region=us-east-2'],
      [['q', 'p']],
    ],
    ['NotIn, nobody there', ['env notin dev'], [], [[]]],
    ['NotIn', ['env notin dev'], ['d env=dev', 'p env=prod'], [['p']]],
    ['NotIn that leaves nobody', ['env notin dev'], ['d env=dev'], [[]]],
    [
      'NotIn, whoever lacks the label stays',
      ['region notin us-east-2, env notin qa'],
      ['q1 env=qa', 'q2 env=qa region=us-east-2', 'p env=prod'],
      [['p']],
    ],
    [
      'NotIn with several values',
      ['env notin qa|prod'],
      ['d env=dev', 'q env=qa', 'p env=prod', 'x'],
      [['d', 'x']],
    ],
    [
      'In and NotIn together',
      ['env in qa|prod, region notin us-west-2'],
      ['q env=qa region=us-west-2', 'p env=prod region=us-east-2', 'r env=qa', 'd env=dev'],
      [['p', 'r']],
    ],
    ['no expressions fit everybody', [''], ['a', 'b env=qa'], [['a', 'b']]],
    ['an unknown operator: only who lacks the label', ['env Exists x'], ['a env=x', 'b'], [['b']]],
    ['an Application in two steps', ['env in qa', ''], ['a env=qa', 'b'], [['a'], ['a', 'b']]],
  ])('%s', (_, steps, apps, names) => {
    expect(planSteps(steps.map(step), apps.map(app)).names).toEqual(names)
  })

  it('numbers from 1 on, by the first step that fits, -1 for none', () => {
    const plan = planSteps(['env in qa', 'env in qa|prod'].map(step), [
      app('q env=qa'),
      app('p env=prod'),
      app('d env=dev'),
    ])
    expect(['q', 'p', 'd', 'unknown'].map((name) => stepNumber(plan, name))).toEqual([
      '1',
      '2',
      '-1',
      '-1',
    ])
  })
})

describe('isRollingSync', () => {
  const rollingSync = { steps: [{}] }

  // Argo CD v3.5.1 TestIsRollingSyncStrategy
  it.each<[string, JsonObject | undefined, boolean, number]>([
    ['the type and the block', { type: 'RollingSync', rollingSync }, true, 1],
    ['without steps', { type: 'RollingSync', rollingSync: {} }, true, 0],
    ['without the block', { type: 'RollingSync' }, false, 0],
    ['another type', { type: 'AllAtOnce', rollingSync }, false, 0],
    ['another spelling', { type: 'rollingsync', rollingSync }, false, 0],
    ['no type', { rollingSync }, false, 0],
    ['no strategy', undefined, false, 0],
  ])('%s', (_, strategy, rolls, steps) => {
    const set = { metadata: { name: 's' }, spec: { strategy } } as unknown as ApplicationSet
    expect(isRollingSync(set)).toBe(rolls)
    expect(rollingSteps(set)).toHaveLength(steps)
  })
})
