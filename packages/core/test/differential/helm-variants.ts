// Flags of `helm template` beside the usual ones, each with what it means for our renderer.
import type { RenderOptions } from '@litecd/core/render/helm'

export interface Variant {
  readonly flags: readonly string[]
  readonly options: Partial<RenderOptions>
  /** Patterns of --show-only. */
  readonly only?: readonly string[]
}

/** What every render gets unless a variant says otherwise. */
export const usual: Variant = { flags: [], options: {} }

/** Taken in turn, one for each chart and value file. */
export const variants: readonly Variant[] = [
  { flags: ['--is-upgrade'], options: { isUpgrade: true } },
  { flags: ['--kube-version', '1.22.0'], options: { kubeVersion: '1.22.0' } },
  {
    flags: ['-a', 'monitoring.coreos.com/v1,cert-manager.io/v1/Certificate', '-a', 'batch/v1beta1'],
    options: {
      apiVersions: ['monitoring.coreos.com/v1', 'cert-manager.io/v1/Certificate', 'batch/v1beta1'],
    },
  },
  { flags: ['--include-crds=false'], options: { includeCrds: false } },
  { flags: ['--no-hooks'], options: { noHooks: true } },
  { flags: ['--skip-tests'], options: { skipTests: true } },
  {
    flags: [
      '--set',
      'replicaCount=3,image.tag=1.20,extra.list={a,2,true}',
      '--set',
      'nodeSelector=null',
    ],
    options: { set: ['replicaCount=3,image.tag=1.20,extra.list={a,2,true}', 'nodeSelector=null'] },
  },
  {
    flags: ['--set-string', 'image.tag=100000000', '--set-json', 'resources={"limits":{"cpu":2}}'],
    options: { setString: ['image.tag=100000000'], setJson: ['resources={"limits":{"cpu":2}}'] },
  },
  {
    flags: ['--set', 'ingress.enabled=true,serviceMonitor.enabled=true,autoscaling.enabled=true'],
    options: {
      set: ['ingress.enabled=true,serviceMonitor.enabled=true,autoscaling.enabled=true'],
    },
  },
  {
    flags: ['--namespace', 'a-name-space-of-some-length', '--kube-version', 'v1.31.2-eks-abc'],
    options: { namespace: 'a-name-space-of-some-length', kubeVersion: 'v1.31.2-eks-abc' },
  },
  { flags: ['--name-template', 'r-{{ 1 }}.x'], options: { releaseName: 'r-1.x' } },
  { flags: ['--skip-schema-validation'], options: { skipSchemaValidation: true } },
  { flags: ['-s', 'templates/*.yaml'], options: {}, only: ['templates/*.yaml'] },
]
