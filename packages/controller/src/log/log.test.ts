import { expect, it } from 'vitest'
import { createLogger } from './index.ts'

it('writes one JSON object a line, and no fact takes the place of the level', () => {
  const lines: string[] = []
  const log = createLogger('info', (line) => lines.push(line))
  log.debug('not this')
  log.warn('this', { key: 'argocd/a\nb', level: 3, time: 'never' })
  expect(lines).toHaveLength(1)
  expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'warn',
    message: 'this',
    key: 'argocd/a\nb',
    time: expect.stringMatching(/^\d{4}-/) as string,
  })
})
