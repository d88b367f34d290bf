import type { JsonObject } from '@litecd/core/json'
import { parseYaml } from '@litecd/core/yaml'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickVersion, readChartEntries } from './index-file.ts'

const versionsOf = (index: string, chart: string): readonly string[] | undefined =>
  readChartEntries(Buffer.from(index), chart).versions?.map(({ version }) => version)

const block = `apiVersion: v1
entries:
  # the first chart
  api:
  - apiVersion: v2
    description: |
      entries:
        web:
        - version: 9.9.9
    urls:
    - api-1.0.0.tgz
    version: 1.0.0
  - urls: [https://other/api-0.9.0.tgz, second]
    version: 0.9.0

  "quoted: name":
    - version: 3.0.0
  'it''s':
    - version: 4.0.0
  web:
    - version: "1.10"
      urls: []
    - version: 1.2
    - null
    - name: no version
  empty: []
  none:
generated: "2026-01-01T00:00:00Z"
other:
  web:
    - version: 8.8.8
`

describe('the index of a Helm repository', () => {
  it.each([
    ['api', ['1.0.0', '0.9.0']],
    ['quoted: name', ['3.0.0']],
    ["it's", ['4.0.0']],
    ['web', ['1.10', '1.2']],
    ['empty', []],
    ['none', []],
    ['nope', undefined],
    ['entries', undefined],
    ['__proto__', undefined],
  ])('%s', (chart, want) => {
    for (const index of [
      block,
      block.replaceAll('\n', '\r\n'),
      '\ufeff' + block,
      '# a comment\n' + block,
    ]) {
      expect(versionsOf(index, chart)).toEqual(want)
    }
    expect(versionsOf(JSON.stringify(parseYaml(block)), chart)).toEqual(want)
  })

  it('keeps the places of archives', () => {
    expect(readChartEntries(Buffer.from(block), 'api').versions).toEqual([
      { version: '1.0.0', urls: ['api-1.0.0.tgz'] },
      { version: '0.9.0', urls: ['https://other/api-0.9.0.tgz', 'second'] },
    ])
  })

  it.each([
    ['entries: {web: [{version: 1.0.0}]}', ['1.0.0']],
    ['entries:\n- web', 'json: cannot unmarshal array into Go struct field'],
    ['entries:\n  web: 1', 'json: cannot unmarshal number into Go struct field'],
    ['entries:\n  web: &web\n  - &one {version: 1.0.0}\n  more: *web', ['1.0.0']],
    ['entries:\n  first:\n  - &one {version: 1.0.0}\n  web:\n  - *one', ['1.0.0']],
    [
      'entries:\n        deep:\n        - version: 2.0.0\n        web:\n        - version: 1.0.0',
      ['1.0.0'],
    ],
    ['entries:\n  ? web\n  : - version: 1.0.0', ['1.0.0']],
    ['apiVersion: v1', undefined],
    ['entries:', undefined],
    ['', 'json: cannot unmarshal null into Go value of type repo.IndexFile'],
  ])('of another style than Helm writes: %j', (index, want) => {
    if (typeof want === 'string') expect(() => versionsOf(index, 'web')).toThrow(want)
    else expect(versionsOf(index, 'web')).toEqual(want)
  })

  it('says whether it has an apiVersion', () => {
    expect(readChartEntries(Buffer.from(block), 'web').hasApiVersion).toBe(true)
    expect(
      readChartEntries(Buffer.from(block.replace('apiVersion: v1\n', '')), 'web').hasApiVersion,
    ).toBe(false)
    expect(() => versionsOf('entries:\n  web:\n  - version: [', 'web')).toThrow()
  })

  it('cut out equals parsed whole', () => {
    const name = fc.constantFrom('web', 'api', 'a-b', 'x.y', 'web2', 'we')
    const version = fc.record({
      version: fc.constantFrom('1.0.0', '1.2.3-rc.1', '2.0', 'v3'),
      urls: fc.array(fc.constantFrom('a.tgz', 'https://h/b.tgz'), { maxLength: 2 }),
      description: fc.constantFrom(
        'text',
        'web:\n  - version: 9\n',
        'entries:\n  web: 1',
        '# no comment',
        '',
      ),
    })
    const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by))
    const item = (
      one: { version: string; urls: readonly string[]; description: string },
      style: number,
    ): string =>
      style === 0
        ? `- ${JSON.stringify(one)}\n`
        : `- version: ${JSON.stringify(one.version)}\n  description: |-\n${indent(one.description === '' ? ' ' : one.description, 4)}\n  urls: ${JSON.stringify(one.urls)}\n`
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.array(version, { maxLength: 3 }), { maxKeys: 6 }),
        fc.nat(1),
        fc.nat(1),
        name,
        (entries, style, deep, wanted) => {
          let text = 'apiVersion: v1\nentries:\n'
          for (const [chart, versions] of Object.entries(entries)) {
            text += `  ${chart}:\n`
            if (versions.length === 0) text = text.replace(/:\n$/, ': []\n')
            for (const one of versions) text += indent(item(one, style), 2 + 2 * deep)
          }
          text += 'generated: now\n'
          const whole = ((parseYaml(text) as JsonObject)['entries'] ?? {}) as JsonObject
          const want = Object.hasOwn(whole, wanted)
            ? (whole[wanted] as unknown as { version: string; urls: string[] }[]).map(
                ({ version, urls }) => ({ version: String(version), urls }),
              )
            : undefined
          expect(readChartEntries(Buffer.from(text), wanted).versions).toEqual(want)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is read in a moment however large it is', () => {
    const one = (i: number): string =>
      `  - apiVersion: v2\n    description: ${'words '.repeat(30)}\n    digest: ${'ab'.repeat(32)}\n    urls:\n    - https://h/x-1.${i}.0.tgz\n    version: 1.${i}.0\n`
    let text = 'apiVersion: v1\nentries:\n'
    for (let chart = 0; chart < 300; chart++)
      text += `  chart-${chart}:\n${Array.from({ length: 150 }, (_, i) => one(i)).join('')}`
    const index = Buffer.from(text)
    expect(index.length).toBeGreaterThan(10_000_000)
    const started = performance.now()
    expect(readChartEntries(index, 'chart-299').versions).toHaveLength(150)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('pickVersion', () => {
  const versions = ['0.9.0', '1.10.0', '1.2.0', '2.0.0-rc.1', '1.2.5', 'latest', 'v1.3.0'].map(
    (version) => ({ version, urls: [] }),
  )
  it.each([
    ['1.2.0', '1.2.0'],
    ['1.2', '1.2.5'],
    ['^1.0.0', '1.10.0'],
    ['', '1.10.0'],
    ['>=2.0.0-0', '2.0.0-rc.1'],
    ['1.3.0', 'v1.3.0'],
    ['9.9.9', undefined],
    ['latest', undefined],
  ])('%j is %j', (wanted, want) => {
    expect(pickVersion(versions, wanted)?.version).toBe(want)
  })
})
