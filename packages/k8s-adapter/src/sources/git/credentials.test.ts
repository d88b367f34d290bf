import { createVerify, generateKeyPairSync } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { git, hasGit, importHistory, tempFolder } from '../../../test/gitserver/make-repo.ts'
import { createSourceFetcher } from '../index.ts'
import { parseRepositorySecret } from '../repository.ts'
import { gitCredentials, TokenCache } from './credentials.ts'

const folder = tempFolder()
afterAll(() => folder.remove())

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

describe('gitCredentials', () => {
  it.each([
    [{ username: 'a', password: 'b' }, { authorization: basic('a:b') }],
    [{ password: 'b' }, { authorization: basic('x-access-token:b') }],
    [{ username: 'a' }, {}],
    [{ username: 'a', password: 'b', bearerToken: 't' }, { authorization: 'Bearer t' }],
    [{ password: 'b', sshPrivateKey: 'k' }, { authorization: basic('x-access-token:b') }],
    [{ sshPrivateKey: 'k' }, { sshPrivateKey: 'k' }],
    [{}, {}],
    [{ url: 'https://me:p%40ss@h/a' }, { authorization: basic('me:p@ss') }],
    [
      { url: 'https://me:pw@h/a', password: 'other' },
      { authorization: basic('x-access-token:other') },
    ],
    [{ url: 'https://me@h/a' }, {}],
  ])('%j', async (secret, want) => {
    const repository = parseRepositorySecret({ url: 'https://h/a/b', ...secret })
    expect(await gitCredentials(repository, new TokenCache(Date.now))).toEqual(want)
  })

  it.each([
    { gcpServiceAccountKey: '{}' },
    { useAzureWorkloadIdentity: 'true' },
    { azureServicePrincipalClientSecret: 's' },
  ])('says that %j is not understood', async (secret) => {
    const repository = parseRepositorySecret({ url: 'https://h/a/b', ...secret })
    await expect(gitCredentials(repository, new TokenCache(Date.now))).rejects.toMatchObject({
      code: 'RENDER_UNSUPPORTED',
    })
  })

  it('gets tokens of a GitHub App, finds its installation, and asks again before they expire', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    let now = Date.parse('2026-01-01T00:00:00Z')
    const seen: string[] = []
    const server = createServer((request, response) => {
      const [head, body, signature] = request.headers
        .authorization!.replace('Bearer ', '')
        .split('.') as [string, string, string]
      const valid = createVerify('RSA-SHA256')
        .update(`${head}.${body}`)
        .verify(publicKey, signature, 'base64url')
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
        iss: string
        iat: number
        exp: number
      }
      const current =
        claims.iat <= now / 1000 && claims.exp > now / 1000 && claims.exp - claims.iat <= 600
      seen.push(`${request.method} ${request.url} ${valid && current} ${claims.iss}`)
      if (request.url === '/users/org/installation') response.end('{"id": 77}')
      else if (request.url === '/app/installations/77/access_tokens') {
        response.end(
          JSON.stringify({
            token: `t${seen.length}`,
            expires_at: new Date(now + 3_600_000).toISOString(),
          }),
        )
      } else response.writeHead(404, 'Not Found').end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const secret = {
        url: 'https://github.example/org/repo.git',
        githubAppID: '12',
        githubAppPrivateKey: key,
        githubAppEnterpriseBaseUrl: `${base}/`,
      }
      const tokens = new TokenCache(() => now)
      const token = async (more: object = {}): Promise<string | undefined> =>
        (await gitCredentials(parseRepositorySecret({ ...secret, ...more }), tokens)).authorization
      expect(await token()).toBe(basic('x-access-token:t2'))
      expect(await token()).toBe(basic('x-access-token:t2'))
      expect(seen).toEqual([
        'GET /users/org/installation true 12',
        'POST /app/installations/77/access_tokens true 12',
      ])
      now += 3_590_000
      expect(await token({ githubAppInstallationID: '77' })).toBe(basic('x-access-token:t3'))
      await expect(token({ githubAppInstallationID: '78' })).rejects.toMatchObject({
        code: 'SOURCE_REFUSED',
        message: expect.stringContaining('404 Not Found'),
      })
      await expect(
        token({ githubAppInstallationID: '79', githubAppPrivateKey: 'nonsense' }),
      ).rejects.toMatchObject({ code: 'SOURCE_REFUSED' })
    } finally {
      server.close()
    }
  })
})

describe.skipIf(!hasGit || process.platform === 'win32')('ssh', () => {
  it('is called with the key and the known hosts of the repository, which do not stay on disk', async () => {
    const repo = join(folder.path, 'ssh-repo.git')
    mkdirSync(repo)
    const ids = importHistory(repo, [{ files: { 'a.yaml': 'over ssh' } }])
    // an ssh that notes how it was called and runs the command here
    const bin = join(folder.path, 'bin')
    mkdirSync(bin)
    const log = join(folder.path, 'ssh-log')
    writeFileSync(
      join(bin, 'ssh'),
      `#!/bin/sh
for last; do :; done
{ echo "$@"; while [ $# -gt 0 ]; do
  case "$1" in -i) stat -c %a "$2"; cat "$2"; shift;; UserKnownHostsFile=*) cat "\${1#UserKnownHostsFile=}";; esac; shift
done; } >> ${log}
eval "$last"
`,
    )
    chmodSync(join(bin, 'ssh'), 0o755)
    const path = process.env['PATH']
    process.env['PATH'] = `${bin}:${path}`
    try {
      const cacheDir = join(folder.path, 'ssh-cache')
      const url = `git@host.example:${repo}`
      const fetcher = createSourceFetcher({
        cacheDir,
        sshKnownHosts: 'host.example ssh-ed25519 AAAA',
        repositories: () => ({
          repositories: [parseRepositorySecret({ url, sshPrivateKey: 'PRIVATE KEY' })],
          templates: [],
        }),
      })
      const request = { type: 'git', url, revision: 'main' } as const
      expect(await fetcher.resolve(request)).toBe(ids[0])
      const tree = await fetcher.fetch(request, ids[0]!)
      expect(Buffer.from(tree.read('a.yaml')!).toString()).toBe('over ssh')
      fetcher.release()
      const said = readFileSync(log, 'utf8')
      expect(said).toContain('BatchMode=yes')
      expect(said).toContain('StrictHostKeyChecking=yes')
      expect(said).toContain('IdentitiesOnly=yes')
      expect(said).toContain('600\nPRIVATE KEY\n')
      expect(said).toContain('host.example ssh-ed25519 AAAA\n')
      const files = readdirSync(cacheDir, { recursive: true, withFileTypes: true }).filter((one) =>
        one.isFile(),
      )
      for (const file of files) {
        expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain(
          'PRIVATE KEY',
        )
      }
      expect(git(folder.path, ['--version'])).toContain('git')
      expect(existsSync(cacheDir)).toBe(true)
    } finally {
      process.env['PATH'] = path
    }
  })
})
