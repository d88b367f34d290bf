import { createHash } from 'node:crypto'
import {
  type Application,
  type AppProject,
  instanceNameOf,
  type Operation,
  type ParsedSettings,
  parseSettings,
} from '@litecd/core/argo'
import { ClusterError, isLitecdError } from '@litecd/core/errors'
import { getPath, isObject, type JsonObject } from '@litecd/core/json'
import { type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import { inClusterServer, type KnownCluster, matchesNamespaceList } from '@litecd/core/project'
import {
  configMaps,
  Informer,
  isNotFound,
  type KubeClient,
  type ResourceRef,
  secrets,
} from '@litecd/k8s-adapter/client'
import type { ArgoPort } from './loops/index.ts'

const applications: ResourceRef = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'applications',
  namespaced: true,
}
const projects: ResourceRef = { ...applications, plural: 'appprojects' }

export interface ArgoObjectsOptions {
  readonly client: KubeClient
  readonly namespace: string
  readonly environment: { readonly [name: string]: string | undefined }
  readonly onApplication: (
    key: string,
    before: Application | undefined,
    now: Application | undefined,
  ) => void
  /** Projects, settings or clusters changed: every Application may be concerned. */
  readonly onSurroundings: (what: 'project' | 'settings' | 'cluster', name: string) => void
}

/** Argo CD's own objects in the home cluster, watched. */
export class ArgoObjects implements ArgoPort {
  private readonly options: ArgoObjectsOptions
  private readonly apps: Informer<Application>
  private readonly projectInformer: Informer<AppProject>
  private readonly maps: Informer<Manifest>
  private readonly secretInformer: Informer<Manifest>
  private parsed: ParsedSettings | undefined

  constructor(options: ArgoObjectsOptions) {
    this.options = options
    const { client, namespace } = options
    const everywhere = (options.environment['ARGOCD_APPLICATION_NAMESPACES'] ?? '') !== ''
    this.maps = new Informer(client, configMaps, {
      namespace,
      keep: (object) =>
        ['argocd-cm', 'argocd-cmd-params-cm'].includes(nameOf(object)) ? object : undefined,
      onChange: ({ synced }) => {
        this.parsed = undefined
        if (synced) options.onSurroundings('settings', '')
      },
    })
    this.secretInformer = new Informer(client, secrets, {
      namespace,
      labelSelector: 'argocd.argoproj.io/secret-type',
      keep: (object) => object,
      onChange: ({ synced, name }) => {
        if (synced) options.onSurroundings('cluster', name)
      },
    })
    this.projectInformer = new Informer(client, projects, {
      namespace,
      keep: (object) => object as unknown as AppProject,
      onChange: ({ synced, name }) => {
        if (synced) options.onSurroundings('project', name)
      },
    })
    this.apps = new Informer(client, applications, {
      ...(everywhere ? {} : { namespace }),
      keep: (object) => object as unknown as Application,
      onChange: ({ namespace: place, name, before, now }) => {
        if (this.isAllowed(place)) options.onApplication(`${place}/${name}`, before, now)
      },
    })
  }

  async whenSynced(): Promise<void> {
    for (const informer of [this.maps, this.secretInformer, this.projectInformer, this.apps]) {
      await informer.whenSynced()
    }
  }

  stop(): void {
    for (const informer of [this.maps, this.secretInformer, this.projectInformer, this.apps]) {
      informer.stop()
    }
  }

  private isAllowed(namespace: string): boolean {
    const { settings } = this.settings()
    return (
      namespace === this.options.namespace ||
      matchesNamespaceList(settings.applicationNamespaces, namespace)
    )
  }

  application(key: string): Application | undefined {
    const [namespace = '', name = ''] = key.split('/')
    return this.isAllowed(namespace) ? this.apps.get(namespace, name) : undefined
  }

  *applications(): Generator<Application> {
    for (const app of this.apps.values()) {
      if (this.isAllowed(app.metadata.namespace ?? '')) yield app
    }
  }

  project(name: string): AppProject | undefined {
    return this.projectInformer.get(this.options.namespace, name)
  }

  settings(): ParsedSettings {
    this.parsed ??= parseSettings({
      argocdCm: this.dataOf('argocd-cm'),
      params: this.dataOf('argocd-cmd-params-cm') ?? {},
      environment: this.options.environment,
      controllerNamespace: this.options.namespace,
    })
    return this.parsed
  }

  private dataOf(name: string): { readonly [key: string]: string } | undefined {
    const map = this.maps.get(this.options.namespace, name)
    if (map === undefined) return undefined
    const { data } = map
    return isObject(data) ? (data as { readonly [key: string]: string }) : {}
  }

  clusters(): readonly KnownCluster[] {
    const out: KnownCluster[] = [...this.clusterSecrets()].map(({ server, name }) => ({
      server,
      name,
    }))
    const known = out.some(({ server }) => server === inClusterServer)
    if (!known && this.settings().settings.inClusterEnabled) {
      out.push({ server: inClusterServer, name: 'in-cluster' })
    }
    return out
  }

  *clusterSecrets(): Generator<{
    server: string
    name: string
    config: JsonObject
    stamp: string
  }> {
    for (const secret of this.secretInformer.values()) {
      const type = getPath(secret, 'metadata', 'labels', 'argocd.argoproj.io/secret-type')
      if (type !== 'cluster') continue
      const data = (key: string): string => {
        const value = getPath(secret, 'data', key)
        return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : ''
      }
      let config: JsonObject = {}
      try {
        config = JSON.parse(data('config') || '{}') as JsonObject
      } catch {
        continue // an unreadable cluster Secret makes its cluster unknown; Argo CD drops it too
      }
      const stamp = createHash('sha256')
        .update(JSON.stringify(secret['data'] ?? null))
        .digest('hex')
      yield { server: data('server').replace(/\/+$/, ''), name: data('name'), config, stamp }
    }
  }

  async read(key: string): Promise<Application | undefined> {
    const [namespace = '', name = ''] = key.split('/')
    try {
      const object = await this.options.client.get(applications, name, { namespace })
      this.apps.put(object)
      return object as unknown as Application
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async patch(key: string, patch: JsonObject): Promise<Application | undefined> {
    const [namespace = '', name = ''] = key.split('/')
    try {
      const object = await this.options.client.patch(applications, name, 'merge', patch, {
        namespace,
      })
      this.apps.put(object)
      return object as unknown as Application
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async startOperation(key: string, operation: Operation): Promise<'started' | 'taken' | 'gone'> {
    const [namespace = ''] = key.split('/')
    for (let tries = 0; tries < 5; tries++) {
      const app = await this.read(key)
      if (app === undefined) return 'gone'
      if (app.operation !== undefined && app.operation !== null) return 'taken'
      const { operationState: _old, ...status } = app.status ?? {}
      const next = { ...app, operation, status } as unknown as Manifest
      const { name } = app.metadata
      try {
        this.apps.put(await this.options.client.update(applications, name, next, { namespace }))
        return 'started'
      } catch (error) {
        if (!isLitecdError(error) || !(error instanceof ClusterError) || error.status !== 409)
          throw error
      }
    }
    return 'taken'
  }

  instanceOf(app: Application): string {
    return instanceNameOf(app, this.options.namespace)
  }
}

export function keyOfApplication(app: Application): string {
  return `${namespaceOf(app as unknown as Manifest)}/${app.metadata.name}`
}
