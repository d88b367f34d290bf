import { describe, expect, it } from 'vitest'
import type { Report } from '../workspace/report.ts'
import { turnoverLine, turnoverOf, warningsOf } from './turnover.ts'

type Change = 'added' | 'removed' | 'changed'

function app(
  name: string,
  change: Change,
  plan?: { cascades?: boolean; certain?: boolean; kinds?: string[]; kept?: number } | 'failed',
  failedBefore: boolean = false,
): Report['applications'][number] {
  const objects = [{ key: { kind: 'ConfigMap' } }]
  const base = { preview: { name, change, objects, failedBefore }, reasons: ['no longer there'] }
  if (plan === undefined) return base as never
  if (plan === 'failed') return { ...base, plan: { failure: {} } } as never
  const { cascades = true, certain = true, kinds = [], kept = 0 } = plan
  const tasks = kinds.map((kind) => ({ key: { kind } }))
  const deletion = {
    kind: 'deletion',
    cascades,
    certain,
    cause: 'ApplicationSet/s makes it no more',
    steps: [{ wave: 0, tasks }],
    kept: Array.from({ length: kept }, () => ({})),
  }
  return { ...base, plan: { plan: deletion } } as never
}
const report = (...applications: Report['applications']): Report =>
  ({ applications, remarks: [] }) as unknown as Report
const line = (...applications: Report['applications']): string | undefined =>
  turnoverLine(turnoverOf(report(...applications)))
const pvc = 'PersistentVolumeClaim'

describe('turnoverLine', () => {
  it.each<[string, Report['applications'], string | undefined]>([
    ['nothing comes or goes', [app('a', 'changed')], undefined],
    ['one comes', [app('a', 'added')], 'This change adds 1 Application.'],
    [
      'three come and one goes',
      [
        ...['a', 'b', 'c'].map((name) => app(name, 'added')),
        app('d', 'removed', { kinds: [...Array<string>(13).fill('ConfigMap'), pvc] }),
      ],
      'This change adds 3 Applications, deletes 1 (and with it 14 objects, one PersistentVolumeClaim among them).',
    ],
    [
      'two go',
      [app('a', 'removed', { kinds: [pvc, 'Namespace'] }), app('b', 'removed', { kinds: [pvc] })],
      'This change deletes 2 Applications (and with them 3 objects, one Namespace and 2 PersistentVolumeClaims among them).',
    ],
    [
      'one goes and leaves everything',
      [app('a', 'removed', { cascades: false, kinds: [pvc], kept: 1 })],
      'This change deletes 1 Application (its objects stay).',
    ],
    [
      'one goes with whatever it has',
      [app('a', 'removed', {}, true)],
      'This change deletes 1 Application (and with it objects that are not known here).',
    ],
    [
      'one of two goes with whatever it has',
      [app('a', 'removed', { kinds: ['ConfigMap'] }), app('b', 'removed', {}, true)],
      'This change deletes 2 Applications (and with them 1 object, and others that are not known here).',
    ],
    [
      'somebody has to delete it',
      [app('a', 'removed', { certain: false, kinds: ['ConfigMap'] })],
      'This change leaves 1 Application for somebody to delete (which takes with it 1 object).',
    ],
    [
      'nobody could plan it',
      [app('a', 'removed', 'failed'), app('b', 'removed')],
      'This change deletes 2 Applications (and with them 2 objects).',
    ],
  ])('%s', (_, applications, want) => {
    expect(line(...applications)).toBe(want)
  })
})

describe('warningsOf', () => {
  it('tells emptied sets first, then what goes with its objects', () => {
    const emptied = { code: 'APPSET_EMPTY', message: 'ApplicationSet/s made 2 and makes none now' }
    const other = { code: 'RENDER_FAILED', message: 'x' }
    const all = {
      ...report(
        app('a', 'removed', { kinds: [pvc, 'ConfigMap'] }),
        app('b', 'removed', { cascades: false, kinds: [pvc] }),
        app('c', 'removed', { certain: false, kinds: [pvc] }),
      ),
      remarks: [other, emptied],
    }
    expect(warningsOf(all)).toEqual([
      'ApplicationSet/s made 2 and makes none now',
      'Application a is deleted, and 2 objects with it (1 PersistentVolumeClaim): ApplicationSet/s makes it no more',
    ])
  })

  it('does not go on for ever', () => {
    const apps = Array.from({ length: 13 }, (_, i) => app(`a${i}`, 'removed', { kinds: [pvc] }))
    expect(warningsOf(report(...apps)).at(-1)).toBe('3 more Applications are deleted')
    expect(warningsOf(report(...apps))).toHaveLength(11)
  })
})
