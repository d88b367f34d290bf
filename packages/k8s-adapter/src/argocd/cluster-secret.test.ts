import type { JsonObject } from '@litecd/core/json'
import { describe, expect, it } from 'vitest'
import type { Connection } from '../client/index.ts'
import { readClusterSecret } from './cluster-secret.ts'

const home: Connection = { server: 'https://10.0.0.1', ca: 'CA', credentials: { token: 'home' } }
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const read = (server: string, config: JsonObject | string, more: { [key: string]: string } = {}) =>
  readClusterSecret(
    {
      apiVersion: 'v1',
      kind: 'Secret',
      data: Object.fromEntries(
        Object.entries({
          server,
          config: typeof config === 'string' ? config : JSON.stringify(config),
          ...more,
        }).map(([key, value]) => [key, base64(value)]),
      ),
    },
    home,
  )

describe('readClusterSecret', () => {
  it('reads all that a Secret may say', () => {
    const entry = read(
      'https://far/',
      {
        bearerToken: 't',
        tlsClientConfig: { caData: base64('PEM'), serverName: 'inner' },
        proxyUrl: 'http://p',
      },
      { name: 'far', namespaces: 'a, ,b', clusterResources: 'true', project: 'p' },
    )
    expect(entry).toMatchObject({
      server: 'https://far',
      name: 'far',
      namespaces: ['a', 'b'],
      clusterResources: true,
      project: 'p',
      connection: {
        server: 'https://far',
        ca: 'PEM',
        tlsServerName: 'inner',
        proxyUrl: 'http://p',
        credentials: { token: 't' },
      },
    })
  })

  it.each([
    ['nothing', {}, {}],
    ['a token before a user', { bearerToken: 't', username: 'u' }, { token: 't' }],
    ['a user', { username: 'u', password: 'p' }, { username: 'u', password: 'p' }],
    [
      'a certificate',
      { tlsClientConfig: { certData: base64('C'), keyData: base64('K') } },
      { clientCertificate: 'C', clientKey: 'K' },
    ],
    [
      'a plugin',
      {
        bearerToken: 't',
        execProviderConfig: {
          command: 'c',
          args: ['a'],
          env: { E: '1' },
          apiVersion: 'v',
          installHint: 'h',
        },
      },
      {
        exec: {
          command: 'c',
          args: ['a'],
          env: [{ name: 'E', value: '1' }],
          apiVersion: 'v',
          installHint: 'h',
          interactiveMode: 'Never',
          provideClusterInfo: false,
        },
      },
    ],
    [
      'AWS',
      { awsAuthConfig: { clusterName: 'n', roleARN: 'r' } },
      {
        exec: {
          command: 'argocd-k8s-auth',
          args: ['aws', '--cluster-name', 'n', '--role-arn', 'r'],
          env: [],
          apiVersion: 'client.authentication.k8s.io/v1beta1',
          installHint: '',
          interactiveMode: 'Never',
          provideClusterInfo: false,
        },
      },
    ],
  ])('takes %s for credentials', (_, config, credentials) => {
    expect(read('https://far', config)?.connection.credentials).toEqual(credentials)
  })

  it('takes the way home for its own cluster, with other credentials if there are some', () => {
    const own = 'https://kubernetes.default.svc'
    expect(read(own, '')?.connection).toBe(home)
    expect(
      read(own, { bearerToken: 't', tlsClientConfig: { insecure: true } })?.connection,
    ).toEqual({
      server: 'https://10.0.0.1',
      ca: 'CA',
      credentials: { token: 't' },
    })
  })

  it('does not know a cluster whose config is no JSON', () => {
    expect(read('https://far', '{')).toBeUndefined()
    expect(read('https://far', '[]')).toBeUndefined()
  })

  it('has another stamp when anything changes', () => {
    const stamp = (token: string) => read('https://far', { bearerToken: token })?.stamp
    expect(stamp('a')).toBe(stamp('a'))
    expect(stamp('a')).not.toBe(stamp('b'))
  })
})
