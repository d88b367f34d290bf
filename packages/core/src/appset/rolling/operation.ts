import type { Application, Operation } from '../../argo/index.ts'

/** Reads of an Application's spec what a sync needs; the spec is the one before automated sync is switched off. */
function prunes({ spec }: Application): boolean {
  const automated = spec.syncPolicy?.automated
  return automated?.enabled !== false && automated?.prune === true
}

/**
 * The sync that a step starts.
 *
 * Source: argo-cd v3.5.1 applicationset/progressivesync/progressive_sync.go syncApplication
 */
export function rollingOperation(generated: Application): Operation {
  const { syncPolicy } = generated.spec
  return {
    initiatedBy: { username: 'applicationset-controller', automated: true },
    info: [
      {
        name: 'Reason',
        value: 'ApplicationSet RollingSync triggered a sync of this Application resource',
      },
    ],
    sync: {
      ...(prunes(generated) ? { prune: true } : {}),
      ...(syncPolicy?.syncOptions === undefined ? {} : { syncOptions: syncPolicy.syncOptions }),
    },
    retry: syncPolicy?.retry ?? { limit: 5 },
  }
}

/** The Application without automated sync: its set starts its syncs. One that has no such policy stays as it is. */
export function withoutAutomation(generated: Application): Application {
  const { syncPolicy } = generated.spec
  if (syncPolicy?.automated === undefined || syncPolicy.automated === null) return generated
  const automated = { ...syncPolicy.automated, enabled: false }
  return { ...generated, spec: { ...generated.spec, syncPolicy: { ...syncPolicy, automated } } }
}
