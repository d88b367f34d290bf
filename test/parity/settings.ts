import type { Settings } from '../../packages/core/test/corpus/argocd-cases.ts'
import { type Api, ownManager } from './api.ts'
import { argoNamespace } from './store.ts'

const processSettings = 'argocd-cmd-params-cm'

/** How the recordings were set, as far as ConfigMaps tell it. */
const base: Settings = {
  'argocd-cm': { 'timeout.reconciliation': '3600s' },
  [processSettings]: {
    'controller.self.heal.timeout.seconds': '1',
    'applicationsetcontroller.enable.progressive.syncs': 'true',
  },
}

/** The ConfigMaps with Argo CD's settings; remembers what they are to be taken back to. */
export class SettingsKeeper {
  readonly #api: Api
  readonly #restart: () => Promise<void>
  #now: Settings = base

  /** `restart` makes the controller read what it reads only when it starts. */
  constructor(api: Api, restart: () => Promise<void>) {
    this.#api = api
    this.#restart = restart
  }

  async #write(next: Settings, names: readonly string[]): Promise<void> {
    this.#now = next
    for (const name of names) {
      const map = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name,
          namespace: argoNamespace,
          labels: { 'app.kubernetes.io/part-of': 'argocd' },
        },
        data: next[name] ?? {},
      }
      await this.#api.apply(map, ownManager)
    }
  }

  /** Makes the ConfigMaps as they are outside of cases. */
  async init(): Promise<void> {
    await this.#write(base, Object.keys(base))
  }

  /** Puts values over those that are there. */
  async merge(settings: Settings): Promise<void> {
    const next = { ...this.#now }
    for (const [name, values] of Object.entries(settings)) {
      next[name] = { ...next[name], ...values }
    }
    await this.#write(next, Object.keys(settings))
    if (settings[processSettings] !== undefined) await this.#restart()
  }

  /** Takes everything back that cases have set. */
  async reset(): Promise<void> {
    const changed = Object.keys(this.#now).filter((name) => this.#now[name] !== base[name])
    await this.#write(base, changed)
    if (changed.includes(processSettings)) await this.#restart()
  }
}
