import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type CommitSpec,
  git,
  gitBytes,
  hasGit,
  importHistory,
  seeded,
  tempFolder,
} from '../../../test/gitserver/make-repo.ts'
import { indexPack } from './index-pack.ts'
import { PacketReader, packet } from './pkt-line.ts'

const folder = tempFolder()
afterAll(() => folder.remove())

const limit = 1 << 28

function history(seed: number): readonly CommitSpec[] {
  const random = seeded(seed)
  let lines = Array.from({ length: 2000 }, (_, i) => `line ${i}`)
  return Array.from({ length: 80 }, (_, i) => {
    lines = lines.map((line, at) => (random() < 0.002 ? `edit ${i} ${at}` : line))
    return {
      files: { big: lines.join('\n'), [`f${i % 9}`]: `${i}`, empty: '' },
      annotatedTag: `t${i}`,
    }
  })
}

describe.skipIf(!hasGit)('indexPack', () => {
  it.each([
    ['offset deltas', []],
    ['id deltas', ['-c', 'repack.useDeltaBaseOffset=false']],
    ['no deltas', ['-c', 'pack.window=0']],
    ['deep chains', ['-c', 'pack.depth=2000', '-c', 'pack.window=200']],
  ])('writes the index that git writes: %s', async (name, config) => {
    const repo = join(folder.path, name)
    mkdirSync(repo)
    importHistory(repo, history(name.length))
    git(repo, [...config, 'repack', '-adfq'])
    const packs = join(repo, 'objects/pack')
    const pack = readdirSync(packs).find((file) => file.endsWith('.pack'))!
    const other = join(folder.path, `${name}-other`)
    mkdirSync(other)
    git(other, ['init', '-q', '--bare', '.'])
    const received = join(other, 'objects/pack/tmp_pack_1')
    copyFileSync(join(packs, pack), received)
    const count = await indexPack(received, join(other, 'objects/pack'), limit)
    expect(count).toBeGreaterThan(300)
    const [index] = readdirSync(join(other, 'objects/pack')).filter((file) => file.endsWith('.idx'))
    expect(readdirSync(join(other, 'objects/pack'))).toHaveLength(2)
    const want = readFileSync(join(packs, pack.replace('.pack', '.idx')))
    expect(readFileSync(join(other, 'objects/pack', index!)).equals(want)).toBe(true)
    expect(git(other, ['verify-pack', join(other, 'objects/pack', index!)])).toBe('')
    expect(
      gitBytes(other, ['cat-file', '--batch-all-objects', '--batch-check']).equals(
        gitBytes(repo, ['cat-file', '--batch-all-objects', '--batch-check']),
      ),
    ).toBe(true)
  })

  it('refuses what is damaged, cut short or thin', async () => {
    const repo = join(folder.path, 'damage')
    mkdirSync(repo)
    importHistory(repo, history(77))
    git(repo, ['repack', '-adfq'])
    const packs = join(repo, 'objects/pack')
    const bytes = readFileSync(
      join(packs, readdirSync(packs).find((file) => file.endsWith('.pack'))!),
    )
    const put = (content: Buffer): string => {
      const path = join(folder.path, 'tmp_pack')
      writeFileSync(path, content)
      return path
    }
    const flipped = Buffer.from(bytes)
    flipped[500]! ^= 1
    await expect(indexPack(put(flipped), folder.path, limit)).rejects.toMatchObject({
      code: 'SOURCE_CORRUPT',
      message: 'a pack was damaged on its way',
    })
    await expect(indexPack(put(bytes.subarray(0, 900)), folder.path, limit)).rejects.toMatchObject({
      code: 'SOURCE_CORRUPT',
    })
    await expect(
      indexPack(put(Buffer.from('no pack at all, but long enough')), folder.path, limit),
    ).rejects.toMatchObject({ code: 'SOURCE_CORRUPT' })
    // one delta against an object that is not in the pack: 'base' and ' more'
    const delta = deflateSync(Buffer.from([4, 9, 0x90, 4, 5, ...Buffer.from(' more')]))
    const one = Buffer.concat([
      Buffer.from('PACK\0\0\0\u0002\0\0\0\u0001', 'latin1'),
      Buffer.from([0x70 | 10]),
      Buffer.from('ab'.repeat(20), 'hex'),
      delta,
    ])
    const thin = Buffer.concat([one, createHash('sha1').update(one).digest()])
    await expect(indexPack(put(thin), folder.path, limit)).rejects.toMatchObject({
      code: 'SOURCE_CORRUPT',
      message: 'a pack has a delta without a base',
    })
    expect(readdirSync(folder.path).filter((file) => file.startsWith('pack-'))).toEqual([])

    const other = join(folder.path, 'completed')
    mkdirSync(other)
    git(other, ['init', '-q', '--bare', '.'])
    const place = join(other, 'objects/pack')
    const base = Buffer.from('base')
    const baseId = 'ab'.repeat(20)
    expect(
      await indexPack(put(thin), place, limit, (id) =>
        id === baseId ? { type: 'blob', bytes: base } : undefined,
      ),
    ).toBe(1)
    const [index] = readdirSync(place).filter((file) => file.endsWith('.idx'))
    expect(git(other, ['show-index'], readFileSync(join(place, index!))).split('\n')).toHaveLength(
      2,
    )
    const built = git(other, ['hash-object', '--stdin'], 'base more')
    expect(git(other, ['cat-file', 'blob', built])).toBe('base more')
  })
})

describe('PacketReader', () => {
  it('finds the same packets however the answer is cut', () => {
    const whole = Buffer.concat([
      packet('one\n'),
      Buffer.from('0000'),
      packet(''),
      Buffer.from('0001'),
      packet('x'.repeat(3000)),
      Buffer.from('0002'),
    ])
    const read = (size: number): readonly string[] => {
      const reader = new PacketReader()
      const seen: string[] = []
      for (let at = 0; at < whole.length; at += size) {
        for (const one of reader.push(whole.subarray(at, at + size)))
          seen.push(one.kind === 'data' ? `data ${one.bytes.length}` : one.kind)
      }
      expect(reader.isDone()).toBe(true)
      return seen
    }
    for (const size of [1, 2, 3, 5, 64, 5000]) {
      expect(read(size)).toEqual(['data 4', 'flush', 'data 0', 'delimiter', 'data 3000', 'end'])
    }
    expect(() => [...new PacketReader().push(Buffer.from('<html>'))]).toThrow(
      expect.objectContaining({ code: 'SOURCE_CORRUPT' }),
    )
    const cut = new PacketReader()
    expect([...cut.push(Buffer.from('0009he'))]).toEqual([])
    expect(cut.isDone()).toBe(false)
  })
})
