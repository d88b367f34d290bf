import {
  type OperateInput,
  type OperatePorts,
  type OperateResult,
  operate,
  type StoredChange,
} from '@litecd/core/app'
import { type Application, defaultSettings, type Operation } from '@litecd/core/argo'
import { type JsonObject, mergePatch } from '@litecd/core/json'
import { type Manifest, scopeOfBuiltIn } from '@litecd/core/kube'
import type { Assessment } from '@litecd/core/sync'
import { MemoryCluster } from './memory-cluster.ts'

export interface HostedOperation {
  readonly operation: Operation
  readonly targets: readonly Manifest[]
  readonly live: readonly Manifest[]
  readonly assess: (live: Manifest) => Assessment
}

const source = { repoURL: 'https://git.example.com/shop.git', path: 'app' }

/** An Application with an operation, in memory: each beat sees what the one before has stored and done. */
export class OperationHost {
  readonly memory: MemoryCluster = new MemoryCluster()
  now: number = Date.parse('2026-01-02T03:04:05Z')
  app: Application
  /** Runs before and after a change of the Application is stored; it may throw. */
  beforeSave: () => void = () => undefined
  afterSave: (change: StoredChange) => void = () => undefined
  /** Stands around every beat. */
  wrap: (input: OperateInput, ports: OperatePorts, run: typeof operate) => Promise<OperateResult> =
    (input, ports, run) => run(input, ports)
  private readonly hosted: HostedOperation

  constructor(hosted: HostedOperation) {
    this.hosted = hosted
    for (const manifest of hosted.live) this.memory.see(manifest)
    this.memory.births.clear()
    this.app = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop', namespace: 'argocd' },
      spec: {
        project: 'default',
        source,
        destination: { server: 'https://kubernetes.default.svc', namespace: 'app' },
      },
      operation: hosted.operation,
    }
  }

  get idle(): boolean {
    return this.app.operation === undefined || this.app.operation === null
  }

  patch(patch: JsonObject): void {
    this.app = mergePatch(this.app as unknown as JsonObject, patch) as unknown as Application
  }

  async beat(): Promise<OperateResult> {
    const { assess, targets } = this.hosted
    return await this.wrap(
      {
        app: this.app,
        settings: defaultSettings,
        project: {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'AppProject',
          metadata: { name: 'default' },
          spec: {},
        },
        compare: async () => ({
          revision: '0123456789abcdef0123456789abcdef01234567',
          comparedTo: { source },
          conditions: [],
          targets,
          live: this.memory.live.filter(({ kind }) => kind !== 'Namespace'),
          facts: { kubeVersion: '', apiVersions: [], scopeOf: (kind) => scopeOfBuiltIn(kind) },
          permits: () => undefined,
          assess,
          modified: () => undefined,
        }),
        connect: async () => this.memory.cluster(),
      },
      {
        clock: { now: () => (this.now += 1) },
        save: async (change) => {
          this.beforeSave()
          this.patch(change.patch)
          this.afterSave(change)
        },
      },
      operate,
    )
  }
}
