// Remote bases and files over real protocols: what the kustomize program builds, with the git program, is what we build.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBinary, haveBinaries } from '../../../test/binaries.ts'
import { type FileServer, startFileServer } from '../../k8s-adapter/test/chartserver/servers.ts'
import { type GitServer, startGitServer } from '../../k8s-adapter/test/gitserver/http-server.ts'
import { git, hasGit, importHistory } from '../../k8s-adapter/test/gitserver/make-repo.ts'
import { both, type Peer, writeFiles } from './kustomize-peer.ts'

const configMap = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {k: ${value}}\n`

/** A repository with a base, an overlay, a file that links, and a generator; `v1` is older than `main`. */
function content(value: string): { readonly [path: string]: string } {
  return {
    'kustomization.yaml': 'resources: [base]\n',
    'base/kustomization.yaml':
      'resources: [a.yaml]\nconfigMapGenerator: [{name: made, files: [f.txt]}]\n',
    'base/a.yaml': configMap('a', value),
    'base/f.txt': `text of ${value}`,
    'overlay/kustomization.yaml': 'resources: [../base]\nnamePrefix: o-\n',
    'part/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -part\n',
    'outside/kustomization.yaml': 'resources: [../../../../elsewhere]\n',
    'up/kustomization.yaml': 'resources: [..]\n',
    'none/readme.txt': 'no kustomization here',
  }
}

const runs = hasGit && haveBinaries('remote bases of kustomize', ['kustomize'])

describe.skipIf(!runs)('remote things, as the kustomize program brings them', () => {
  let root = ''
  let gitServer: GitServer
  let files: FileServer
  let peer: Peer
  let commit = ''
  const path = process.env['PATH']

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'litecd-remote-'))
    const repos = join(root, 'repos')
    const make = (
      name: string,
      commits: Parameters<typeof importHistory>[1],
    ): readonly string[] => {
      mkdirSync(join(repos, name), { recursive: true })
      const ids = importHistory(join(repos, name), commits)
      git(join(repos, name), ['config', 'uploadpack.allowAnySHA1InWant', 'true'])
      return ids
    }
    gitServer = await startGitServer(repos)
    files = await startFileServer()
    const plain = [
      { files: content('one'), tag: 'v1', annotatedTag: 'signed/v1' },
      { files: content('two') },
      { files: content('three'), branch: 'feature/x' },
    ]
    commit = make('org/app.git', plain)[1]!
    make('org/plain', plain)
    make('deep/group/app.git', plain)
    make('org/_git/azure', plain)
    const lib = make('org/lib.git', [{ files: { 'l/kustomization.yaml': 'namePrefix: l-\n' } }])
    withSubmodule(join(repos, 'org/outer.git'), '../lib.git', lib[0]!)
    make('org/far.git', [
      {
        files: {
          'far/kustomization.yaml': `resources: ["${gitServer.url}/org/app.git//overlay?ref=v1"]\n`,
          'near/kustomization.yaml': `resources: ["${gitServer.url}/org/far.git//near"]\n`,
          'file/kustomization.yaml': `resources: ["${files.url}/plain.yaml"]\n`,
          'linked/kustomization.yaml': 'resources: [a.yaml]\n',
          'linked/a.yaml': { link: '../real.yaml' },
          folder: { link: 'far' },
          away: { link: '/etc' },
          'real.yaml': configMap('linked', 'x'),
        },
      },
    ])
    files.files['/plain.yaml'] = configMap('served', 'x')
    files.files['/patch.yaml'] = configMap('served', 'patched')
    files.files['/text.txt'] = 'a text'
    files.files['/moved.yaml'] = { location: '/plain.yaml' }
    files.files['/broken.yaml'] = 'a: b: c\n'
    files.files['/html/org/repo'] = '<!DOCTYPE html><html></html>'
    files.files['/gone.yaml'] = 410
    files.files['/busy.yaml'] = 503
    files.files['/site.github.io/x.yaml'] = configMap('site', 'x')
    fakeSsh(join(root, 'bin'), repos)
    process.env['PATH'] = `${join(root, 'bin')}${delimiter}${path}`
    peer = {
      kustomize: findBinary('kustomize')!,
      helm: undefined,
      scratch: root,
      env: { GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
    }
  })

  afterAll(() => {
    process.env['PATH'] = path
    gitServer.close()
    files.close()
    rmSync(root, { recursive: true, force: true })
  })

  const fill = (text: string): string =>
    text
      .replaceAll('GIT', gitServer.url)
      .replaceAll('FILES', files.url)
      .replaceAll('DISK', join(root, 'repos'))
      .replaceAll('COMMIT', commit)

  describe('that build', () => {
    it.each([
      'GIT/org/app.git',
      'GIT/org/app.git//overlay',
      'GIT/org/app.git/overlay',
      'GIT/org/app.git//overlay?ref=v1',
      'GIT/org/app.git//overlay?version=v1',
      'GIT/org/app.git//overlay?version=main&ref=v1',
      'GIT/org/app.git//overlay?ref=feature/x',
      'GIT/org/app.git//overlay?ref=refs/heads/feature/x',
      'GIT/org/app.git//overlay?ref=refs/tags/v1',
      'GIT/org/app.git//overlay?ref=signed/v1',
      'GIT/org/app.git//overlay?ref=COMMIT',
      'GIT/org/app.git//overlay?ref=HEAD',
      'GIT/org/app.git//overlay?ref=v1&timeout=90s',
      'GIT/org/app.git//overlay?timeout=90&submodules=false',
      'GIT/org/app.git//overlay/?ref=v1',
      'GIT/org/app.git//base/../overlay',
      'GIT/org/app//overlay',
      'GIT/org/plain',
      'GIT/org/plain/overlay?ref=v1',
      'GIT/org/plain//overlay',
      'GIT/deep/group/app.git//overlay',
      'GIT/deep/group/app//overlay?ref=v1',
      'GIT/org/_git/azure',
      'GIT/org/_git/azure/overlay?version=v1',
      'git::GIT/org/app.git//overlay?ref=v1',
      'GIT::GIT/org/app.git//overlay'.replace('GIT', 'Git'),
      'GIT/org/outer.git//sub/l',
      'GIT/org/outer.git//sub/l?submodules=true',
      'GIT/org/outer.git//own?submodules=false',
      'GIT/org/far.git//far',
      'GIT/org/far.git//file',
      'GIT/org/far.git//folder',
      'GIT/moved/org/app.git//overlay',
      'file://DISK/org/app.git',
      'file://DISK/org/app.git//overlay?ref=v1',
      'file://DISK/org/plain//overlay',
      'git@host.example:org/app.git//overlay',
      'git@host.example:org/app.git//overlay?ref=v1',
      'git@host.example:org/plain/overlay',
      'ssh://git@host.example/org/app.git//overlay?ref=v1',
      'ssh://git@host.example:2222/org/app.git//overlay',
      'ssh://host.example/org/app.git//overlay',
      'git@github.com:org/app.git//overlay',
      'ssh://git@github.com/org/app//overlay',
      'FILES/plain.yaml',
      'FILES/plain.yaml?x=y',
      'FILES/moved.yaml',
      'FILES/site.github.io/x.yaml',
    ])('%s', async (url) => {
      // the path of the file server is the whole of the URL
      files.files['/plain.yaml?x=y'] = files.files['/plain.yaml']!
      const folder = writeFiles(root, { 'kustomization.yaml': `resources: ["${fill(url)}"]\n` })
      const { ours, theirs } = await both(peer, folder, '.')
      expect(theirs.error.replace(/^.*Forcing the git protocol.*$/m, '').trim()).toBe('')
      expect(theirs.code).toBe(0)
      expect(ours).toMatchObject({ code: 0, stdout: theirs.stdout })
    })

    it.each<[string, { readonly [path: string]: string }]>([
      [
        'two refs of one repository',
        {
          'kustomization.yaml': 'resources: ["GIT/org/app.git//overlay?ref=v1", other]\n',
          'other/kustomization.yaml': 'resources: ["GIT/org/app.git//overlay"]\nnameSuffix: -b\n',
        },
      ],
      [
        'a component',
        {
          'kustomization.yaml':
            'resources: [a.yaml]\ncomponents: ["GIT/org/app.git//part?ref=v1"]\n',
          'a.yaml': configMap('a', 'x'),
        },
      ],
      [
        'a patch, sources of a generator and configurations by URL',
        {
          'kustomization.yaml':
            'resources: ["FILES/plain.yaml"]\npatches: [{path: "FILES/patch.yaml"}]\nconfigMapGenerator: [{name: g, files: ["k=FILES/text.txt"]}]\n',
        },
      ],
      [
        'where objects come from',
        {
          'kustomization.yaml':
            'resources: ["GIT/org/app.git//overlay?ref=v1", "FILES/plain.yaml"]\nbuildMetadata: [originAnnotations, transformerAnnotations]\nnamePrefix: p-\n',
        },
      ],
    ])('%s', async (_, written) => {
      const folder = writeFiles(
        root,
        Object.fromEntries(Object.entries(written).map(([name, text]) => [name, fill(text)])),
      )
      const { ours, theirs } = await both(peer, folder, '.')
      expect(theirs).toMatchObject({ code: 0, error: '' })
      expect(ours).toMatchObject({ code: 0, stdout: theirs.stdout })
    })

    it.each(['GIT/org/app.git//overlay?ref=v1', 'git@host.example:org/app.git//base'])(
      'the folder itself: %s',
      async (url) => {
        const { ours, theirs } = await both(peer, writeFiles(root, { x: '' }), fill(url))
        expect(theirs).toMatchObject({ code: 0, error: '' })
        expect(ours).toMatchObject({ code: 0, stdout: theirs.stdout })
      },
    )
  })

  describe('that fail with the same words', () => {
    it.each([
      'GIT/org/app.git//missing',
      'GIT/org/app.git//none',
      'GIT/org/app.git//base/a.yaml',
      'GIT/org/app.git//up',
      'GIT/org/app.git//part',
      'GIT/org/far.git//near',
      'GIT/org/far.git//linked',
      'GIT/org/far.git//away',
      'FILES/missing.yaml',
      'FILES/gone.yaml',
      'FILES/busy.yaml',
      'FILES/broken.yaml',
    ])('%s', async (url) => {
      const folder = writeFiles(root, { 'kustomization.yaml': `resources: ["${fill(url)}"]\n` })
      const { ours, theirs } = await both(peer, folder, '.')
      expect(theirs.code).toBe(1)
      expect(ours).toEqual({ code: 1, stdout: '', error: theirs.error })
    })

    // What git itself says is its own; before it come kustomize's words.
    it.each([
      'GIT/org/app.git//overlay?ref=nothing',
      'GIT/org/nothing.git//overlay',
      'FILES/html/org/repo',
      'file://DISK/nothing.git',
      'git@host.example:org/nothing.git',
      'git@host.example/org/app.git//overlay',
      'GIT/x/y',
    ])('up to those of git: %s', async (url) => {
      const folder = writeFiles(root, { 'kustomization.yaml': `resources: ["${fill(url)}"]\n` })
      const { ours, theirs } = await both(peer, folder, '.')
      expect(theirs.code).toBe(1)
      const [words] = theirs.error.split('failed to run ')
      expect(words).not.toBe(theirs.error)
      expect(ours.code).toBe(1)
      expect(ours.error.slice(0, words!.length)).toBe(words)
    })
  })

  it('keeps clones from what lies beside them', async () => {
    const url = fill('GIT/org/app.git//outside')
    const folder = writeFiles(root, { 'kustomization.yaml': `resources: ["${url}"]\n` })
    const { ours, theirs } = await both(peer, folder, '.')
    expect(theirs.code).toBe(1)
    expect(ours.code).toBe(1)
    expect(ours.error).toContain(
      "security; bases in kustomizations found in cloned git repos must be within the repo, but base '/elsewhere' is outside '/repo'",
    )
  })

  it('gives up after the timeout', async () => {
    await gitServer.behave({ delayMs: 3000 })
    try {
      const url = fill('GIT/org/app.git//overlay?timeout=1')
      const folder = writeFiles(root, { 'kustomization.yaml': `resources: ["${url}"]\n` })
      const { ours, theirs } = await both(peer, folder, '.')
      expect(theirs.code).toBe(1)
      expect(ours.code).toBe(1)
    } finally {
      await gitServer.behave({})
    }
  })
})

/** A repository with a folder of its own and a submodule at `sub`. */
function withSubmodule(folder: string, url: string, commit: string): void {
  mkdirSync(folder, { recursive: true })
  git(folder, ['init', '-q', '--bare', '.'])
  const lines = [
    'blob',
    'mark :1',
    ...dataOf(`[submodule "sub"]\n\tpath = sub\n\turl = ${url}\n`),
    'blob',
    'mark :2',
    ...dataOf('namePrefix: own-\n'),
    'commit refs/heads/main',
    'committer Ada <ada@example.com> 1700000000 +0000',
    ...dataOf('with a submodule'),
    'M 100644 :1 .gitmodules',
    'M 100644 :2 own/kustomization.yaml',
    `M 160000 ${commit} sub`,
    '',
  ]
  git(folder, ['fast-import', '--quiet'], lines.join('\n'))
}

function dataOf(text: string): readonly string[] {
  return [`data ${Buffer.byteLength(text)}`, text]
}

/** An ssh that runs what it is asked to run here, in the folder of the repositories. */
function fakeSsh(bin: string, repos: string): void {
  mkdirSync(bin, { recursive: true })
  const script = `#!/bin/sh\nfor last; do :; done\ncd "${repos}"\nexec sh -c "$(printf %s "$last" | sed "s#'/#'#")"\n`
  writeFileSync(join(bin, 'ssh'), script)
  chmodSync(join(bin, 'ssh'), 0o755)
}
