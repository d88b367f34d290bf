import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { gunzip, inflateRaw, isGzip } from './inflate.ts'
import { archiveTree, untar } from './tar.ts'
import { walkFiles } from './tree.ts'

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Data of many kinds: repetitive, random, text, runs. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(4000))
    .map(([piece, count]) => Buffer.alloc(piece.length * count, piece)),
  fc
    .array(fc.constantFrom('apiVersion: v1\n', 'kind: ', 'ConfigMap\n', '  - ', 'x', '\n'), {
      maxLength: 2000,
    })
    .map((words) => Buffer.from(words.join(''))),
  fc.nat(2 ** 31).map((seed) => {
    // skewed frequencies make codes longer than ten bits
    const bytes = Buffer.alloc(40_000)
    let state = seed || 1
    for (let i = 0; i < bytes.length; i++) {
      state = (state * 1103515245 + 12345) >>> 0
      bytes[i] =
        (255 >>> (Math.clz32(((state >>> 8) & 0xffff) | 1) % 8)) ^
        (state % 97 === 0 ? state >>> 16 : 0)
    }
    return bytes
  }),
)

describe('gunzip and inflateRaw', () => {
  it('undo what zlib does, at every level and strategy', () => {
    fc.assert(
      fc.property(
        anyBytes,
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(
          constants.Z_DEFAULT_STRATEGY,
          constants.Z_HUFFMAN_ONLY,
          constants.Z_RLE,
          constants.Z_FIXED,
        ),
        (bytes, level, strategy) => {
          expect(Buffer.from(gunzip(gzipSync(bytes, { level, strategy }))).equals(bytes)).toBe(true)
          expect(
            Buffer.from(inflateRaw(deflateRawSync(bytes, { level, strategy, memLevel: 1 }))).equals(
              bytes,
            ),
          ).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('reads several members, every header field, and padding', () => {
    const one = gzipSync('one ')
    const two = gzipSync('two')
    expect(text(gunzip(Buffer.concat([one, two])))).toBe('one two')
    expect(text(gunzip(Buffer.concat([one, Buffer.alloc(100)])))).toBe('one ')
    const fields = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 4 | 8 | 16 | 2, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]),
      Buffer.from('name\0comment\0'),
      Buffer.from([9, 9]),
      one.subarray(10),
    ])
    expect(text(gunzip(fields))).toBe('one ')
    expect(isGzip(one)).toBe(true)
    expect(isGzip(Buffer.from('plain'))).toBe(false)
  })

  it('never reads beyond damaged data, and says what is wrong', () => {
    const good = gzipSync(Buffer.from('some text that is long enough '.repeat(50)))
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, byte, cut) => {
        const bad = Buffer.from(good)
        bad[at] = byte
        try {
          const out = gunzip(bad.subarray(0, cut), { maxBytes: 100_000 })
          expect(out.length).toBeLessThanOrEqual(100_000)
        } catch (error) {
          expect(error).toMatchObject({
            code: expect.stringMatching(/SOURCE_CORRUPT|BUDGET_EXCEEDED/),
          })
        }
      }),
      { numRuns: 500 },
    )
    expect(() => gunzip(good.subarray(0, -9))).toThrow('unexpected end')
    const wrongSum = Buffer.from(good)
    wrongSum[good.length - 6]! ^= 1
    expect(() => gunzip(wrongSum)).toThrow('gzip: invalid checksum')
    expect(() => gunzip(Buffer.from('not gzip'))).toThrow('gzip: invalid header')
  })

  it('stops at the budget', () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    expect(() => gunzip(bomb, { maxBytes: 1_000_000 })).toThrow(
      expect.objectContaining({ code: 'BUDGET_EXCEEDED' }),
    )
    expect(gunzip(gzipSync(Buffer.alloc(1000)), { maxBytes: 1000 })).toHaveLength(1000)
    expect(() => gunzip(gzipSync(Buffer.alloc(1001)), { maxBytes: 1000 })).toThrow(/1000 bytes/)
  })
})

const folder = mkdtempSync(join(tmpdir(), 'litecd-tar-'))
afterAll(() => rmSync(folder, { recursive: true }))
const hasTar = spawnSync('tar', ['--version']).stdout?.includes('GNU tar') ?? false

