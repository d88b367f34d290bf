// Every recorded sync of corpus/sync/replays goes and ends as it was recorded.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseRecording, replaySync } from '@litecd/core/app'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../../../corpus/sync/replays/', import.meta.url))
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

describe('recorded syncs', () => {
  it('are there', () => {
    expect(files.length).toBeGreaterThan(0)
  })

  it.each(files)('%s', async (name) => {
    const parsed = parseRecording(readFileSync(join(folder, name), 'utf8'))
    if ('problem' in parsed) throw new Error(parsed.problem)
    const { beats, difference } = await replaySync(parsed.recording)
    expect(difference).toBeUndefined()
    expect(beats).toHaveLength(parsed.recording.beats.length)
  })
})
