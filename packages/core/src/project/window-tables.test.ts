import { describe, expect, it } from 'vitest'
import type { Application, AppProject, SyncWindow } from '../argo/index.ts'
import { decideWindows, windowsOf } from './windows.ts'

// The tables of Argo CD v3.5.1 pkg/apis/application/v1alpha1/types_test.go for sync windows, in our words.

const project = (...syncWindows: SyncWindow[]): AppProject =>
  ({ metadata: { name: 'p' }, spec: { syncWindows } }) as unknown as AppProject
const app = {
  metadata: { name: 'test-app' },
  spec: { destination: { namespace: 'default', server: 'cluster1', name: 'clusterName' } },
} as unknown as Application
const all = { applications: ['*'] }
const now = Date.UTC(2030, 0, 15, 12, 0, 30)
const minute = 60_000

describe('TestSyncWindows_Matches', () => {
  it.each<[Partial<SyncWindow>, boolean, boolean?]>([
    [{ namespaces: ['default'] }, true],
    [{ clusters: ['cluster1'] }, true],
    [{ clusters: ['clusterName'] }, true],
    [{ applications: ['test-app'] }, true],
    [{ applications: ['test-app'], namespaces: ['default'] }, true],
    [{ applications: ['test-app'], clusters: ['clusterName'] }, true],
    [{ namespaces: ['default'], clusters: ['clusterName'] }, true],
    [{ applications: ['test-app'], namespaces: ['default'], clusters: ['clusterName'] }, true],
    [{ applications: ['test-*'] }, true],
    [{ applications: ['test-*'], namespaces: ['default'] }, true],
    [{ applications: ['test-*'], clusters: ['clusterN*'] }, true],
    [{}, false],
    [{ applications: ['other'], namespaces: ['default'] }, true, false],
    [{ applications: ['test-app'], clusters: ['other'] }, true, false],
    [{ applications: [], namespaces: ['default'] }, true],
  ])('%j: any %s', (lists, any, every = any) => {
    expect(windowsOf(project({ kind: 'allow', ...lists }), app)).toHaveLength(any ? 1 : 0)
    const strict = { kind: 'allow', ...lists, andOperator: true } as const
    expect(windowsOf(project(strict), app)).toHaveLength(every ? 1 : 0)
  })
})

describe('TestSyncWindows_CanSync', () => {
  const window = (kind: 'allow' | 'deny', open: boolean, manualSync: boolean): SyncWindow => ({
    kind,
    schedule: open ? '* * * * *' : '0 22 * * *',
    duration: '1h',
    manualSync,
    ...all,
  })
  const named: { readonly [name: string]: SyncWindow } = {
    'open allow': window('allow', true, false),
    'open allow+manual': window('allow', true, true),
    'closed allow': window('allow', false, false),
    'closed allow+manual': window('allow', false, true),
    'open deny': window('deny', true, false),
    'open deny+manual': window('deny', true, true),
    'closed deny': window('deny', false, false),
    'closed deny+manual': window('deny', false, true),
  }

  it.each<[string, boolean, boolean]>([
    ['closed deny+manual', true, true],
    ['closed deny', true, true],
    ['closed allow+manual, closed allow', false, false],
    ['open allow+manual', true, true],
    ['open allow', true, true],
    ['open allow, closed deny', true, true],
    ['closed allow', false, false],
    ['closed allow+manual', false, true],
    ['closed allow, closed deny', false, false],
    ['open allow, closed allow', true, true],
    ['open deny', false, false],
    ['open deny+manual', false, true],
    ['open deny+manual, open deny+manual, open deny+manual, open deny', false, false],
    ['open allow, open deny', false, false],
    ['open allow, open deny+manual', false, true],
    ['closed allow+manual, open deny+manual', false, true],
    ['closed allow, open deny+manual', false, true],
  ])('%s: automated %s, by hand %s', (names, automated, manual) => {
    const p = project(...names.split(', ').map((name) => named[name] as SyncWindow))
    expect(decideWindows(p, app, { manual: false }, now).allowed).toBe(automated)
    expect(decideWindows(p, app, { manual: true }, now).allowed).toBe(manual)
  })

  it.each<[string, Partial<SyncWindow>, string]>([
    ['a day of the week that there is not', { schedule: '* 10 * * 7' }, 'cannot parse schedule'],
    ['no schedule at all', { schedule: 'invalid-cron-schedule' }, 'cannot parse schedule'],
    ['a descriptor', { schedule: '@daily' }, 'cannot parse schedule'],
    ['six fields', { schedule: '0 * * * * *' }, 'cannot parse schedule'],
    ['a duration that is none', { duration: 'invalid-duration' }, 'cannot parse duration'],
    ['an unknown unit', { duration: '2a' }, 'cannot parse duration'],
  ])('denies everything for %s', (_, broken, words) => {
    for (const kind of ['allow', 'deny'] as const) {
      const fine: SyncWindow = { kind: 'allow', schedule: '* * * * *', duration: '1h', ...all }
      const p = project(fine, { ...fine, kind, ...broken })
      for (const manual of [true, false]) {
        const verdict = decideWindows(p, app, { manual }, now)
        expect(verdict.allowed).toBe(false)
        expect(verdict.error).toContain('invalid sync windows: ' + words)
      }
    }
  })

  it('does not look at broken windows that do not apply', () => {
    const p = project({ kind: 'deny', schedule: 'x', duration: 'y', applications: ['other'] })
    expect(decideWindows(p, app, { manual: false }, now)).toEqual({ allowed: true })
  })
})

