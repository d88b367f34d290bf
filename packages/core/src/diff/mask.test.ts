import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Application, defaultSettings } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import type { Json } from '../json/index.ts'
import { keyOf, type Manifest } from '../kube/index.ts'
import { encodeBase64, textToBytes } from '../text/index.ts'
import { compileDiffRules, diffPairs, maskDiff, maskSecrets, secretChanges } from './index.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

const secret = (rest: object, annotations: object = {}): Manifest =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'db', namespace: 'demo', annotations },
    ...rest,
  }) as unknown as Manifest

const app = (syncOptions: readonly string[], annotations: object = {}): Application =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'a', annotations },
    spec: { project: 'default', destination: {}, syncPolicy: { syncOptions } },
  }) as unknown as Application

const mask = '++++++++'

describe('maskSecrets', () => {
  const applied = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'db', namespace: 'demo' },
    data: { password: 'b2xk', gone: 'Zw==', same: 'cw==' },
  }

  it('shows what differs and nothing else', () => {
    const pair = maskSecrets(
      {
        target: secret(
          { data: { same: 'cw==' }, stringData: { password: 'new' } },
          { token: 'abc' },
        ),
        live: secret(
          { data: { password: 'b2xk', same: 'cw==', onlylive: 'bA==' } },
          { token: 'def', [lastApplied]: JSON.stringify(applied) },
        ),
      },
      ['token'],
    )
    expect(pair.target).toEqual(secret({ data: { password: mask, same: mask } }, { token: mask }))
    const shown =
      `{"apiVersion":"v1","data":{"gone":"${mask}","password":"${mask}++++","same":"${mask}"},` +
      '"kind":"Secret","metadata":{"name":"db","namespace":"demo"}}'
    expect(pair.live).toEqual(
      secret(
        { data: { password: `${mask}++++`, same: mask, onlylive: mask } },
        { token: `${mask}++++`, [lastApplied]: shown },
      ),
    )
  })

  it.each<[string, object, object]>([
    ['data that is no map', { data: 'c2VjcmV0' }, { data: mask }],
    ['stringData that is no map', { stringData: ['secret'] }, { stringData: mask }],
    [
      'values that are no texts',
      { data: { a: { b: 'secret' }, c: 12345 } },
      { data: { a: mask, c: mask } },
    ],
    ['a misspelt field', { dat: { a: 'secret' } }, { dat: mask }],
    ['null for a value', { data: { a: null } }, { data: { a: mask } }],
    [
      'a key with a special name',
      JSON.parse('{"data": {"__proto__": "c2VjcmV0"}}'),
      JSON.parse(`{"data": {"__proto__": "${mask}"}}`),
    ],
  ])('hides %s', (_name, rest, shown) => {
    expect(maskSecrets({ target: secret(rest), live: undefined }, [])).toEqual({
      target: secret(shown),
      live: undefined,
    })
  })

  it.each([
    ['no JSON', 'not json eA=='],
    ['no object', '["secret"]'],
    ['no text', { data: { a: 'secret' } }],
  ])('hides what was applied last as a whole when it is %s', (_name, text) => {
    const { live } = maskSecrets(
      { target: undefined, live: secret({}, { [lastApplied]: text }) },
      [],
    )
    expect(live).toEqual(secret({}, { [lastApplied]: mask }))
  })

  it('hides what was applied last as a whole when it is on the list', () => {
    const live = secret({}, { [lastApplied]: JSON.stringify(applied) })
    expect(maskSecrets({ target: undefined, live }, [lastApplied]).live).toEqual(
      secret({}, { [lastApplied]: mask }),
    )
  })
})

describe('maskDiff', () => {
  const diff = (target: Manifest, live: Manifest, options: readonly string[] = []) => {
    const rules = compileDiffRules(app(options), defaultSettings)
    const [one] = diffPairs([{ key: keyOf(target), target, live }], rules)
    return maskDiff(one!, rules, [])
  }

  it.each([
    ['client side', []],
    ['structured merge', ['ServerSideApply=true']],
  ])('compares the masks anew: %s', (_name, options) => {
    const { modified, normalizedLive, predictedLive } = diff(
      secret({ data: { a: 'bmV3', b: 'c2FtZQ==' } }),
      secret({ data: { a: 'b2xk', b: 'c2FtZQ==', c: 'bW9yZQ==' }, type: 'Opaque' }),
      options,
    )
    expect(modified).toBe(true)
    expect(normalizedLive?.['data']).toEqual({ a: `${mask}++++`, b: mask, c: mask })
    expect(predictedLive?.['data']).toEqual({ a: mask, b: mask, c: mask })
  })

  it('leaves other kinds alone', () => {
    const config = { ...secret({ data: { a: '1' } }), kind: 'ConfigMap' }
    expect(diff(config, config).target).toBe(config)
  })
})

