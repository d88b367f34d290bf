import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Connection } from './connection.ts'
import { identitySource } from './identity.ts'
import { inClusterConnection, runsInCluster } from './in-cluster.ts'
import { loadKubeconfig } from './kubeconfig.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const one = `
apiVersion: v1
kind: Config
current-context: a
contexts:
- {name: a, context: {cluster: a, user: a, namespace: here}}
- {name: b, context: {cluster: b, user: b}}
- {name: nobody, context: {cluster: b}}
- {name: lost, context: {cluster: gone, user: a}}
- {name: stranger, context: {cluster: a, user: gone}}
clusters:
- name: a
  cluster:
    server: https://a.example.com:6443/below/
    certificate-authority-data: ${Buffer.from('CA').toString('base64')}
    tls-server-name: inner
    proxy-url: http://proxy:3128
- name: b
  cluster: {server: 'https://b', insecure-skip-tls-verify: true}
users:
- {name: a, user: {token: secret, as: somebody, as-groups: [g], as-user-extra: {k: [v]}}}
- name: b
  user:
    client-certificate: cert.pem
    client-key-data: ${Buffer.from('KEY').toString('base64')}
`

describe('loadKubeconfig', () => {
  it('reads a context', async () => {
    const path = await write('one', one)
    expect(await loadKubeconfig({ path })).toEqual({
      server: 'https://a.example.com:6443/below',
      ca: 'CA',
      tlsServerName: 'inner',
      proxyUrl: 'http://proxy:3128',
      namespace: 'here',
      impersonate: { user: 'somebody', groups: ['g'], extra: { k: ['v'] } },
      credentials: { token: 'secret' },
    })
    await write('cert.pem', 'CERT')
    expect(await loadKubeconfig({ path, context: 'b' })).toEqual({
      server: 'https://b',
      insecureSkipTlsVerify: true,
      credentials: { clientCertificate: 'CERT', clientKey: 'KEY' },
    })
    expect((await loadKubeconfig({ path, context: 'nobody' })).credentials).toEqual({})
  })

  it('merges the files of KUBECONFIG, the first to name a thing wins', async () => {
    const first = await write('first', `users: [{name: a, user: {token: first}}]`)
    const second = await write('second', one)
    const KUBECONFIG = [first, join(folder, 'absent'), second].join(delimiter)
    const connection = await loadKubeconfig({ env: { KUBECONFIG } })
    expect(connection.credentials).toEqual({ token: 'first' })
    expect(connection.server).toBe('https://a.example.com:6443/below')
  })

  it('reads JSON', async () => {
    const clusters = [{ name: 'c', cluster: { server: 'plain:80' } }]
    const contexts = [{ name: 'c', context: { cluster: 'c', user: '' } }]
    const path = await write('json', JSON.stringify({ clusters, contexts, 'current-context': 'c' }))
    expect(await loadKubeconfig({ path })).toEqual({ server: 'http://plain:80', credentials: {} })
  })

  it.each([
    ['no such context', { context: 'x' }, 'context "x" does not exist'],
    ['a lost cluster', { context: 'lost' }, 'cluster "gone" was not found for context "lost"'],
    ['a lost user', { context: 'stranger' }, 'user "gone" was not found for context "stranger"'],
  ])('refuses %s', async (_, options, message) => {
    const path = await write('one', one)
    await expect(loadKubeconfig({ path, ...options })).rejects.toMatchObject({
      code: 'CLUSTER_CONFIG',
      message: expect.stringContaining(message),
    })
  })

  it.each([
    ['an auth provider', 'auth-provider: {name: gcp}', 'no Auth Provider found for name "gcp"'],
    ['half a certificate', 'client-key-data: a2V5', 'must both be given'],
    [
      'a certificate that is not there',
      '{client-certificate: none, client-key: none}',
      'unable to read',
    ],
    ['groups without a user', 'as-groups: [g]', 'without impersonating a user'],
  ])('refuses %s', async (_, user, message) => {
    const path = await write(
      'bad',
      `current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: https://c}}]