describe('TestSyncWindows_Active', () => {
  const open = (schedule: string, duration: string, timeZone: string, hourUtc: number): boolean =>
    decideWindows(
      project({ kind: 'allow', schedule, duration, timeZone, ...all }),
      app,
      { manual: false },
      Date.UTC(2030, 6, 15, hourUtc),
    ).allowed

  // July: New York is UTC-4, Dhaka UTC+6
  it.each<[string, string, string, number, boolean]>([
    ['* 10 * * *', '2h', '', 11, true],
    ['* 14 * * *', '2h', '', 11, false],
    ['* 14 * * *', '2h', '', 15, true],
    ['* 11 * * *', '3h', '', 12, true],
    ['* 10 * * *', '2h', '', 17, false],
    ['* 10 * * *', '2h', 'America/New_York', 15, true],
    ['* 10 * * *', '2h', 'America/New_York', 11, false],
    ['* 14 * * *', '2h', 'America/New_York', 19, true],
    ['* 14 * * *', '2h', 'America/New_York', 22, false],
    ['* 8 * * *', '2h', 'Asia/Dhaka', 3, true],
    ['* 12 * * *', '2h', 'Asia/Dhaka', 7, true],
    ['* 12 * * *', '2h', 'Asia/Dhaka', 3, false],
    ['* 10 * * *', '2h', 'No/Where', 11, true],
    ['0 10 * JUL MON', '2h', '', 11, true],
    ['0 10 * jul sun', '2h', '', 11, false],
    ['0 10 15 * SUN', '2h', '', 11, true],
    ['0 8-10/2 * * 1-5', '2h', '', 11, true],
    ['0 10 ? * ?', '1h30m', '', 11, true],
  ])('%s for %s %s at %i: %s', (schedule, duration, timeZone, hour, isOpen) => {
    expect(open(schedule, duration, timeZone, hour)).toBe(isOpen)
  })
})

describe('TestSyncWindows_SyncOverrun', () => {
  /** `allow 60+30 overrun`: began 60 minutes ago and lasts 30. */
  const read = (words: string): SyncWindow => {
    const [kind, times = '', overrun] = words.split(' ')
    const [began, lasts] = times.split('+').map(Number)
    const start = new Date(now - (began ?? 0) * minute)
    return {
      kind: kind as 'allow' | 'deny',
      schedule: `${start.getUTCMinutes()} ${start.getUTCHours()} * * *`,
      duration: `${lasts}m`,
      syncOverrun: overrun === 'overrun',
      ...all,
    }
  }
  const always = { schedule: '* * * * *', duration: '1h', ...all }

  it.each<[string, string, number, boolean]>([
    ['a deny without it stops a sync', 'deny 0+15', 25, false],
    ['a deny with it lets a sync go on', 'deny 0+15 overrun', 25, true],
    ['not where it was not allowed to begin', 'allow 180+30, deny 0+60 overrun', 60, false],
    ['an allow with it that has ended', 'allow 60+30 overrun', 45, true],
    ['an allow without it that has ended', 'allow 60+30', 45, false],
    ['an allow with it, then a deny without', 'allow 60+30 overrun, deny 0+60', 45, false],
    ['an allow without it, then a deny with it', 'allow 60+30, deny 0+60 overrun', 45, true],
    ['both with it', 'allow 60+30 overrun, deny 0+60 overrun', 45, true],
    ['neither', 'allow 60+30, deny 0+60', 45, false],
    [
      'all of several denies',
      'allow 60+30 overrun, deny 0+60 overrun, deny 0+120 overrun',
      45,
      true,
    ],
    [
      'one of several denies lacks it',
      'allow 60+30 overrun, deny 0+60 overrun, deny 0+120',
      45,
      false,
    ],
    ['one of several allows lacks it', 'allow 60+30 overrun, allow 60+30', 45, false],
    ['all of several allows', 'allow 60+30 overrun, allow 60+30 overrun', 45, true],
    ['one that lasts is enough', 'allow 60+30, allow 60+90 overrun', 45, true],
    [
      'a deny without it beside an allow',
      'allow 120+30 overrun, allow 0+120 overrun, deny 0+60',
      105,
      false,
    ],
    [
      'a deny with it beside an allow',
      'allow 120+30 overrun, allow 0+120 overrun, deny 0+60 overrun',
      105,
      true,
    ],
  ])('%s', (_, words, startedMinutesAgo, allowed) => {
    const p = project(...words.split(', ').map(read))
    const operationStart = now - startedMinutesAgo * minute
    expect(decideWindows(p, app, { manual: false, operationStart }, now).allowed).toBe(allowed)
  })

  it('lets nothing begin, and nothing go on that began when it was denied', () => {
    const p = project({ kind: 'allow', ...always }, { kind: 'deny', syncOverrun: true, ...always })
    expect(decideWindows(p, app, { manual: false }, now).allowed).toBe(false)
    const operationStart = now - 5 * minute
    expect(decideWindows(p, app, { manual: false, operationStart }, now).allowed).toBe(false)
  })
})
