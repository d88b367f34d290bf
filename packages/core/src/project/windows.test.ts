import { describe, expect, it } from 'vitest'
import type { Application, AppProject, SyncWindow } from '../argo/index.ts'
import { decideWindows, windowsOf } from './windows.ts'

function project(syncWindows: readonly SyncWindow[]): AppProject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: { syncWindows },
  }
}

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: {
    project: 'shop',
    destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
  },
}

const everywhere = { applications: ['*'] }

describe('several windows and their exact edges', () => {
  const shop = project([
    { kind: 'allow', schedule: '0 9 * * 1-4', duration: '8h', ...everywhere },
    { kind: 'allow', schedule: '0 9 * * 5', duration: '5h', ...everywhere },
    {
      kind: 'deny',
      schedule: '30 11 * * *',
      duration: '30m',
      applications: ['shop*'],
      manualSync: true,
    },
    {
      kind: 'deny',
      schedule: '0 22 * * *',
      duration: '2h',
      timeZone: 'America/New_York',
      ...everywhere,
    },
    { kind: 'deny', schedule: '* * * * *', duration: '1h', applications: ['other'] },
  ])

  // 2026-01-13 is a Tuesday, 2026-01-16 a Friday, 2026-01-17 a Saturday; New York is UTC-5 in January, UTC-4 in July
  it.each([
    ['2026-01-13T10:00:00Z', true, true, 'inside the first window'],
    ['2026-01-13T11:45:00Z', false, true, 'a deny window that lets hands pass'],
    ['2026-01-13T08:59:59Z', false, false, 'before the window'],
    ['2026-01-13T09:00:00Z', false, false, 'the second of the start does not count'],
    ['2026-01-13T09:00:01Z', true, true, 'inside'],
    ['2026-01-13T16:59:59Z', true, true, 'the last second'],
    ['2026-01-13T17:00:00Z', false, false, 'over'],
    ['2026-01-16T10:00:00Z', true, true, 'the other window, while the first is closed'],
    ['2026-01-16T15:00:00Z', false, false, 'both closed'],
    ['2026-01-17T10:00:00Z', false, false, 'a weekend'],
    ['2026-01-14T03:30:00Z', false, false, '22:30 in New York in winter'],
    ['2026-07-15T02:30:00Z', false, false, '22:30 in New York in summer'],
  ])('%s automated %s, by hand %s: %s', (at, automated, manual) => {
    const now = Date.parse(at)
    expect(decideWindows(shop, app, { manual: false }, now).allowed).toBe(automated)
    expect(decideWindows(shop, app, { manual: true }, now).allowed).toBe(manual)
  })
})

describe('windowsOf', () => {
  const rule = { kind: 'deny', schedule: '* * * * *', duration: '24h' } as const

  it.each<[string, SyncWindow, boolean]>([
    ['by application', { ...rule, applications: ['sh?p'] }, true],
    ['by namespace', { ...rule, namespaces: ['w*'] }, true],
    ['by server', { ...rule, clusters: ['https://*'] }, true],
    [
      'not by the name of a cluster that is given by server',
      { ...rule, clusters: ['in-*'] },
      false,
    ],
    ['one of several is enough', { ...rule, applications: ['x'], namespaces: ['web'] }, true],
    [
      'and: all must hit',
      { ...rule, applications: ['x'], namespaces: ['web'], andOperator: true },
      false,
    ],
    ['and: empty lists do not count', { ...rule, namespaces: ['web'], andOperator: true }, true],
    ['no list at all', rule, false],
    ['no list at all, and', { ...rule, andOperator: true }, false],
  ])('%s', (_about, window, hits) => {
    expect(windowsOf(project([window]), app)).toHaveLength(hits ? 1 : 0)
  })
})

