import type { ResourcesRequest } from '@litecd/core/adapters'
import { type ErrorCode, SourceError } from '@litecd/core/errors'
import { isObject, type JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'

/** A Secret with its values decoded. */
export interface StoredSecret {
  readonly labels: { readonly [key: string]: string }
  readonly data: { readonly [key: string]: string }
}

/** What is read from the cluster for a generator. Undefined: it is not there. */
export interface ProviderObjects {
  secret(namespace: string, name: string): Promise<StoredSecret | undefined>
  configMap(
    namespace: string,
    name: string,
  ): Promise<{ readonly [key: string]: string } | undefined>
  /** Throws SourceError in the words of the API server. */
  list(namespace: string, request: ResourcesRequest): Promise<readonly Manifest[]>
}

const labelType = 'argocd.argoproj.io/secret-type'
const scmCreds = 'scm-creds'

/** Something is wrong before a host was asked. */
export function providerError(message: string, code: ErrorCode = 'SOURCE_REFUSED'): SourceError {
  return new SourceError(code, message, { data: { stage: 'provider' } })
}

/**
 * The value of `{secretName, key}`; '' where there is no reference. Throws SourceError with `prefix` before its words.
 *
 * Source: argo-cd v3.5.1 applicationset/utils/kubernetes.go GetSecretRef
 */
export async function secretValue(
  objects: ProviderObjects,
  namespace: string,
  ref: unknown,
  options: { readonly strict: boolean; readonly prefix: string },
): Promise<string> {
  if (!isObject(ref as JsonObject)) return ''
  const name = textOf(ref as JsonObject, 'secretName')
  const key = textOf(ref as JsonObject, 'key')
  const place = `${namespace}/${name}`
  const secret = await objects
    .secret(namespace, name)
    .catch(asProviderError(`${options.prefix}error fetching secret ${place}: `))
  if (secret === undefined) {
    throw providerError(
      `${options.prefix}error fetching secret ${place}: Secret ${JSON.stringify(name)} not found`,
    )
  }
  if (options.strict && secret.labels[labelType] !== scmCreds) {
    throw providerError(
      `${options.prefix}secret ${place} is not a valid SCM creds secret: secret must have label "${labelType}"="${scmCreds}"`,
    )
  }
  const value = Object.hasOwn(secret.data, key) ? secret.data[key] : undefined
  if (value === undefined) {
    throw providerError(`${options.prefix}key ${JSON.stringify(key)} in secret ${place} not found`)
  }
  return value
}

/** The certificates of `caRef`; undefined where there is no reference. */
export async function caValue(
  objects: ProviderObjects,
  namespace: string,
  ref: unknown,
): Promise<string | undefined> {
  if (!isObject(ref as JsonObject)) return undefined
  const name = textOf(ref as JsonObject, 'configMapName')
  const key = textOf(ref as JsonObject, 'key')
  const prefix = 'error fetching CA certificates from ConfigMap: '
  const data = await objects.configMap(namespace, name).catch(asProviderError(prefix))
  if (data === undefined) {
    throw providerError(`${prefix}ConfigMap ${JSON.stringify(name)} not found`)
  }
  if (!Object.hasOwn(data, key)) {
    throw providerError(`${prefix}key ${key} not found in ConfigMap ${name}`)
  }
  return data[key]
}

/** The same error before a host was asked, with words before it. */
export function asProviderError(prefix: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SourceError) || error.code === 'BUDGET_EXCEEDED') throw error
    throw new SourceError(error.code, prefix + error.message, {
      retryable: error.retryable,
      data: { ...error.data, stage: 'provider' },
      cause: error,
    })
  }
}

/** A text of a block; '' where there is none. */
export function textOf(block: JsonObject, field: string): string {
  const value = block[field]
  return typeof value === 'string' ? value : ''
}
