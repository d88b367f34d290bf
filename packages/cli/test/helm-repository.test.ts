import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chartArchive } from '../../k8s-adapter/test/chartserver/archives.ts'
import { type FileServer, startFileServer } from '../../k8s-adapter/test/chartserver/servers.ts'
import { helmCommand } from '../src/commands/helm.ts'

// What is expected was printed by helm v4.2.2.

const template = 'name: {{ .Chart.Name }}-{{ .Chart.Version }}\n'
let server: FileServer
let cwd: string

beforeAll(async () => {
  server = await startFileServer()
})
afterAll(() => server.close())
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'litecd-helm-'))
  server.basic = undefined
  server.files['/index.yaml'] =
    'apiVersion: v1\nentries:\n  lib:\n  - {name: lib, version: 1.3.0, urls: [lib-1.3.0.tgz]}\n'
  server.files['/lib-1.3.0.tgz'] = chartArchive('lib', '1.3.0', { 'templates/x.yaml': template })
})
afterEach(() => rmSync(cwd, { recursive: true }))

function write(files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
}

async function run(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  let stdout = ''
  let stderr = ''
  const code = await helmCommand(['template', ...argv], {
    cwd,
    env: { HOME: cwd, XDG_CACHE_HOME: join(cwd, 'cache') },
    stdoutIsTerminal: false,
    stdout: (text) => {
      stdout += text
    },
    stderr: (text) => {
      stderr += text
    },
  })
  return { code, stdout, stderr }
}

const shown = (path: string, name: string): string => `---\n# Source: ${path}\nname: ${name}\n`

describe('litecd helm template --dependency-update', () => {
  const web = (...dependencies: readonly string[]): void =>
    write({
      'web/Chart.yaml': `apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n${dependencies.map((text) => `- ${text}\n`).join('')}`,
      'web/templates/y.yaml': template,
      'lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.5.0\n',
      'lib/templates/x.yaml': template,
    })

  it('brings dependencies from a repository and from folders, and leaves the chart as it is', async () => {
    web(`{name: lib, version: ^1.0.0, repository: '${server.url}', alias: far}`)
    expect(await run('web', '--dependency-update')).toEqual({
      code: 0,
      stdout: `${shown('web/charts/far/templates/x.yaml', 'far-1.3.0')}\n${shown('web/templates/y.yaml', 'web-1.0.0')}`,
      stderr: '',
    })
    for (const repository of ['file://../lib', `file://${cwd}/lib`]) {
      web(`{name: lib, version: ^1.0.0, repository: '${repository}'}`)
      expect((await run('web', '--dependency-update')).stdout).toContain('name: lib-1.5.0\n')
    }
    expect(readdirSync(join(cwd, 'web'))).toEqual(['Chart.yaml', 'templates'])
  })

  it.each<readonly [string, string]>([
    [
      '{name: lib, version: ^1.0.0}',
      'an error occurred while checking for chart dependencies. You may need to run',
    ],
  ])('does nothing unless told: %s', async (dependency, message) => {
    web(dependency)
    expect((await run('web')).stderr).toContain(`Error: ${message}`)
    expect((await run('web', '--dependency-update=false')).stderr).toContain(`Error: ${message}`)
  })

  it.each<readonly [string, string]>([
    ['version: ^1.0.0', 'directory CWD/web/charts/lib not found'],
    ["version: ^1.0.0, repository: 'file://../nolib'", 'directory CWD/nolib not found'],
    [
      "version: ^2.0.0, repository: 'file://../lib'",
      'can\'t get a valid version for 1 subchart(s): "lib" (repository "file://../lib", version "^2.0.0"). Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml',
    ],
    [
      "version: ^2.0.0, repository: 'SERVER'",
      'can\'t get a valid version for 1 subchart(s): "lib" (repository "SERVER", version "^2.0.0"). Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml',
    ],
    [
      "version: ^1.0.0, repository: '@stable'",
      "no repository definition for @stable. Please add them via 'helm repo add'",
    ],
  ])('fails as helm does: %s', async (rest, message) => {
    const filled = (text: string): string =>
      text.replaceAll('SERVER', server.url).replaceAll('CWD', cwd)
    web(`{name: lib, ${filled(rest)}}`)
    expect(await run('web', '--dependency-update')).toEqual({
      code: 1,
      stdout: '',
      stderr: `Error: ${filled(message)}\n`,
    })
  })
})