describe('decideWindows', () => {
  const always = { schedule: '* * * * *', duration: '24h', ...everywhere }
  const never = { schedule: '0 0 29 2 *', duration: '1m', ...everywhere }
  const now = Date.parse('2026-01-13T10:00:30Z')

  // what a real Argo CD did: corpus/argocd/project/windows-allow, windows-deny
  it.each<[string, readonly SyncWindow[], boolean, boolean]>([
    ['no windows', [], true, true],
    [
      'an allow window beside a closed one',
      [
        { kind: 'allow', ...always },
        { kind: 'allow', ...never },
      ],
      true,
      true,
    ],
    ['only closed', [{ kind: 'allow', ...never }], false, false],
    ['closed with manualSync', [{ kind: 'allow', ...never, manualSync: true }], false, true],
    [
      'closed, one without manualSync',
      [
        { kind: 'allow', ...never, manualSync: true },
        { kind: 'allow', ...never },
      ],
      false,
      false,
    ],
    [
      'deny beats allow',
      [
        { kind: 'allow', ...always },
        { kind: 'deny', ...always, manualSync: true },
      ],
      false,
      true,
    ],
    ['a deny window that is closed', [{ kind: 'deny', ...never }], true, true],
    [
      'a schedule that never comes',
      [{ kind: 'deny', ...always, schedule: '0 0 30 2 *' }],
      false,
      false,
    ],
    ['a kind that is neither', [{ kind: 'maybe' as never, ...always }], true, true],
    [
      'an unknown zone is UTC',
      [{ kind: 'deny', ...always, timeZone: 'Nowhere/Atall' }],
      false,
      false,
    ],
  ])('%s', (_about, windows, automated, manual) => {
    expect(decideWindows(project(windows), app, { manual: false }, now).allowed).toBe(automated)
    expect(decideWindows(project(windows), app, { manual: true }, now).allowed).toBe(manual)
  })

  it('denies everything when one window cannot be read', () => {
    const windows = [
      { kind: 'allow', ...always } as const,
      { kind: 'deny', ...always, schedule: '@daily' } as const,
    ]
    expect(decideWindows(project(windows), app, { manual: true }, now)).toEqual({
      allowed: false,
      error:
        "invalid sync windows: cannot parse schedule '@daily': parser does not accept descriptors: @daily",
    })
    expect(
      decideWindows(
        project([{ kind: 'deny', ...always, duration: '1d' }]),
        app,
        { manual: true },
        now,
      ).error,
    ).toBe(
      `invalid sync windows: cannot parse duration '1d': time: unknown unit "d" in duration "1d"`,
    )
  })

  it('lets a running operation go on where every window in its way says so', () => {
    const noon: SyncWindow = { kind: 'deny', schedule: '0 12 * * *', duration: '1h', ...everywhere }
    const at = Date.parse('2026-01-13T12:10:00Z')
    const before = { manual: false, operationStart: Date.parse('2026-01-13T11:59:00Z') }
    const inside = { manual: false, operationStart: Date.parse('2026-01-13T12:05:00Z') }
    const overrun = project([{ ...noon, syncOverrun: true }])
    expect(decideWindows(overrun, app, before, at).allowed).toBe(true)
    expect(decideWindows(overrun, app, inside, at).allowed).toBe(false)
    expect(decideWindows(overrun, app, { manual: false }, at).allowed).toBe(false)
    expect(decideWindows(project([noon]), app, before, at).allowed).toBe(false)
    const mixed = project([{ ...noon, syncOverrun: true }, noon])
    expect(decideWindows(mixed, app, before, at).allowed).toBe(false)
  })

  it('lets a running operation go on after its allow window', () => {
    const noon: SyncWindow = {
      kind: 'allow',
      schedule: '0 12 * * *',
      duration: '1h',
      ...everywhere,
    }
    const at = Date.parse('2026-01-13T13:10:00Z')
    const inside = { manual: false, operationStart: Date.parse('2026-01-13T12:30:00Z') }
    expect(decideWindows(project([{ ...noon, syncOverrun: true }]), app, inside, at).allowed).toBe(
      true,
    )
    expect(decideWindows(project([noon]), app, inside, at).allowed).toBe(false)
  })
})