describe('untar', () => {
  const long = 'long-'.repeat(30)
  const files: { readonly [path: string]: string } = {
    'chart/Chart.yaml': 'name: web\n',
    'chart/templates/empty.yaml': '',
    'chart/exact-block.txt': 'x'.repeat(512),
    [`chart/${long}/${long}/${long}.yaml`]: 'deep',
    'chart/ünïcode/ø.yaml': 'two bytes',
    [`chart/${'n'.repeat(100)}`]: 'name of 100',
    [`chart/${'n'.repeat(94)}/prefix-needed-for-this-one`]: 'prefix',
  }
  it.skipIf(!hasTar).each(['gnu', 'posix', 'ustar', 'v7', 'oldgnu'])(
    'reads what GNU tar writes as %s',
    (format) => {
      const root = join(folder, format)
      const short = format === 'v7' || format === 'ustar'
      const want: { [path: string]: string } = {}
      for (const [path, content] of Object.entries(files)) {
        if (short && (path.includes(long) || (format === 'v7' && path.length > 99))) continue
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), content)
        want[path] = content
      }
      symlinkSync('Chart.yaml', join(root, 'chart/link'))
      if (!short) symlinkSync(`${long}/${long}/${long}.yaml`, join(root, 'chart/longlink'))
      const archive = execFileSync('tar', ['-C', root, `--format=${format}`, '-cf', '-', 'chart'], {
        maxBuffer: 1 << 26,
      })
      const entries = untar(archive)
      const got = Object.fromEntries(
        entries.filter((e) => e.kind === 'file').map((e) => [e.name, text(e.bytes)]),
      )
      expect(got).toEqual(want)
      const links = entries.filter((e) => e.kind === 'link').map((e) => [e.name, e.target])
      expect(links).toContainEqual(['chart/link', 'Chart.yaml'])
      expect(links).toHaveLength(short ? 1 : 2)
      expect(entries.find((e) => e.name === 'chart/templates/')?.kind).toBe('directory')

      const tree = archiveTree(entries, 1)
      expect([...walkFiles(tree, '')].map(({ path }) => 'chart/' + path).sort()).toEqual(
        [...Object.keys(want), 'chart/link', ...(short ? [] : ['chart/longlink'])].sort(),
      )
      expect(tree.entry('link')).toEqual({ name: 'link', kind: 'link', target: 'Chart.yaml' })
    },
  )

  it('refuses damaged archives', () => {
    const archive = tarOf([{ name: 'a', content: 'hello' }])
    expect(() => untar(archive.subarray(0, 515))).toThrow('unexpected EOF')
    const bad = Buffer.from(archive)
    bad[10] = 65
    expect(() => untar(bad)).toThrow('archive/tar: invalid tar header')
    expect(untar(archive.subarray(0, 1024))).toHaveLength(1)
    expect(untar(Buffer.alloc(0))).toEqual([])
    fc.assert(
      fc.property(fc.nat(archive.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(archive)
        changed[at] = byte
        try {
          untar(changed)
        } catch (error) {
          expect(error).toMatchObject({ code: 'SOURCE_CORRUPT' })
        }
      }),
    )
  })

  it('keeps to its budgets', () => {
    const archive = tarOf(
      Array.from({ length: 20 }, (_, i) => ({ name: `f${i}`, content: 'xxxxx' })),
    )
    expect(() => untar(archive, { maxEntries: 19 })).toThrow(
      expect.objectContaining({ code: 'BUDGET_EXCEEDED' }),
    )
    expect(() => untar(archive, { maxBytes: 99 })).toThrow(
      expect.objectContaining({ code: 'BUDGET_EXCEEDED' }),
    )
    expect(untar(archive, { maxEntries: 20, maxBytes: 100 })).toHaveLength(20)
    expect(() =>
      archiveTree(untar(tarOf([{ name: 'a/'.repeat(2500), content: '', pax: true }]))),
    ).toThrow(expect.objectContaining({ code: 'BUDGET_EXCEEDED' }))
  })
})

describe('archiveTree', () => {
  it.each([['../out'], ['a/../../out'], ['/etc/passwd']])('refuses %s', (name) => {
    expect(() => archiveTree(untar(tarOf([{ name, content: 'x' }])))).toThrow(
      expect.objectContaining({
        code: 'SOURCE_UNSAFE',
        message: `illegal filepath in archive: ${name}`,
      }),
    )
  })

  it.each(['../out', '/etc/passwd', 'a/../../..'])('refuses a link to %s', (link) => {
    expect(() => archiveTree(untar(tarOf([{ name: 'chart/link', content: '', link }])), 1)).toThrow(
      expect.objectContaining({
        code: 'SOURCE_UNSAFE',
        message: 'illegal filepath in symlink: chart/link',
      }),
    )
  })

  it('lets the last entry of a name win, also when a file takes the place of a folder', () => {
    const tree = archiveTree(
      untar(
        tarOf([
          { name: 'a', content: '1' },
          { name: './a', content: '2' },
          { name: 'b', content: 'file' },
          { name: 'b/c', content: 'below' },
          { name: '__proto__/x', content: 'p' },
        ]),
      ),
    )
    expect([...walkFiles(tree, '')].map(({ path }) => path)).toEqual(['__proto__/x', 'a', 'b/c'])
    expect(text(tree.read('a')!)).toBe('2')
  })
})

interface Member {
  readonly name: string
  readonly content: string
  readonly link?: string
  readonly pax?: boolean
}

function tarOf(members: readonly Member[]): Buffer {
  const blocks: Buffer[] = []
  const put = (name: string, type: string, content: Buffer, link = ''): void => {
    const header = Buffer.alloc(512)
    header.write(name.slice(0, 100), 0)
    header.write('0000644\0', 100)
    header.write(content.length.toString(8).padStart(11, '0') + '\0', 124)
    header.write(type, 156)
    header.write(link, 157)
    header.write('ustar\0' + '00', 257)
    header.fill(' ', 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(sum.toString(8).padStart(6, '0') + '\0 ', 148)
    blocks.push(header, content, Buffer.alloc((512 - (content.length % 512)) % 512))
  }
  for (const { name, content, link, pax } of members) {
    if (pax === true) {
      let record = ` path=${name}\n`
      let length = record.length + 1
      while (`${length}${record}`.length !== length) length = `${length}${record}`.length
      record = `${length}${record}`
      put('pax', 'x', Buffer.from(record))
    }
    put(name, link === undefined ? '0' : '2', Buffer.from(content), link)
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
