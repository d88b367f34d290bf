import { createHash } from 'node:crypto'
import { parseCsv } from '@litecd/core/argo'
import { getPath, isObject, type Json, type JsonObject, parseJson } from '@litecd/core/json'
import { annotationsOf, labelsOf, type Manifest } from '@litecd/core/kube'
import { inClusterServer } from '@litecd/core/project'
import type { Connection, Credentials, ExecPlugin } from '../client/index.ts'

/** A cluster as a Secret with label `argocd.argoproj.io/secret-type: cluster` describes it. */
export interface ClusterEntry {
  /** Without trailing slash. */
  readonly server: string
  /** '' when the Secret has none. */
  readonly name: string
  /** Not empty: only these namespaces are managed. */
  readonly namespaces: readonly string[]
  /** With `namespaces`: cluster-scoped objects are managed too. */
  readonly clusterResources: boolean
  readonly project: string | undefined
  /** Of the Secret, all of them. */
  readonly labels: { readonly [key: string]: string }
  readonly annotations: { readonly [key: string]: string }
  readonly connection: Connection
  /** Another one when anything that matters for the connection has changed. */
  readonly stamp: string
}

export const labelSecretType = 'argocd.argoproj.io/secret-type'

/** A value of a Secret's `data`, decoded; undefined when it is not there. */
function secretText(secret: Manifest, key: string): string | undefined {
  const value = getPath(secret, 'data', key)
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined
}

function text(object: Json | undefined, field: string): string | undefined {
  const value = getPath(object, field)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function decoded(value: string | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8')
}

function execOf(config: JsonObject): ExecPlugin | undefined {
  const plain = { provideClusterInfo: false, interactiveMode: 'Never', installHint: '', env: [] }
  const aws = config['awsAuthConfig']
  if (isObject(aws)) {
    const [cluster, role, profile] = ['clusterName', 'roleARN', 'profile'].map((key) =>
      text(aws, key),
    )
    return {
      ...plain,
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: 'argocd-k8s-auth',
      args: [
        'aws',
        '--cluster-name',
        cluster ?? '',
        ...(role === undefined ? [] : ['--role-arn', role]),
        ...(profile === undefined ? [] : ['--profile', profile]),
      ],
    }
  }
  const exec = config['execProviderConfig']
  if (!isObject(exec)) return undefined
  const { args, env } = exec
  return {
    ...plain,
    apiVersion: text(exec, 'apiVersion') ?? '',
    command: text(exec, 'command') ?? '',
    args: Array.isArray(args) ? args.map(String) : [],
    env: isObject(env)
      ? Object.entries(env).map(([name, value]) => ({ name, value: String(value) }))
      : [],
    provideClusterInfo: exec['provideClusterInfo'] === true,
    installHint: text(exec, 'installHint') ?? '',
  }
}

function credentialsOf(config: JsonObject): Credentials {
  const tls = config['tlsClientConfig']
  const clientCertificate = decoded(text(tls, 'certData'))
  const clientKey = decoded(text(tls, 'keyData'))
  const certificate: Credentials =
    clientCertificate === undefined || clientKey === undefined
      ? {}
      : { clientCertificate, clientKey }
  const exec = execOf(config)
  if (exec !== undefined) return { ...certificate, exec }
  const token = text(config, 'bearerToken')
  if (token !== undefined) return { ...certificate, token }
  const username = text(config, 'username')
  if (username === undefined) return certificate
  return { ...certificate, username, password: text(config, 'password') ?? '' }
}

/**
 * The connection that a cluster's `config` describes. For the cluster that the controller runs in, `home` is the way,
 * with the credentials of the Secret where it has some.
 */
export function clusterConnection(
  server: string,
  config: JsonObject,
  home: Connection,
): Connection {
  const credentials = credentialsOf(config)
  if (server === inClusterServer) {
    const own = credentials.token !== undefined || credentials.username !== undefined
    return own ? { ...home, credentials } : home
  }
  const tls = config['tlsClientConfig']
  const ca = decoded(text(tls, 'caData'))
  const tlsServerName = text(tls, 'serverName')
  const proxyUrl = text(config, 'proxyUrl')
  return {
    server,
    ...(ca === undefined ? {} : { ca }),
    ...(isObject(tls) && tls['insecure'] === true ? { insecureSkipTlsVerify: true } : {}),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    credentials,
  }
}

/**
 * A cluster from its Secret. Undefined when `config` cannot be read: the cluster is then unknown, as in Argo CD.
 *
 * Source: argo-cd v3.5.1 util/db/cluster.go SecretToCluster, pkg/apis/application/v1alpha1/types.go RawRestConfig.
 */
export function readClusterSecret(secret: Manifest, home: Connection): ClusterEntry | undefined {
  let config: Json
  try {
    config = parseJson(secretText(secret, 'config') || '{}')
  } catch {
    return undefined
  }
  if (!isObject(config)) return undefined
  const server = (secretText(secret, 'server') ?? '').replace(/\/+$/, '')
  const data = secret['data']
  return {
    server,
    name: secretText(secret, 'name') ?? '',
    namespaces: parseCsv(secretText(secret, 'namespaces')),
    clusterResources: secretText(secret, 'clusterResources') === 'true',
    project: secretText(secret, 'project') || undefined,
    labels: labelsOf(secret),
    annotations: annotationsOf(secret),
    connection: clusterConnection(server, config, home),
    stamp: createHash('sha256')
      .update(JSON.stringify(data ?? null))
      .digest('hex'),
  }
}

export function isClusterSecret(secret: Manifest): boolean {
  return labelsOf(secret)[labelSecretType] === 'cluster'
}
