import { spawn } from 'node:child_process'
import { ClusterError } from '@litecd/core/errors'
import { formatJson, getPath, isObject, type Json, parseJson } from '@litecd/core/json'
import type { Connection, ExecPlugin } from './connection.ts'

export interface ExecCredential {
  readonly token?: string
  readonly clientCertificate?: string
  readonly clientKey?: string
  /** Milliseconds since 1970; undefined: good until the server refuses it. */
  readonly expiresAt?: number
}

const versions: ReadonlySet<string> = new Set([
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
])
const maxOutputBytes = 1 << 20 // ours; a credential is a few KiB
const timeoutMs = 60_000 // ours; client-go waits for ever

function failed(message: string, plugin: ExecPlugin, cause?: unknown): ClusterError {
  const hint = plugin.installHint || undefined
  return new ClusterError('CLUSTER_CONFIG', message, { hint, cause })
}

function spawnPlugin(plugin: ExecPlugin, info: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, KUBERNETES_EXEC_INFO: info }
    for (const { name, value } of plugin.env) (env as { [name: string]: string })[name] = value
    const child = spawn(plugin.command, plugin.args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    })
    let out = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk
      if (out.length > maxOutputBytes) child.kill()
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors = (errors + chunk).slice(-2000)
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT'
      const what = missing ? 'not found' : `failed: ${error.message}`
      reject(failed(`exec: executable ${plugin.command} ${what}`, plugin, error))
    })
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(out)
      const how = signal === null ? `failed with exit code ${code}` : `was ended by ${signal}`
      const said = errors.trim() === '' ? '' : `: ${errors.trim()}`
      reject(failed(`exec: executable ${plugin.command} ${how}${said}`, plugin))
    })
  })
}

function clusterInfo(connection: Connection): Json {
  return {
    server: connection.server,
    ...(connection.tlsServerName ? { 'tls-server-name': connection.tlsServerName } : {}),
    ...(connection.insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
    ...(connection.ca
      ? { 'certificate-authority-data': Buffer.from(connection.ca).toString('base64') }
      : {}),
    ...(connection.proxyUrl ? { 'proxy-url': connection.proxyUrl } : {}),
  }
}

/**
 * Runs a credential plugin once. It gets no terminal: one that insists on it is refused.
 *
 * Throws ClusterError CLUSTER_CONFIG with the plugin's own words and install hint.
 * Source: client-go v0.36.1 plugin/pkg/client/auth/exec.
 */
export async function runExecPlugin(
  plugin: ExecPlugin,
  connection: Connection,
): Promise<ExecCredential> {
  if (!versions.has(plugin.apiVersion)) {
    throw failed(`exec plugin: invalid apiVersion ${JSON.stringify(plugin.apiVersion)}`, plugin)
  }
  if (plugin.interactiveMode === 'Always') {
    throw failed('exec plugin cannot support interactive mode: there is no terminal', plugin)
  }
  const info = {
    apiVersion: plugin.apiVersion,
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      ...(plugin.provideClusterInfo ? { cluster: clusterInfo(connection) } : {}),
    },
  }
  const text = await spawnPlugin(plugin, formatJson(info, { escapeHtml: false }))
  let answer: Json
  try {
    answer = parseJson(text)
  } catch (error) {
    throw failed(`exec: ${plugin.command} did not print an ExecCredential`, plugin, error)
  }
  const version = getPath(answer, 'apiVersion')
  if (version !== plugin.apiVersion) {
    throw failed(
      `exec plugin is configured to use API version ${plugin.apiVersion}, plugin returned version ${version}`,
      plugin,
    )
  }
  const status = getPath(answer, 'status')
  if (!isObject(status)) throw failed(`exec plugin didn't return a status field`, plugin)
  const field = (name: string): string => {
    const value = status[name]
    return typeof value === 'string' ? value : ''
  }
  const token = field('token')
  const clientCertificate = field('clientCertificateData')
  const clientKey = field('clientKeyData')
  if (token === '' && clientCertificate === '' && clientKey === '') {
    throw failed(`exec plugin didn't return a token or cert/key pair`, plugin)
  }
  if ((clientCertificate === '') !== (clientKey === '')) {
    throw failed('exec plugin returned only certificate or key, not both', plugin)
  }
  const expiry = Date.parse(field('expirationTimestamp'))
  return {
    ...(token === '' ? {} : { token }),
    ...(clientCertificate === '' ? {} : { clientCertificate, clientKey }),
    ...(Number.isNaN(expiry) ? {} : { expiresAt: expiry }),
  }
}
