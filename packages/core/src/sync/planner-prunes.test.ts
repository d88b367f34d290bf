// The subjects of gitops-engine's own tables (argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context_test.go) as questions to
// our planner: what is pruned, and when. What runs over several beats is in corpus/sync.
import { describe, expect, it } from 'vitest'
import { ask, hook, object, options, type Question, wave } from '../../test/support/ask-planner.ts'
import type { Operation } from '../argo/index.ts'
import { keyOf, type Manifest } from '../kube/index.ts'

describe('waves of prunes', () => {
  const at = (waves: { readonly [name: string]: number }): readonly Manifest[] =>
    Object.entries(waves).map(([name, number]) => object('ConfigMap', name, wave(number)))

  /** Names of prunes in the order in which beats do them; what is pruned together stands in one list. */
  function order(
    targets: readonly Manifest[],
    live: readonly Manifest[],
    syncOptions: readonly string[] = [],
  ) {
    let left = [...live]
    let rows: Question['rows'] = []
    const groups: string[][] = []
    for (let beat = 0; beat < 20; beat++) {
      const { steps, end } = ask({
        targets,
        live: left,
        rows,
        operation: { sync: { prune: true, syncOptions } },
      })
      const gone = steps
        .filter(({ kind }) => kind === 'prune')
        .flatMap((step) => (step.kind === 'save' ? [] : step.requests))
        .map((request) => ('key' in request ? request.key.name : ''))
      if (gone.length > 0) groups.push(gone)
      left = left.filter((one) => !gone.includes(keyOf(one).name))
      rows = end.resources
      if (end.phase !== 'Running') break
    }
    return groups
  }

  it.each<[string, { readonly [name: string]: number }, readonly (readonly string[])[]]>([
    ['one wave stays one', { a: 0, b: 0, c: 0 }, [['a', 'b', 'c']]],
    [
      'five waves are turned round',
      { a: 0, b: 1, c: 2, d: 3, e: 4 },
      [['e'], ['d'], ['c'], ['b'], ['a']],
    ],
    ['gaps stay gaps', { a: 1, b: 3, c: 4 }, [['c'], ['b'], ['a']]],
    ['below zero too', { a: -5, b: 0, c: 5 }, [['c'], ['b'], ['a']]],
    [
      'the waves of one stay together',
      { a: 1, b: 3, c: 3, d: 4, e: 5 },
      [['e'], ['d'], ['b', 'c'], ['a']],
    ],
  ])('%s', (_name, live, want) => {
    expect(order([], at(live))).toEqual(want)
  })

  it('come after everything else with PruneLast', () => {
    const targets = [object('ConfigMap', 'kept', wave(7))]
    const live = [object('ConfigMap', 'kept', wave(7)), ...at({ a: 1, b: 2 })]
    const { lines, end } = ask({
      targets,
      live,
      operation: { sync: { prune: true, syncOptions: ['PruneLast=true'] } },
    })
    expect(lines).toEqual([
      'dryRun   Sync/7 resource ConfigMap app/kept',
      'apply    Sync/7 resource ConfigMap app/kept',
    ])
    expect(end.phase).toBe('Running')
    expect(order(targets, live, ['PruneLast=true'])).toEqual([['a', 'b']])
  })

  it('of single objects come last where those say so', () => {
    const live = [
      object('ConfigMap', 'a', wave(1)),
      object('ConfigMap', 'b', { ...wave(2), ...options('PruneLast=true') }),
      object('ConfigMap', 'c', wave(3)),
      object('ConfigMap', 'd', wave(4)),
    ]
    expect(order([object('ConfigMap', 'kept')], [...live, object('ConfigMap', 'kept')])).toEqual([
      ['d'],
      ['c'],
      ['a'],
      ['b'],
    ])
  })

  it('leaves the waves of targets as they are', () => {
    const { lines } = ask({
      targets: at({ a: 0, c: 2 }),
      live: at({ a: 0, b: 1, d: 3 }),
      operation: { sync: { prune: true } },
    })
    expect(lines.filter((line) => line.startsWith('dryRun'))).toEqual([
      'dryRun   Sync/0 resource ConfigMap app/a',
      'dryRun   Sync/2 resource ConfigMap app/c',
    ])
  })
})

describe('what is pruned', () => {
  const gone = object('ConfigMap', 'gone')
  it.each<[string, Manifest, Operation, string, string]>([
    ['when the sync prunes', gone, { sync: { prune: true } }, 'Pruned', 'pruned'],
    ['not when it does not', gone, { sync: {} }, 'PruneSkipped', 'ignored (requires pruning)'],
    [
      'not when the object says no',
      object('ConfigMap', 'gone', options('Prune=false')),
      { sync: { prune: true } },
      'PruneSkipped',
      'ignored (no prune)',
    ],
    [
      'not when the options say no',
      gone,
      { sync: { prune: true, syncOptions: ['Prune=false'] } },
      'PruneSkipped',
      'ignored (no prune)',
    ],
    [
      'when the object says yes and the options no',
      object('ConfigMap', 'gone', options('Prune=true')),
      { sync: { prune: true, syncOptions: ['Prune=false'] } },
      'Pruned',
      'pruned',
    ],
    [
      'not when the object says no and the options yes',
      object('ConfigMap', 'gone', options('Prune=false')),
      { sync: { prune: true, syncOptions: ['Prune=true'] } },
      'PruneSkipped',
      'ignored (no prune)',
    ],
    [
      'when the object says yes and the options ask first',
      object('ConfigMap', 'gone', options('Prune=true')),
      { sync: { prune: true, syncOptions: ['Prune=confirm'] } },
      'Pruned',
      'pruned',
    ],
    ['for show', gone, { sync: { prune: true, dryRun: true } }, 'Pruned', 'pruned (dry run)'],
  ])('%s', (_name, live, operation, status, message) => {
    const { end } = ask({ live: [live], operation })
    expect(end.resources).toMatchObject([{ name: 'gone', status, message, hookPhase: 'Succeeded' }])
    expect(end.phase).toBe('Succeeded')
  })

  it.each<[string, readonly string[], string]>([
    ['by default', [], 'Foreground'],
    ['as asked', ['PrunePropagationPolicy=background'], 'Background'],
    ['as asked', ['PrunePropagationPolicy=orphan'], 'Orphan'],
    ['by default for what nobody knows', ['PrunePropagationPolicy=sideways'], 'Foreground'],
  ])('with its dependents, %s: %s', (_name, syncOptions, propagation) => {
    const { writes } = ask({ live: [gone], operation: { sync: { prune: true, syncOptions } } })
    expect(writes).toMatchObject([{ verb: 'delete', propagation }])
  })

  it('fails the sync when it is refused, and nothing is applied beside it', () => {
    const { end, lines } = ask({
      targets: [object('ConfigMap', 'new')],
      live: [gone],
      answer: (step) =>
        step.kind === 'prune'
          ? { error: { message: 'no', status: 403, reason: 'Forbidden' } }
          : undefined,
    })
    expect(lines.filter((line) => line.startsWith('apply'))).toEqual([])
    expect(end).toMatchObject({
      phase: 'Failed',
      message: 'one or more objects failed to apply, reason: no',
      resources: [{ name: 'gone', status: 'SyncFailed', hookPhase: 'Failed', message: 'no' }],
    })
  })

  it('never is a hook, whether or not it is in the repository', () => {
    const { lines, end } = ask({ live: [object('Job', 'old', hook('PreSync'))] })
    expect({ lines, phase: end.phase }).toEqual({ lines: [], phase: 'Succeeded' })
  })
})
