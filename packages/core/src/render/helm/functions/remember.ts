import type { CallContext } from '../../../lang/gotemplate/index.ts'
import { toHex } from '../../../text/index.ts'
import { type ChanceStream, hashStream } from './chance.ts'
import { hostOf } from './host.ts'

const maxKnown = 256
const known = new Map<string, unknown>()

/**
 * The result of work that takes long and follows from its inputs; the latest results are kept.
 *
 * `inputs` must name the work and hold everything that it depends on.
 */
export function remember<T>(inputs: readonly string[], work: () => T): T {
  const key = inputs.map((input) => `${input.length}:${input}`).join('')
  const found = known.get(key)
  if (found !== undefined) {
    known.delete(key)
    known.set(key, found)
    return found as T
  }
  const result = work()
  known.set(key, result)
  if (known.size > maxKnown) known.delete(known.keys().next().value!)
  return result
}

/**
 * As {@link remember}, for work that needs chance: it gets a stream of its own that follows from 32 bytes of the
 * template's, so that what comes after does not depend on how much it takes.
 */
export function rememberChance<T>(
  context: CallContext,
  inputs: readonly string[],
  work: (stream: ChanceStream) => T,
): T {
  const seed = hostOf(context).stream.bytes(32)
  return remember([...inputs, toHex(seed)], () => work(hashStream(() => seed)))
}
