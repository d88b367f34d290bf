import { describe, expect, it } from 'vitest'
import {
  corpusFolder,
  type ParityCase,
  type RecordedBeat,
  readCase,
} from '../../packages/core/test/corpus/argocd-cases.ts'
import { fits } from './known.ts'
import { judge } from './verdict.ts'

const base = readCase(`${corpusFolder}compare/refresh-annotation.yaml`)
const app = (status: string, message = ''): RecordedBeat => ({
  beat: 'one',
  applications: { $APP: { status: { sync: { status }, conditions: [{ type: 'X', message }] } } },
})
const of: ParityCase = { ...base, name: 'area/name', want: [app('Synced')] }

describe('the verdict on a case', () => {
  it('equal', () => {
    expect(judge(of, [app('Synced')], [], [])).toEqual({ outcome: 'equal', notes: [] })
  })

  it('differs, with the paths', () => {
    const verdict = judge(of, [app('OutOfSync')], [], [])
    expect(verdict).toMatchObject({
      outcome: 'differs',
      differences: [{ path: 'one.applications.$APP.status.sync.status', want: 'Synced' }],
    })
  })

  it('differs when the runner itself failed, although the answer is equal', () => {
    expect(judge(of, [app('Synced')], [{ at: 'one.delete', words: 'not found' }], []).outcome).toBe(
      'differs',
    )
  })

  it('not supported yet, only because the controller says so', () => {
    const got = [app('Unknown', 'RENDER_UNSUPPORTED: Helm comes later')]
    expect(judge(of, got, [], [])).toEqual({
      outcome: 'unsupported',
      reason: 'RENDER_UNSUPPORTED: Helm comes later',
    })
  })

  it('not supported yet, in litecd’s words', () => {
    const words = 'sources of type Helm are not supported yet by this version of litecd'
    const got = [app('Unknown', `Failed: rpc error: code = Unknown desc = ${words}`)]
    expect(judge(of, got, [], [])).toEqual({ outcome: 'unsupported', reason: words })
    const other = [app('Unknown', 'desc = this is not supported')]
    expect(judge(of, other, [], []).outcome).toBe('differs')
  })

  it('different when nobody touched an ApplicationSet', () => {
    const want: RecordedBeat = { beat: 'one', applicationsets: { $APP: { status: { a: 1 } } } }
    const got: RecordedBeat = { beat: 'one', applicationsets: { $APP: {} } }
    expect(judge({ ...of, want: [want] }, [got], [], []).outcome).toBe('differs')
  })

  it('known, when the table explains every difference', () => {
    const known = [{ case: 'area/name', paths: ['one.*.sync.status'], reason: 'a race' }]
    expect(judge(of, [app('OutOfSync')], [], known)).toEqual({
      outcome: 'known',
      reasons: ['a race'],
    })
    expect(judge(of, [app('OutOfSync', 'more')], [], known).outcome).toBe('differs')
    const elsewhere = [{ ...known[0]!, case: 'area/other' }]
    expect(judge(of, [app('OutOfSync')], [], elsewhere).outcome).toBe('differs')
  })
})

describe('patterns', () => {
  it.each([
    ['a.*.c', 'a.b.b.c', true],
    ['a.*', 'a.b\nc', true],
    ['a.b', 'a.b.c', false],
    ['a.(x)[0]', 'a.(x)[0]', true],
    ['a.b', 'axb', false],
  ])('%s and %s', (pattern, text, expected) => {
    expect(fits(pattern, text)).toBe(expected)
  })
})
