import { isLitecdError } from '@litecd/core/errors'
import { getPath, isObject } from '@litecd/core/json'
import { labelsOf, type Manifest, nameOf } from '@litecd/core/kube'
import { Informer, type KubeClient, secrets } from '@litecd/k8s-adapter/client'
import {
  parseRepositorySecret,
  type RepositoryList,
  type RepositorySettings,
} from '@litecd/k8s-adapter/sources'
import type { Logger } from './log/index.ts'

const labelType = 'argocd.argoproj.io/secret-type'

/** Repositories and their credentials, as the Secrets of the installation describe them now. */
export class Repositories {
  private readonly informer: Informer<Manifest>
  private readonly log: Logger
  private known: RepositoryList | undefined

  constructor(client: KubeClient, namespace: string, log: Logger) {
    this.log = log
    this.informer = new Informer(client, secrets, {
      namespace,
      labelSelector: `${labelType} in (repository,repo-creds)`,
      keep: (object) => object,
      onChange: () => {
        this.known = undefined
      },
    })
  }

  whenSynced(): Promise<void> {
    return this.informer.whenSynced()
  }

  stop(): void {
    this.informer.stop()
  }

  list(): RepositoryList {
    this.known ??= this.read()
    return this.known
  }

  private read(): RepositoryList {
    const repositories: RepositorySettings[] = []
    const templates: RepositorySettings[] = []
    for (const secret of this.informer.values()) {
      const kind = labelsOf(secret)[labelType] === 'repo-creds' ? 'repo-creds' : 'repository'
      try {
        const settings = parseRepositorySecret(decoded(secret), kind)
        ;(kind === 'repository' ? repositories : templates).push(settings)
      } catch (error) {
        if (!isLitecdError(error)) throw error
        // one unreadable Secret must not take the others away
        this.log.warn('repository Secret not understood', {
          secret: nameOf(secret),
          error: error.message,
        })
      }
    }
    return { repositories, templates }
  }
}

function decoded(secret: Manifest): { readonly [key: string]: string } {
  const data = getPath(secret, 'data')
  if (!isObject(data)) return {}
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '',
    ]),
  )
}
