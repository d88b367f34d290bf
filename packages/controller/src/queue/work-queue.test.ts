import { describe, expect, it, vi } from 'vitest'
import { WorkQueue } from './work-queue.ts'

function gate(): { readonly wait: Promise<void>; readonly open: () => void } {
  let open = (): void => {}
  const wait = new Promise<void>((resolve) => {
    open = resolve
  })
  return { wait, open }
}

describe('WorkQueue', () => {
  it('folds keys that wait and comes back for a key added during its work', async () => {
    const seen: string[] = []
    const first = gate()
    const queue = new WorkQueue({
      workers: 1,
      work: async (key) => {
        seen.push(key)
        if (seen.length === 1) await first.wait
      },
      onError: () => {},
    })
    queue.start()
    queue.add('a')
    queue.add('b')
    queue.add('b')
    queue.add('a')
    first.open()
    await vi.waitFor(() => expect(queue.isIdle).toBe(true))
    expect(seen).toEqual(['a', 'b', 'a'])
  })

  it('never works on one key twice at once, and on no more keys than it has workers', async () => {
    let active = 0
    let most = 0
    const perKey = new Map<string, number>()
    const queue = new WorkQueue({
      workers: 3,
      work: async (key) => {
        perKey.set(key, (perKey.get(key) ?? 0) + 1)
        expect(perKey.get(key)).toBe(1)
        most = Math.max(most, ++active)
        await new Promise((resolve) => setTimeout(resolve, 1))
        active--
        perKey.set(key, 0)
      },
      onError: (_key, error) => {
        throw error
      },
    })
    queue.start()
    for (let i = 0; i < 50; i++) queue.add(String(i % 7))
    await vi.waitFor(() => expect(queue.isIdle).toBe(true))
    expect(most).toBe(3)
  })

  it('tries again after an error, and tells it', async () => {
    vi.useFakeTimers()
    const errors: string[] = []
    let tries = 0
    const queue = new WorkQueue({
      workers: 1,
      work: async () => {
        if (++tries < 3) throw new Error(`no ${tries}`)
      },
      onError: (_key, error) => errors.push((error as Error).message),
    })
    queue.start()
    queue.add('a')
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    expect(tries).toBe(3)
    expect(errors).toEqual(['no 1', 'no 2'])
  })

  it('stops without losing what has begun', async () => {
    const first = gate()
    let done = false
    const queue = new WorkQueue({
      workers: 1,
      work: async () => {
        await first.wait
        done = true
      },
      onError: () => {},
    })
    queue.start()
    queue.add('a')
    queue.add('b')
    const stopped = queue.stop()
    first.open()
    await stopped
    expect(done).toBe(true)
    expect(queue.isIdle).toBe(true)
  })
})