describe('litecd helm template of charts from elsewhere', () => {
  it('takes a chart of a repository, with credentials', async () => {
    const stdout = shown('lib/templates/x.yaml', 'lib-1.3.0')
    expect(await run('lib', '--repo', server.url)).toMatchObject({ code: 0, stdout })
    expect(await run(`${server.url}/lib-1.3.0.tgz`)).toMatchObject({ code: 0, stdout })
    server.basic = 'ada:secret'
    rmSync(join(cwd, 'cache'), { recursive: true, force: true })
    expect((await run('lib', '--repo', server.url)).code).toBe(1)
    const login = ['--username', 'ada', '--password', 'secret']
    expect(await run('lib', '--repo', server.url, ...login)).toMatchObject({ code: 0, stdout })
    await expect(run(`${server.url}/lib-1.3.0.tgz`, ...login)).rejects.toMatchObject({
      code: 'USAGE',
    })
  })

  it.each<readonly [string, readonly string[], string]>([
    [
      'no version',
      ['lib', '--repo', 'SERVER', '--version', '9'],
      'chart "lib" version "9" not found in SERVER repository',
    ],
    [
      'no range',
      ['lib', '--repo', 'SERVER', '--version', 'x y'],
      'chart "lib" version "x y" not found in SERVER repository',
    ],
    ['no chart', ['nolib', '--repo', 'SERVER'], 'chart "nolib" not found in SERVER repository'],
    [
      'no archive',
      ['gone', '--repo', 'SERVER'],
      'failed to fetch SERVER/gone-1.0.0.tgz : 404 File not found',
    ],
    ['no URL', ['nourl', '--repo', 'SERVER'], 'chart "nourl" has no downloadable URLs'],
    ['another scheme', ['ftp://x/y'], 'scheme "ftp" not supported'],
    [
      'no place',
      ['oci://'],
      'non-absolute URLs should be in form of repo_name/path_to_chart, got: oci:',
    ],
    [
      'two versions',
      ['oci://x/y:1.0.0', '--version', '2.0.0'],
      'chart reference and version mismatch: 2.0.0 is not 1.0.0',
    ],
    ['a name that registries refuse', ['oci://x/Y'], 'invalid reference: invalid repository "Y"'],
  ])('fails as helm does: %s', async (_, argv, message) => {
    server.files['/index.yaml'] +=
      '  gone:\n  - {name: gone, version: 1.0.0, urls: [gone-1.0.0.tgz]}\n  nourl:\n  - {name: nourl, version: 1.0.0}\n'
    const filled = (text: string): string => text.replaceAll('SERVER', server.url)
    const { code, stderr } = await run(...argv.map(filled))
    expect([code, stderr.split('\n')[0]]).toEqual([1, `Error: ${filled(message)}`])
  })

  it('reads --set-file from URLs', async () => {
    server.files['/text'] = 'from afar'
    write({
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/templates/x.yaml': 'a: {{ .Values.a }}\nb: {{ .Values.b }}\n',
      near: 'from here',
    })
    const { stdout } = await run('web', '--set-file', `a=${server.url}/text,b=near`)
    expect(stdout).toContain('a: from afar\nb: from here\n')
    const { code, stderr } = await run('web', '--set-file', `a=${server.url}/none`)
    expect([code, stderr]).toEqual([
      1,
      `Error: failed parsing --set-file data: failed to fetch ${server.url}/none : 404 File not found\n`,
    ])
  })

  it('tells flags that helm would rather not see', async () => {
    write({ 'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' })
    expect(await run('web', '--atomic', '--hide-notes')).toEqual({
      code: 0,
      stdout: '\n',
      stderr:
        "Flag --atomic has been deprecated, use --rollback-on-failure instead\nFlag --hide-notes has been deprecated, this flag has no effect for 'helm template' and will be removed in Helm 5\n",
    })
  })
})
