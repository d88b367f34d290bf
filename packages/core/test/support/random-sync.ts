import type { SyncPhase } from '@litecd/core/argo'
import type { Manifest } from '@litecd/core/kube'
import fc from 'fast-check'

export type Fate = 'healthy' | 'slow' | 'degraded' | 'refused'

/** One thing of a random sync. */
export interface Thing {
  readonly kind: 'ConfigMap' | 'Pod' | 'Job' | 'Service'
  readonly role: 'resource' | 'prune' | SyncPhase
  readonly wave: number
  readonly policy: string
  readonly options: string
  readonly fate: Fate
  /** A hook of an earlier sync is still there. */
  readonly left: boolean
}

export const things: fc.Arbitrary<readonly Thing[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('ConfigMap', 'Pod', 'Job', 'Service'),
    role: fc.constantFrom(
      'resource',
      'resource',
      'prune',
      'PreSync',
      'Sync',
      'PostSync',
      'SyncFail',
    ),
    wave: fc.integer({ min: -2, max: 3 }),
    policy: fc.constantFrom('', 'HookSucceeded', 'HookFailed', 'BeforeHookCreation,HookSucceeded'),
    options: fc.constantFrom('', 'PruneLast=true', 'Prune=false'),
    fate: fc.constantFrom('healthy', 'healthy', 'healthy', 'slow', 'degraded', 'refused'),
    left: fc.boolean(),
  } as const),
  { maxLength: 9 },
)

export function objectOfThing(thing: Thing, i: number): Manifest {
  const hook = thing.role !== 'resource' && thing.role !== 'prune'
  const annotations: { [key: string]: string } = {
    'argocd.argoproj.io/sync-wave': String(thing.wave),
    ...(hook ? { 'argocd.argoproj.io/hook': thing.role } : {}),
    ...(hook && thing.policy !== ''
      ? { 'argocd.argoproj.io/hook-delete-policy': thing.policy }
      : {}),
    ...(thing.options === '' ? {} : { 'argocd.argoproj.io/sync-options': thing.options }),
  }
  return {
    apiVersion: thing.kind === 'Job' ? 'batch/v1' : 'v1',
    kind: thing.kind,
    metadata: { name: `t${i}`, namespace: 'app', annotations },
  }
}
