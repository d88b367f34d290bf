import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { ClusterError } from '@litecd/core/errors'
import { getPath, isObject, type Json, type JsonObject } from '@litecd/core/json'
import { parseYaml } from '@litecd/core/yaml'
import type { Connection, Credentials, ExecPlugin, Impersonation } from './connection.ts'

export interface KubeconfigOptions {
  /** One file; then KUBECONFIG and ~/.kube/config are not looked at. */
  readonly path?: string
  /** Context to take instead of `current-context`. */
  readonly context?: string
  readonly env?: { readonly [name: string]: string | undefined }
}

interface Entry {
  readonly value: JsonObject
  /** Folder of the file that it stands in; relative paths start there. */
  readonly folder: string
}

function bad(message: string, cause?: unknown): ClusterError {
  return new ClusterError('CLUSTER_CONFIG', message, { cause })
}

function textOf(value: JsonObject, field: string): string {
  const found = getPath(value, field)
  return typeof found === 'string' ? found : ''
}

/** Named clusters, users and contexts of several files; where two files name the same thing, the first one wins. */
class Merged {
  private readonly entries = new Map<string, Entry>()
  currentContext = ''

  add(document: Json, file: string): void {
    if (document === null) return
    if (!isObject(document)) throw bad(`${file}: a kubeconfig is a mapping`)
    this.currentContext ||= textOf(document, 'current-context')
    for (const [list, field] of [
      ['clusters', 'cluster'],
      ['users', 'user'],
      ['contexts', 'context'],
    ] as const) {
      const items = document[list] ?? []
      if (!Array.isArray(items)) throw bad(`${file}: ${list} is not a list`)
      for (const item of items as readonly Json[]) {
        const name = getPath(item, 'name')
        const value = getPath(item, field)
        if (typeof name !== 'string') throw bad(`${file}: an entry of ${list} has no name`)
        const key = `${field}/${name}`
        if (this.entries.has(key)) continue
        this.entries.set(key, { value: isObject(value) ? value : {}, folder: dirname(file) })
      }
    }
  }

  get(kind: 'cluster' | 'user' | 'context', name: string): Entry | undefined {
    return this.entries.get(`${kind}/${name}`)
  }
}

/** Inline base64 wins over a file, as in client-go. */
async function pem(entry: Entry, field: string): Promise<string | undefined> {
  const inline = textOf(entry.value, `${field}-data`)
  if (inline !== '') return Buffer.from(inline, 'base64').toString('utf8')
  const file = textOf(entry.value, field)
  if (file === '') return undefined
  try {
    return await readFile(resolve(entry.folder, file), 'utf8')
  } catch (error) {
    throw bad(`unable to read ${field} ${file}`, error)
  }
}

function execOf(value: JsonObject, folder: string): ExecPlugin {
  const command = textOf(value, 'command')
  if (command === '') throw bad('command must be specified to use exec authentication plugin')
  const env = (value['env'] ?? []) as readonly Json[]
  return {
    apiVersion: textOf(value, 'apiVersion'),
    // A bare name is looked up on PATH; a path is relative to the kubeconfig.
    command: command.includes('/') && !isAbsolute(command) ? resolve(folder, command) : command,
    args: ((value['args'] ?? []) as readonly Json[]).map(String),
    env: env
      .filter(isObject)
      .map((item) => ({ name: textOf(item, 'name'), value: textOf(item, 'value') })),
    provideClusterInfo: value['provideClusterInfo'] === true,
    interactiveMode: textOf(value, 'interactiveMode') || 'IfAvailable',
    installHint: textOf(value, 'installHint'),
  }
}

async function credentialsOf(user: Entry): Promise<Credentials> {
  const { value } = user
  const provider = getPath(value, 'auth-provider', 'name')
  if (typeof provider === 'string') {
    throw new ClusterError(
      'CLUSTER_CONFIG',
      `no Auth Provider found for name ${JSON.stringify(provider)}`,
      { hint: 'Auth providers are gone from Kubernetes; use an exec credential plugin instead.' },
    )
  }
  const exec = getPath(value, 'exec')
  const tokenFile = textOf(value, 'tokenFile')
  const clientCertificate = await pem(user, 'client-certificate')
  const clientKey = await pem(user, 'client-key')
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw bad('client-certificate and client-key must both be given')
  }
  const token = textOf(value, 'token')
  const username = textOf(value, 'username')
  return {
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
    ...(token === '' ? {} : { token }),
    ...(tokenFile === '' ? {} : { tokenFile: resolve(user.folder, tokenFile) }),
    ...(username === '' ? {} : { username, password: textOf(value, 'password') }),
    ...(isObject(exec) ? { exec: execOf(exec, user.folder) } : {}),
  }
}

