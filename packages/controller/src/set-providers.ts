import type { ProviderReader } from '@litecd/core/adapters'
import type { AppsetSettings } from '@litecd/core/appset'
import { SpecError } from '@litecd/core/errors'
import { providerObjects } from '@litecd/k8s-adapter/argocd'
import type { KubeClient } from '@litecd/k8s-adapter/client'
import { type ApiCall, createProviderReader } from '@litecd/k8s-adapter/scm'
import type { Logger } from './log/index.ts'

export interface SetProvidersOptions {
  readonly client: KubeClient
  readonly namespace: string
  readonly environment: { readonly [name: string]: string | undefined }
  readonly log: Logger
  /** Sees every exchange with a host. */
  readonly onCall?: ((call: ApiCall) => void) | undefined
}

/**
 * Who is asked about repositories, pull requests, plugins and decisions.
 *
 * Throws SETTINGS_INVALID where sets of several namespaces could send tokens to any host.
 *
 * Source: argo-cd v3.5.1 cmd/argocd-applicationset-controller/commands/applicationset_controller.go
 */
export function setProviders(
  { client, namespace, environment, log, onCall }: SetProvidersOptions,
  settings: AppsetSettings,
): ProviderReader {
  const others = settings.namespaces.filter((one) => one !== namespace)
  if (others.length > 0 && settings.scmProviders && settings.allowedScmProviders.length === 0) {
    throw new SpecError(
      'SETTINGS_INVALID',
      'When enabling applicationset in any namespace using applicationset-namespaces, you must either set --enable-scm-providers=false or specify --allowed-scm-providers',
      { hint: 'Otherwise whoever writes a set could have tokens sent to a host of theirs.' },
    )
  }
  const { strictTokens, scmRootCaPath, scmProxyUrl, scmNoProxy, githubApiMetrics } = settings
  return createProviderReader({
    namespace,
    environment,
    objects: providerObjects(client),
    strictTokens,
    rootCaPath: scmRootCaPath,
    proxy: scmProxyUrl === '' ? undefined : { proxy: scmProxyUrl, noProxy: scmNoProxy },
    warn: (message) => log.warn('not everything is listed', { why: message }),
    ...(githubApiMetrics && onCall !== undefined
      ? { observe: (call) => (call.provider === 'github' ? onCall(call) : undefined) }
      : {}),
  })
}
