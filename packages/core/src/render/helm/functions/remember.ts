import type { CallContext } from '../../../lang/gotemplate/index.ts'
import { toHex } from '../../../text/index.ts'
import { type ChanceStream, hashStream } from './chance.ts'
import { hostOf } from './host.ts'

/** Results by what they follow from; the latest `most` that were asked for are kept. */
export class Latest<T extends NonNullable<unknown>> {
  private readonly most: number
  private readonly known = new Map<string, T>()

  constructor(most: number) {
    this.most = most
  }

  /** The result for `key`, made now if it is not there. */
  of(key: string, make: () => T): T {
    const { known } = this
    const found = known.get(key)
    if (found !== undefined) {
      known.delete(key)
      known.set(key, found)
      return found
    }
    const result = make()
    known.set(key, result)
    if (known.size > this.most) known.delete(known.keys().next().value!)
    return result
  }
}

const latest = new Latest<NonNullable<unknown>>(256)

/**
 * The result of work that takes long and follows from its inputs; the latest results are kept.
 *
 * `inputs` must name the work and hold everything that it depends on.
 */
export function remember<T extends NonNullable<unknown>>(
  inputs: readonly string[],
  work: () => T,
): T {
  const key = inputs.map((input) => `${input.length}:${input}`).join('')
  return latest.of(key, work) as T
}

/**
 * As {@link remember}, for work that needs chance: it gets a stream of its own that follows from 32 bytes of the
 * template's, so that what comes after does not depend on how much it takes.
 */
export function rememberChance<T extends NonNullable<unknown>>(
  context: CallContext,
  inputs: readonly string[],
  work: (stream: ChanceStream) => T,
): T {
  const seed = hostOf(context).stream.bytes(32)
  return remember([...inputs, toHex(seed)], () => work(hashStream(() => seed)))
}