function impersonationOf(value: JsonObject): Impersonation | undefined {
  const user = textOf(value, 'as')
  const groups = value['as-groups']
  const extra = value['as-user-extra']
  const uid = textOf(value, 'as-uid')
  if (user === '') {
    if (groups !== undefined || extra !== undefined || uid !== '') {
      throw bad('requesting uid, groups or user-extra without impersonating a user')
    }
    return undefined
  }
  return {
    user,
    ...(Array.isArray(groups) ? { groups: groups.map(String) } : {}),
    ...(uid === '' ? {} : { uid }),
    ...(isObject(extra) ? { extra: extra as { [key: string]: readonly string[] } } : {}),
  }
}

async function select(merged: Merged, options: KubeconfigOptions): Promise<Connection> {
  const contextName = options.context ?? merged.currentContext
  if (contextName === '') {
    throw bad('invalid configuration: no context is chosen; set current-context or name one')
  }
  const context = merged.get('context', contextName)
  if (context === undefined) throw bad(`context ${JSON.stringify(contextName)} does not exist`)
  const clusterName = textOf(context.value, 'cluster')
  const cluster = merged.get('cluster', clusterName)
  if (cluster === undefined) {
    throw bad(
      `invalid configuration: cluster ${JSON.stringify(clusterName)} was not found for context ${JSON.stringify(contextName)}`,
    )
  }
  const userName = textOf(context.value, 'user')
  const user = merged.get('user', userName)
  if (user === undefined && userName !== '') {
    throw bad(
      `invalid configuration: user ${JSON.stringify(userName)} was not found for context ${JSON.stringify(contextName)}`,
    )
  }
  const server = textOf(cluster.value, 'server')
  if (server === '') {
    throw bad(`invalid configuration: cluster ${JSON.stringify(clusterName)} has no server defined`)
  }
  const ca = await pem(cluster, 'certificate-authority')
  const insecure = cluster.value['insecure-skip-tls-verify'] === true
  if (insecure && ca !== undefined) {
    throw bad('specifying a root certificates file with the insecure flag is not allowed')
  }
  const tlsServerName = textOf(cluster.value, 'tls-server-name')
  const proxyUrl = textOf(cluster.value, 'proxy-url')
  const namespace = textOf(context.value, 'namespace')
  const impersonate = user === undefined ? undefined : impersonationOf(user.value)
  return {
    server: (server.includes('://') ? server : `http://${server}`).replace(/\/+$/, ''),
    ...(ca === undefined ? {} : { ca }),
    ...(insecure ? { insecureSkipTlsVerify: true } : {}),
    ...(tlsServerName === '' ? {} : { tlsServerName }),
    ...(proxyUrl === '' ? {} : { proxyUrl }),
    ...(namespace === '' ? {} : { namespace }),
    ...(impersonate === undefined ? {} : { impersonate }),
    credentials: user === undefined ? {} : await credentialsOf(user),
  }
}

/**
 * The connection that a kubeconfig describes. Without a path: the files of KUBECONFIG (the first to name a thing wins,
 * missing files are left out), else ~/.kube/config.
 *
 * Throws ClusterError CLUSTER_CONFIG: no file, a file that cannot be read, or a name without an entry.
 * Source: client-go v0.36.1 tools/clientcmd.
 */
export async function loadKubeconfig(options: KubeconfigOptions = {}): Promise<Connection> {
  const env = options.env ?? process.env
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  const files =
    options.path !== undefined
      ? [options.path]
      : listed.length > 0
        ? listed
        : [join(env['HOME'] ?? homedir(), '.kube', 'config')]
  const merged = new Merged()
  let found = 0
  for (const file of files) {
    let text: string
    try {
      text = await readFile(file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && options.path === undefined) continue
      throw bad(`the kubeconfig ${file} cannot be read`, error)
    }
    found++
    let document: Json
    try {
      document = parseYaml(text, { path: file })
    } catch (error) {
      throw bad(`the kubeconfig ${file} cannot be read: ${(error as Error).message}`, error)
    }
    merged.add(document, file)
  }
  if (found === 0) throw bad(`there is no kubeconfig: looked for ${files.join(', ')}`)
  return select(merged, options)
}
