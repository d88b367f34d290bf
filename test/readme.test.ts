import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import {
  application,
  type TestRepository,
  testRepository,
} from '../packages/cli/test/repository.ts'

// The README's promises, held against the program.

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')
const readme = read('README.md')
const equal = new Set(read('corpus/argocd-equal.txt').split('\n'))

interface Row {
  readonly feature: string
  readonly today: string
  /** What is in backquotes in the last column. */
  readonly shownBy: readonly string[]
}

const rows: readonly Row[] = readme
  .split('## What works today')[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, feature = '', today = '', shownBy = '']) => ({
    feature,
    today,
    shownBy: [...shownBy.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
  })) as readonly Row[]

let repository: TestRepository | undefined
afterEach(() => repository?.remove())

/** The codes in the report of a repository with these files. */
async function codesFor(files: { readonly [path: string]: string }): Promise<readonly string[]> {
  repository = testRepository()
  repository.write({ 'README.md': 'x' })
  repository.commit('start')
  repository.git('checkout', '--quiet', '-b', 'change')
  repository.write(files)
  const { out } = await repository.litecd('diff', '-o', 'json')
  return [...out.matchAll(/"code": "([A-Z_]+)"/g)].map((match) => match[1] ?? '')
}

describe('what works today', () => {
  it('is a table', () => expect(rows.length).toBeGreaterThan(5))

  it.each(rows)('$feature: $today', async ({ today, shownBy }) => {
    expect(shownBy).not.toEqual([])
    for (const evidence of shownBy) {
      const [what, name = ''] = evidence.split(':')
      if (what === 'plugin') {
        expect(today).toBe('not yet')
        const app = application('web', 'web').replace(
          '    path: web\n',
          `    path: web\n    plugin: {name: ${name}}\n`,
        )
        expect(await codesFor({ 'web/a.yaml': '', 'apps/web.yaml': app })).toContain(
          'RENDER_UNSUPPORTED',
        )
      } else {
        expect(today).toMatch(/^yes/)
        expect(existsSync(`${root}/${evidence}`), evidence).toBe(true)
        const recorded = /^corpus\/argocd\/(.+)\.yaml$/.exec(evidence)?.[1]
        if (recorded !== undefined) expect(equal).toContain(recorded)
      }
    }
  })
})

it('shows the report that npm start prints', () => {
  const picture = /```\n(\$ litecd diff[^`]*)```/.exec(readme)?.[1]
  if (picture === undefined) throw new Error('no picture')
  const shown = picture.trimEnd().split('\n')
  expect(shown.at(-1)?.trim()).toBe('…')
  const printed = execFileSync(
    process.execPath,
    ['--conditions=litecd-source', 'examples/demo/main.ts'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  ).split('\n')
  expect(printed.slice(0, shown.length - 1)).toEqual(shown.slice(0, -1))
})
