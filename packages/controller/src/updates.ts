import { type Settings, trackingNameOf } from '@litecd/core/argo'
import { isLitecdError } from '@litecd/core/errors'
import { assessHealth } from '@litecd/core/health'
import type { Manifest } from '@litecd/core/kube'
import { compileUpdateRules, hasFingerprint, updateFingerprint } from '@litecd/core/normalize'
import type { CacheChange } from '@litecd/k8s-adapter/cache'

type Rules = ReturnType<typeof compileUpdateRules>

/**
 * Which changes of live objects concern Applications: an update of which only ignored fields are left, and after which
 * the object is as healthy as before, does not.
 *
 * Source: argo-cd v3.5.1 controller/cache/cache.go skipResourceUpdate
 */
export class UpdateFilter {
  private readonly now: () => number
  private settings: Settings | undefined
  private rules: Rules
  // of objects as they are held: the state before an update was the state after another
  private fingerprints = new WeakMap<Manifest, string>()

  constructor(now: () => number = Date.now) {
    this.now = now
  }

  /** False for an update that can be passed over. Objects that came or went always count. */
  counts(change: Pick<CacheChange, 'before' | 'now'>, settings: Settings): boolean {
    const { before, now } = change
    if (before === undefined || now === undefined) return true
    const rules = this.rulesOf(settings)
    if (rules === undefined) return true
    const isTracked = (live: Manifest): boolean =>
      trackingNameOf(live, settings.tracking) !== undefined
    if (!hasFingerprint(before, isTracked(before)) || !hasFingerprint(now, isTracked(now))) {
      return true
    }
    if (this.fingerprint(before, rules) !== this.fingerprint(now, rules)) return true
    return this.healthOf(before, settings) !== this.healthOf(now, settings)
  }

  private rulesOf(settings: Settings): Rules {
    if (this.settings === settings) return this.rules
    this.settings = settings
    this.fingerprints = new WeakMap()
    try {
      this.rules = compileUpdateRules(settings)
    } catch (error) {
      // the comparison tells what is wrong with an expression; until it is right every update counts
      if (!isLitecdError(error)) throw error
      this.rules = undefined
    }
    return this.rules
  }

  private fingerprint(live: Manifest, rules: NonNullable<Rules>): string {
    const known = this.fingerprints.get(live)
    if (known !== undefined) return known
    const made = updateFingerprint(live, rules)
    this.fingerprints.set(live, made)
    return made
  }

  private healthOf(live: Manifest, { overrides, health }: Settings): string | undefined {
    return assessHealth(live, { overrides, health, clock: this.now }).health?.status
  }
}