describe('secretChanges', () => {
  const before = secret({ data: { a: 'YQ==', b: 'Yg==', gone: 'Zw==' } })
  const after = secret({ data: { a: 'YQ==', fresh: 'Zg==' }, stringData: { b: 'c' } })

  it('names keys, never values', () => {
    expect(secretChanges(before, after)).toEqual([
      { key: 'a', change: 'same' },
      { key: 'b', change: 'modify' },
      { key: 'fresh', change: 'add' },
      { key: 'gone', change: 'remove' },
    ])
  })

  it('gives hashes that depend on the key for hashing and on the name', () => {
    const hashes = (name: string, hashKey: string): readonly (string | undefined)[] =>
      secretChanges(undefined, secret({ data: { [name]: 'YQ==' } }), textToBytes(hashKey)).map(
        ({ after: hash }) => hash,
      )
    expect(hashes('a', '1')[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(hashes('a', '1')).toEqual(hashes('a', '1'))
    expect(hashes('a', '1')).not.toEqual(hashes('a', '2'))
    expect(hashes('a', '1')).not.toEqual(hashes('b', '1'))
  })
})

// A value that nothing else can contain, so that finding it in an output is a leak.
const value = fc
  .string({ unit: fc.constantFrom(...'QZXJK~^\\"\n%'), minLength: 6, maxLength: 12 })
  .map((text) => `Q~${text}`)

const encoded = (text: string): string => encodeBase64(textToBytes(text))

const leaf = (text: string): fc.Arbitrary<Json> =>
  fc.constantFrom<Json>(text, encoded(text), [text], { deep: [{ er: text }] }, encoded(text))

/** Secrets, sound and broken, with one value in all sorts of places. */
function secretWith(text: string): fc.Arbitrary<Manifest> {
  const map = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), leaf(text), { maxKeys: 3 })
  const part = fc.oneof({ weight: 3, arbitrary: map }, { weight: 1, arbitrary: leaf(text) })
  const fields = fc.record(
    { data: part, stringData: part, dat: part, type: fc.constant('Opaque') },
    { requiredKeys: [] },
  )
  const annotation = fc.oneof(
    fields.map((rest) => JSON.stringify({ ...secret({}), ...rest })),
    fields.map((rest) => JSON.stringify({ kind: 'Other', ...rest })),
    fc.constant<Json>(`{"broken": "${encoded(text)}`),
    fc.constant<Json>(text),
    fc.constant<Json>([text]),
  )
  const annotations = fc.oneof(
    { weight: 4, arbitrary: annotation.map((applied) => ({ [lastApplied]: applied, a: 'b' })) },
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: leaf(text) },
  )
  return fc
    .tuple(fields, annotations)
    .map(([rest, marks]) => secret(rest as object, marks as object))
}

describe('no value of a Secret gets out', () => {
  const pairs = value.chain((text) =>
    fc.record({
      text: fc.constant(text),
      target: secretWith(text),
      live: secretWith(text),
      options: fc.constantFrom<readonly string[]>([], ['ServerSideApply=true']),
    }),
  )

  const leaks = (output: unknown, text: string): boolean => {
    const shown = [String(output), JSON.stringify(output) ?? '']
    const written = [text, encoded(text), JSON.stringify(text).slice(1, -1)]
    return shown.some((one) => written.some((secretText) => one.includes(secretText)))
  }

  it('through masks', () => {
    fc.assert(
      fc.property(pairs, ({ text, target, live }) => {
        expect(leaks(maskSecrets({ target, live }, []), text)).toBe(false)
        expect(leaks(secretChanges(target, live, textToBytes('k')), text)).toBe(false)
      }),
      { numRuns: 400 },
    )
  })

  it('through comparisons and their errors', () => {
    fc.assert(
      fc.property(pairs, ({ text, target, live, options }) => {
        const rules = compileDiffRules(app(options), defaultSettings)
        try {
          const diffs = diffPairs([{ key: keyOf(target), target, live }], rules)
          for (const diff of diffs) expect(leaks(maskDiff(diff, rules, []), text)).toBe(false)
        } catch (error) {
          if (!isLitecdError(error)) throw error
          for (let at: unknown = error; at instanceof Error; at = at.cause) {
            expect(leaks(at.message, text)).toBe(false)
            expect(leaks(isLitecdError(at) ? at.data : undefined, text)).toBe(false)
          }
        }
      }),
      { numRuns: 400 },
    )
  })
})
