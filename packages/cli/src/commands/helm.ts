import { SpecError } from '@litecd/core/errors'
import type { Io } from '../io.ts'

/** Refuses: charts are not rendered yet. */
export async function helmCommand(_argv: readonly string[], _io: Io): Promise<number> {
  throw new SpecError('USAGE', 'litecd helm: charts are not rendered yet by this version', {
    hint: 'Use the helm program.',
  })
}
