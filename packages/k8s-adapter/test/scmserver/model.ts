/** What every provider of the test server knows: one organization, told in the words of each API. */
export interface TestRepository {
  readonly name: string
  readonly id: number
  readonly branch: string
  readonly branches: { readonly [name: string]: string }
  readonly topics: readonly string[]
  readonly archived: boolean
  /** Files by branch. */
  readonly files: { readonly [branch: string]: readonly string[] }
}

export interface TestPull {
  readonly number: number
  readonly title: string
  readonly branch: string
  readonly target: string
  readonly sha: string
  readonly author: string
  readonly labels: readonly string[]
}

const sha = (digit: string): string => digit.repeat(40)

function repository(name: string, id: number, more: Partial<TestRepository> = {}): TestRepository {
  const branch = more.branch ?? 'main'
  return {
    name,
    id,
    branch,
    branches: { [branch]: sha('a') },
    topics: [],
    archived: false,
    files: { [branch]: ['README.md'] },
    ...more,
  }
}

export const organization = 'acme'

export const repositories: readonly TestRepository[] = [
  repository('web', 11, {
    branches: { main: sha('a'), 'feature/x': sha('b'), old: sha('c') },
    topics: ['deploy', 'go'],
    files: { main: ['README.md', 'deploy/app.yaml'], 'feature/x': ['README.md'], old: [] },
  }),
  repository('db', 12, { branch: 'trunk/one', archived: true }),
  repository('api', 13),
  repository('docs', 14, { topics: ['go'] }),
  repository('last', 15),
]

export const pulls: readonly TestPull[] = [
  {
    number: 7,
    title: 'Add "x"',
    branch: 'feature/x',
    target: 'main',
    sha: sha('b'),
    author: 'ann',
    labels: ['deploy', 'big'],
  },
  {
    number: 8,
    title: 'Fix',
    branch: 'fix',
    target: 'old',
    sha: sha('d'),
    author: 'bob',
    labels: [],
  },
  {
    number: 9,
    title: 'Docs',
    branch: 'docs',
    target: 'main',
    sha: sha('e'),
    author: 'cat',
    labels: ['deploy'],
  },
]

export function hasFile(
  repo: TestRepository,
  branch: string,
  path: string,
): 'file' | 'folder' | undefined {
  const files = repo.files[branch] ?? []
  if (files.includes(path)) return 'file'
  return files.some((file) => file.startsWith(`${path}/`)) ? 'folder' : undefined
}

export function find(name: string): TestRepository | undefined {
  return repositories.find((one) => one.name === name || String(one.id) === name)
}
