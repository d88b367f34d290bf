import {
  type Application,
  type AppProject,
  type HealthSettings,
  type Operation,
  type ParsedSettings,
  parseSettings,
} from '@litecd/core/argo'
import { deepEqual, deletePath, isObject, type JsonObject } from '@litecd/core/json'
import { type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import { inClusterServer, type KnownCluster, matchesNamespaceList } from '@litecd/core/project'
import {
  configMaps,
  Informer,
  isConflict,
  isNotFound,
  type KubeClient,
  secrets,
} from '../client/index.ts'
import {
  type ClusterEntry,
  isClusterSecret,
  labelSecretType,
  readClusterSecret,
} from './cluster-secret.ts'
import { applications, appProjects } from './resources.ts'

export interface ArgoObjectsOptions {
  readonly client: KubeClient
  /** Where Argo CD's own objects live. */
  readonly namespace: string
  /** Settings by Argo CD's environment variables; they win over argocd-cmd-params-cm. */
  readonly environment: { readonly [name: string]: string | undefined }
  /** What decides the health of objects besides the settings. */
  readonly health?: HealthSettings
  /** Also called for what exists at the start. `key` is `namespace/name`. */
  readonly onApplication: (
    key: string,
    before: Application | undefined,
    now: Application | undefined,
  ) => void
  /** Projects, settings or clusters changed: every Application may be concerned. Not called for the start. */
  readonly onSurroundings: (what: 'project' | 'settings' | 'cluster', name: string) => void
}

const settingMaps: ReadonlySet<string> = new Set(['argocd-cm', 'argocd-cmd-params-cm'])
const putTries = 10 // ours; argo-cd v3.5.1 util/argo.SetAppOperation tries for ever

/** What is held of any of these objects: managed fields are most of them, and nobody reads them. */
function lean(object: Manifest): Manifest {
  return deletePath(object, 'metadata', 'managedFields')
}

function splitKey(key: string): readonly [string, string] {
  const slash = key.indexOf('/')
  return [key.slice(0, slash), key.slice(slash + 1)]
}

/**
 * Argo CD's own objects in the home cluster, watched and read as core values: Applications (of all namespaces once the
 * settings name others), AppProjects, the settings ConfigMaps, cluster Secrets. Writes of Applications are seen by the
 * next read.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go, util/settings/settings.go.
 */
export class ArgoObjects {
  private readonly options: ArgoObjectsOptions
  private readonly maps: Informer<Manifest>
  private readonly secrets: Informer<Manifest>
  private readonly projects: Informer<AppProject>
  private apps: Informer<Application> | undefined
  private everywhere = false
  private parsed: ParsedSettings | undefined
  private entries: readonly ClusterEntry[] | undefined
  private stopped = false

  constructor(options: ArgoObjectsOptions) {
    this.options = options
    const { client, namespace } = options
    this.maps = new Informer(client, configMaps, {
      namespace,
      // A ConfigMap without this label does not exist for Argo CD, whatever its name.
      labelSelector: 'app.kubernetes.io/part-of=argocd',
      keep: (object) => (settingMaps.has(nameOf(object)) ? lean(object) : undefined),
      onChange: ({ synced, name, before, now }) => {
        this.parsed = undefined
        if (!synced || deepEqual(before?.['data'], now?.['data'])) return
        this.watchApplications()
        options.onSurroundings('settings', name)
      },
    })
    this.secrets = new Informer(client, secrets, {
      namespace,
      labelSelector: `${labelSecretType}=cluster`,
      keep: lean,
      onChange: ({ synced, name }) => {
        this.entries = undefined
        if (synced) options.onSurroundings('cluster', name)
      },
    })
    this.projects = new Informer(client, appProjects, {
      namespace,
      keep: (object) => lean(object) as unknown as AppProject,
      onChange: ({ synced, name, before, now }) => {
        // one that is being deleted waits for whatever happens to it next
        const deleting = now?.metadata.deletionTimestamp !== undefined
        if (synced && (deleting || !deepEqual(before?.spec as never, now?.spec as never))) {
          options.onSurroundings('project', name)
        }
      },
    })
  }

  /** Settles when all that exists has been seen. Throws ClusterError when something may not be listed. */
  async whenSynced(): Promise<void> {
    await this.maps.whenSynced()
    this.watchApplications()
    await Promise.all([this.secrets.whenSynced(), this.projects.whenSynced()])
    await this.apps?.whenSynced()
  }

  stop(): void {
    this.stopped = true
    for (const informer of [this.maps, this.secrets, this.projects, this.apps]) informer?.stop()
  }

  /** By `namespace/name`; undefined also where Applications may not be. */
  application(key: string): Application | undefined {
    const [namespace, name] = splitKey(key)
    return this.isAllowed(namespace) ? this.apps?.get(namespace, name) : undefined
  }

  *applications(): Generator<Application> {
    for (const app of this.apps?.values() ?? []) {
      if (this.isAllowed(app.metadata.namespace ?? '')) yield app
    }
  }

  project(name: string): AppProject | undefined {
    return this.projects.get(this.options.namespace, name)
  }

  settings(): ParsedSettings {
    this.parsed ??= parseSettings({
      argocdCm: this.dataOf('argocd-cm'),
      params: this.dataOf('argocd-cmd-params-cm') ?? {},
      environment: this.options.environment,
      controllerNamespace: this.options.namespace,
      ...(this.options.health === undefined ? {} : { health: this.options.health }),
    })
    return this.parsed
  }

  /** `data` of argocd-cm. */
  configuration(): { readonly [key: string]: string } {
    return this.dataOf('argocd-cm') ?? {}
  }

  /** `data` of argocd-cmd-params-cm. */
  params(): { readonly [key: string]: string } {
    return this.dataOf('argocd-cmd-params-cm') ?? {}
  }

  /** Clusters by server and name; the cluster that the controller runs in is one unless it is switched off. */
  clusters(): readonly KnownCluster[] {
    const known = this.clusterEntries().map(({ server, name }) => ({ server, name }))
    const { inClusterEnabled } = this.settings().settings
    if (!inClusterEnabled) return known.filter(({ server }) => server !== inClusterServer)
    return known.some(({ server }) => server === inClusterServer)
      ? known
      : [...known, { server: inClusterServer, name: 'in-cluster' }]
  }

  /** A registered cluster with its connection. Undefined when there is none, or the home cluster is switched off. */
  cluster(server: string): ClusterEntry | undefined {
    const wanted = server.replace(/\/+$/, '')
    const isHome = wanted === inClusterServer
    if (isHome && !this.settings().settings.inClusterEnabled) return undefined
    const entry = this.clusterEntries().find((one) => one.server === wanted)
    if (entry !== undefined || !isHome) return entry
    return {
      server: inClusterServer,
      name: 'in-cluster',
      namespaces: [],
      clusterResources: false,
      project: undefined,
      labels: {},
      annotations: {},
      connection: this.options.client.connection,
      stamp: '',
    }
  }

  /** Straight from the API server; undefined when it is gone. */
  async read(key: string): Promise<Application | undefined> {
    const object = await this.readWhole(key)
    return object === undefined ? undefined : this.seen(object)
  }

  /** JSON merge patch of the whole object; undefined when it is gone. */
  async patch(key: string, patch: JsonObject): Promise<Application | undefined> {
    const [namespace, name] = splitKey(key)
    const { client } = this.options
    try {
      return this.seen(await client.patch(applications, name, 'merge', patch, { namespace }))
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /** Throws ClusterError when it exists already or may not be created. */
  async create(object: Manifest): Promise<Application> {
    const namespace = namespaceOf(object)
    return this.seen(await this.options.client.create(applications, object, { namespace }))
  }

  /** Asks for an Application's deletion; nothing happens when it is gone. */
  async remove(key: string): Promise<void> {
    const [namespace, name] = splitKey(key)
    try {
      await this.options.client.delete(applications, name, { namespace })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  /** JSON merge patch of a project; nothing happens when it is gone. */
  async patchProject(name: string, patch: JsonObject): Promise<void> {
    const { client, namespace } = this.options
    try {
      await client.patch(appProjects, name, 'merge', patch, { namespace })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  /** Sets `.operation` and drops the old operation state, unless another operation is there already. */
  async startOperation(key: string, operation: Operation): Promise<'started' | 'taken' | 'gone'> {
    const [namespace, name] = splitKey(key)
    for (let attempt = 1; ; attempt++) {
      const object = await this.readWhole(key)
      if (object === undefined) return 'gone'
      this.seen(object)
      if (object['operation'] !== undefined && object['operation'] !== null) return 'taken'
      const next = {
        ...deletePath(object, 'status', 'operationState'),
        operation: operation as unknown as JsonObject,
      }
      try {
        this.seen(await this.options.client.update(applications, name, next, { namespace }))
        return 'started'
      } catch (error) {
        if (isNotFound(error)) return 'gone'
        if (!isConflict(error) || attempt === putTries) throw error
      }
    }
  }

  private async readWhole(key: string): Promise<Manifest | undefined> {
    const [namespace, name] = splitKey(key)
    try {
      return await this.options.client.get(applications, name, { namespace })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  private seen(object: Manifest): Application {
    this.apps?.put(object)
    return lean(object) as unknown as Application
  }

  /** The clusters of Secrets, without the one that the controller runs in unless a Secret describes it. */
  clusterEntries(): readonly ClusterEntry[] {
    this.entries ??= [...this.secrets.values()]
      .filter(isClusterSecret)
      .map((secret) => readClusterSecret(secret, this.options.client.connection))
      .filter((entry) => entry !== undefined)
    return this.entries
  }

  /** One watch of the own namespace, or of all as soon as the settings allow Applications elsewhere. */
  private watchApplications(): void {
    if (this.stopped) return
    const everywhere = this.settings().settings.applicationNamespaces.length > 0
    if (this.apps !== undefined && everywhere === this.everywhere) return
    this.apps?.stop()
    this.everywhere = everywhere
    const { client, namespace, onApplication } = this.options
    this.apps = new Informer(client, applications, {
      ...(everywhere ? {} : { namespace }),
      keep: (object) => lean(object) as unknown as Application,
      onChange: ({ namespace: place, name, before, now }) => {
        if (this.isAllowed(place)) onApplication(`${place}/${name}`, before, now)
      },
    })
  }

  private isAllowed(namespace: string): boolean {
    const { applicationNamespaces } = this.settings().settings
    return (
      namespace === this.options.namespace || matchesNamespaceList(applicationNamespaces, namespace)
    )
  }

  private dataOf(name: string): { readonly [key: string]: string } | undefined {
    const map = this.maps.get(this.options.namespace, name)
    if (map === undefined) return undefined
    const { data } = map
    return isObject(data) ? (data as { readonly [key: string]: string }) : {}
  }
}
