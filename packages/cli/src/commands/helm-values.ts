import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { isLitecdError, type LitecdError, RenderError } from '@litecd/core/errors'
import { isObject, type JsonObject } from '@litecd/core/json'
import { bytesToText } from '@litecd/core/text'
import { parseYaml } from '@litecd/core/yaml'
import type { Io } from '../io.ts'
import { type Fetch, fetchFile } from './helm-chart.ts'
import type { HelmCommandLine } from './helm-flags.ts'

/** A file of the user's as text, or Go's words for why it cannot be read. */
export function readUserFile(path: string, io: Io): string {
  if (path === '') throw new RenderError('HELM_VALUES', 'open : no such file or directory')
  try {
    return bytesToText(readFileSync(path.trim() === '-' ? 0 : resolve(io.cwd, path)))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = {
      ENOENT: `open ${path}: no such file or directory`,
      EISDIR: `read ${path}: is a directory`,
      EACCES: `open ${path}: permission denied`,
      ENOTDIR: `open ${path}: not a directory`,
    }[code ?? '']
    if (reason === undefined) throw error
    throw new RenderError('HELM_VALUES', reason, { cause: error })
  }
}

/** The value files of a command line in their order; http(s) URLs are fetched. */
export async function readValueFiles(
  line: HelmCommandLine,
  io: Io,
  fetch: Fetch,
): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const out: { readonly name: string; readonly text: string }[] = []
  for (const name of line.texts('values')) {
    const isUrl = /^https?:\/\//.test(name)
    const text = isUrl ? bytesToText(await fetchFile(name, fetch)) : readUserFile(name, io)
    out.push({ name, text })
  }
  return out
}

/** What `--set-file` reads: files, and what http(s) URLs among them give, which is fetched before it is asked for. */
export async function readSetFiles(
  line: HelmCommandLine,
  io: Io,
  fetch: Fetch,
): Promise<(path: string) => string> {
  const urls = line.texts('set-file').flatMap((text) => text.match(/(?<==)https?:\/\/[^,]+/g) ?? [])
  const fetched = new Map<string, string | LitecdError>()
  for (const url of urls) {
    try {
      fetched.set(url, bytesToText(await fetchFile(url, fetch)))
    } catch (error) {
      if (!isLitecdError(error)) throw error
      fetched.set(url, error)
    }
  }
  return (path) => {
    const found = fetched.get(path)
    if (found === undefined) return readUserFile(path, io)
    if (typeof found === 'string') return found
    throw new RenderError('HELM_VALUES', found.message, { cause: found })
  }
}

/** The namespace of the release: -n, HELM_NAMESPACE, that of the current context of the kubeconfig, default. */
export function namespaceOf(line: HelmCommandLine, io: Io): string {
  return (
    line.text('namespace') || io.env['HELM_NAMESPACE'] || contextNamespace(line, io) || 'default'
  )
}

function contextNamespace(line: HelmCommandLine, io: Io): string | undefined {
  const given = line.text('kubeconfig')
  const listed = io.env['KUBECONFIG']
  const paths =
    given !== undefined
      ? [resolve(io.cwd, given)]
      : listed !== undefined && listed !== ''
        ? listed.split(delimiter).map((path) => resolve(io.cwd, path))
        : [join(io.env['HOME'] ?? homedir(), '.kube', 'config')]
  let configs: readonly JsonObject[]
  try {
    configs = paths.flatMap((path) => {
      const config = existsSync(path) ? parseYaml(readFileSync(path, 'utf8'), { path }) : null
      return isObject(config) ? [config] : []
    })
  } catch (error) {
    // Helm tells nobody that it cannot read them as long as it needs no cluster
    if (!isLitecdError(error)) throw error
    return undefined
  }
  const current =
    line.text('kube-context') ??
    io.env['HELM_KUBECONTEXT'] ??
    configs.map((config) => config['current-context']).find((name) => name !== undefined)
  for (const { contexts } of configs) {
    for (const item of Array.isArray(contexts) ? contexts : []) {
      if (!isObject(item) || item['name'] !== current || !isObject(item['context'])) continue
      const { namespace } = item['context']
      return typeof namespace === 'string' ? namespace : undefined
    }
  }
  return undefined
}
