import type { PluginRequest } from '@litecd/core/adapters'
import { isObject, type JsonObject } from '@litecd/core/json'
import {
  type AnswerMemory,
  Api,
  type ApiAnswer,
  isSuccess,
  objectsOf,
  readJson,
  type ScmLimits,
} from './api.ts'
import { type ProviderObjects, providerError } from './objects.ts'
import { prefixed } from './provider.ts'

const getting = 'error getting plugin from generator: '
const defaultTimeoutSeconds = 30
const argocdSecret = 'argocd-secret'

/**
 * Asks a plugin for its parameters.
 *
 * Source: argo-cd v3.5.1 applicationset/generators/plugin.go, services/plugin, services/internal/http
 */
export async function pluginParameters(
  world: {
    readonly namespace: string
    readonly objects: ProviderObjects
    readonly limits: ScmLimits
    readonly memory: AnswerMemory
    readonly now: () => number
    readonly sleep: (ms: number) => Promise<void>
  },
  request: PluginRequest,
  signal?: AbortSignal,
): Promise<readonly JsonObject[]> {
  const { objects, namespace } = world
  const data = await objects.configMap(namespace, request.configMap)
  const mapFailed = `${getting}error fetching ConfigMap: `
  if (data === undefined) {
    throw providerError(`${mapFailed}ConfigMap ${JSON.stringify(request.configMap)} not found`)
  }
  const value = (key: string): string => (Object.hasOwn(data, key) ? (data[key] ?? '') : '')
  if (value('baseUrl') === '') throw providerError(`${mapFailed}baseUrl not found in ConfigMap`)
  if (value('token') === '') throw providerError(`${mapFailed}token not found in ConfigMap`)
  const token = await tokenOf(objects, namespace, value('token'))
  const timeout = Object.hasOwn(data, 'requestTimeout') ? value('requestTimeout') : '0'
  if (!/^[+-]?\d+$/.test(timeout)) {
    throw providerError(
      `${getting}error set requestTimeout : strconv.Atoi: parsing ${JSON.stringify(timeout)}: invalid syntax`,
    )
  }
  const base = value('baseUrl')
  const api = new Api({
    base: base.endsWith('/') ? base : `${base}/`,
    headers: { 'content-type': 'application/json', 'user-agent': 'argocd-applicationset' },
    secrets: [token],
    limits: world.limits,
    memory: world.memory,
    now: world.now,
    sleep: world.sleep,
    timeoutMs: (Number(timeout) || defaultTimeoutSeconds) * 1000,
    explain,
    ...(token === '' ? {} : { authorization: async () => `Bearer ${token}` }),
  })
  const failed = prefixed(`error listing params: error get api '${request.set.name}': `)
  const body = JSON.stringify({
    applicationSetName: request.set.name,
    input: { parameters: request.parameters },
  })
  try {
    const answer = await api.exchange('api/v1/getparams.execute', { method: 'POST', body, signal })
    if (!isSuccess(answer)) throw api.refusal(answer)
    if (answer.body.trim() === '') return []
    const read = readJson(answer.body)
    if ('problem' in read) {
      throw api.error('SOURCE_CORRUPT', `${read.problem}: ${answer.body}`)
    }
    const output = isObject(read.value) ? read.value['output'] : undefined
    return objectsOf(isObject(output) ? output['parameters'] : undefined)
  } catch (error) {
    return failed(error)
  }
}

/** `$key` of argocd-secret, or `$secret:key`. A key that is not there stays as it is written. */
async function tokenOf(objects: ProviderObjects, namespace: string, ref: string): Promise<string> {
  const failed = `${getting}error fetching Secret token: `
  if (!ref.startsWith('$')) {
    throw providerError(
      `${failed}token is empty, or does not reference a secret key starting with '$': ${ref}`,
    )
  }
  const [first = '', second] = ref.split(':')
  const name = second === undefined ? argocdSecret : first.slice(1)
  const key = second === undefined ? ref.slice(1) : second
  const secret = await objects.secret(namespace, name)
  if (secret === undefined) {
    throw providerError(
      `${failed}error fetching secret ${namespace}/${name}: Secret ${JSON.stringify(name)} not found`,
    )
  }
  const value = Object.hasOwn(secret.data, key) ? secret.data[key] : undefined
  return value === undefined ? `$${key}` : value.trim()
}

function explain({ status, body }: ApiAnswer): string {
  const read = readJson(body)
  const text =
    'value' in read && isObject(read.value)
      ? [read.value['message'], read.value['error']].find((one) => typeof one === 'string')
      : body
  return `API error with status code ${status}: ${text ?? ''}`
}
