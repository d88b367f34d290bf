import type { Json } from '../json/index.ts'
import { Composer } from './compose.ts'
import { type DecodeOptions, decodeV2, type NumberMode } from './decode.ts'

export type { NumberMode }
export type ParseOptions = DecodeOptions

/** null for an empty text. */
export function parseYaml(text: string, options: ParseOptions = {}): Json {
  const document = new Composer(text, 'v2', options).next()
  return document === undefined ? null : decodeV2(document, options)
}