users:
- name: u
  user: ${user.startsWith('{') ? user : `{${user}}`}`,
    )
    await expect(loadKubeconfig({ path })).rejects.toThrow(message)
  })

  it('says which file is no YAML, and which is not there', async () => {
    const path = await write('broken', 'clusters: [')
    await expect(loadKubeconfig({ path })).rejects.toMatchObject({ code: 'CLUSTER_CONFIG' })
    await expect(loadKubeconfig({ path: join(folder, 'absent') })).rejects.toThrow('cannot be read')
    await expect(loadKubeconfig({ env: { HOME: join(folder, 'nobody') } })).rejects.toThrow(
      'there is no kubeconfig',
    )
  })
})

describe('inClusterConnection', () => {
  it('takes what the pod is given', async () => {
    await write('token', 'one')
    await write('ca.crt', 'CA')
    await write('namespace', 'argocd\n')
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    expect(await runsInCluster({ env, folder })).toBe(true)
    expect(await runsInCluster({ env: {}, folder })).toBe(false)
    const connection = await inClusterConnection({ env, folder })
    expect(connection).toEqual({
      server: 'https://[fd00::1]:443',
      ca: 'CA',
      namespace: 'argocd',
      credentials: { tokenFile: join(folder, 'token') },
    })
    const identities = identitySource(connection)
    expect(await identities.current()).toEqual({ authorization: 'Bearer one' })
    await write('token', 'two\n')
    expect(await identities.current()).toEqual({ authorization: 'Bearer one' })
    expect(identities.renew()).toBe(true)
    expect(await identities.current()).toEqual({ authorization: 'Bearer two' })
    await expect(inClusterConnection({ env: {}, folder })).rejects.toThrow('must be defined')
  })
})

describe('exec plugins', () => {
  async function plugin(script: string, extra: object = {}): Promise<Connection> {
    const command = await write('plugin.sh', `#!/bin/sh\n${script}\n`)
    await chmod(command, 0o755)
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command,
      args: ['an arg'],
      env: [{ name: 'GREETING', value: 'hello' }],
      provideClusterInfo: true,
      interactiveMode: 'IfAvailable',
      installHint: 'ask your neighbour',
      ...extra,
    }
    return { server: 'https://c', ca: 'CA', credentials: { exec } }
  }
  const credential = (status: string): string =>
    `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":${status}}'`

  it('are run with arguments, environment and the cluster, once until they expire', async () => {
    const count = join(folder, 'count')
    const connection = await plugin(
      `echo run >> ${count}; echo "$KUBERNETES_EXEC_INFO" > ${count}.info
       echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"status\\":{\\"token\\":\\"$GREETING $1 $(wc -l < ${count})\\"}}"`,
    )
    const identities = identitySource(connection)
    const [first, same] = await Promise.all([identities.current(), identities.current()])
    expect(first).toEqual({ authorization: 'Bearer hello an arg 1' })
    expect(same).toEqual(first)
    identities.renew()
    expect(await identities.current()).toEqual({ authorization: 'Bearer hello an arg 2' })
    const { readFile } = await import('node:fs/promises')
    expect(JSON.parse(await readFile(`${count}.info`, 'utf8'))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: { server: 'https://c', 'certificate-authority-data': 'Q0E=' },
      },
    })
  })

  it('are run again when their credential has expired', async () => {
    const count = join(folder, 'expiry')
    const connection = await plugin(
      `echo run >> ${count}
       echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"status\\":{\\"token\\":\\"t$(wc -l < ${count})\\",\\"expirationTimestamp\\":\\"2001-01-01T00:00:00Z\\"}}"`,
    )
    const identities = identitySource(connection)
    expect(await identities.current()).toEqual({ authorization: 'Bearer t1' })
    expect(await identities.current()).toEqual({ authorization: 'Bearer t2' })
  })

  it('may give a certificate', async () => {
    const connection = await plugin(credential('{"clientCertificateData":"C","clientKeyData":"K"}'))
    expect(await identitySource(connection).current()).toEqual({
      clientCertificate: 'C',
      clientKey: 'K',
    })
  })

  it('are not run when the kubeconfig has a token', async () => {
    const { credentials, ...rest } = await plugin('exit 1')
    const both = { ...rest, credentials: { ...credentials, token: 'mine' } }
    expect(await identitySource(both).current()).toEqual({ authorization: 'Bearer mine' })
  })

  it.each([
    ['fails', 'echo oops >&2; exit 3', {}, 'failed with exit code 3: oops'],
    ['prints nonsense', 'echo hi', {}, 'did not print an ExecCredential'],
    ['prints nothing of use', credential('{}'), {}, `didn't return a token or cert/key pair`],
    ['prints half a pair', credential('{"clientKeyData":"K"}'), {}, 'only certificate or key'],
    ['wants a terminal', 'exit 0', { interactiveMode: 'Always' }, 'there is no terminal'],
    [
      'is of an old version',
      'exit 0',
      { apiVersion: 'client.authentication.k8s.io/v1alpha1' },
      'invalid apiVersion',
    ],
    ['is not there', '', { command: '/nonexistent/plugin' }, '/nonexistent/plugin not found'],
    [
      'answers in another version',
      `echo '{"apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"t"}}'`,
      {},
      'plugin returned version client.authentication.k8s.io/v1beta1',
    ],
  ])('one that %s is refused', async (_, script, extra, message) => {
    const connection = await plugin(script, extra)
    await expect(identitySource(connection).current()).rejects.toMatchObject({
      code: 'CLUSTER_CONFIG',
      message: expect.stringContaining(message),
      hint: 'ask your neighbour',
    })
  })
})
