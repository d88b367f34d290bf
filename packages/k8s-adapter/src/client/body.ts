import type { Readable } from 'node:stream'

/**
 * The chunks of an answer's body. Throws when the connection broke off before its end, which an HTTP/2 stream shows
 * only by a flag.
 */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (error) {
    // Because: Node 24 now and then takes a short HTTP/2 answer that was read to its end for one that was cut off.
    if (!body.readableEnded) throw error
  }
  if ((body as { aborted?: boolean }).aborted) throw new Error('unexpected EOF')
}

/** The whole body as text. */
export async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf(body)) chunks.push(chunk)
  return (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')
}

/**
 * The lines of a stream, without their ends; a last line without an end is a line too.
 *
 * Throws RangeError when one line is longer than `maxBytes`.
 */
export async function* linesOf(
  stream: Readable,
  maxBytes: number = 64 << 20,
): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let held = 0
  for await (const chunk of chunksOf(stream)) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end)
      // Decoded only when whole: a character may be cut in two by the end of a chunk.
      yield parts.length === 0
        ? piece.toString('utf8')
        : Buffer.concat([...parts, piece]).toString('utf8')
      parts = []
      held = 0
      start = end + 1
    }
    if (start < chunk.length) {
      parts.push(chunk.subarray(start))
      held += chunk.length - start
      if (held > maxBytes) throw new RangeError(`a line is longer than ${maxBytes} bytes`)
    }
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString('utf8')
}
