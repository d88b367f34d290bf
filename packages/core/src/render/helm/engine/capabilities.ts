import { RenderError } from '../../../errors/index.ts'
import { Struct, TypedSlice, type Value } from '../../../lang/gotemplate/index.ts'
import { quoteGo } from '../../../text/index.ts'
import { define } from '../functions/index.ts'

/** What `.Capabilities.HelmVersion` says. */
export interface HelmVersion {
  readonly version: string
  readonly gitCommit: string
  readonly gitTreeState: string
  readonly goVersion: string
  readonly kubeClientVersion: string
}

/** The Helm that Argo CD v3.5.1 brings along. */
export const defaultHelmVersion: HelmVersion = {
  version: 'v4.2.1',
  gitCommit: 'd591a19b953bd9cfdf7d9ddd83c2f4ffdaeafb29',
  gitTreeState: 'clean',
  goVersion: 'go1.26.1',
  kubeClientVersion: 'v1.36',
}

/** A Kubernetes version as charts see it. */
export interface KubeVersion {
  /** As given, with a leading `v`. */
  readonly version: string
  /** The numbers alone; what `kubeVersion` constraints are held against. */
  readonly normalized: string
  readonly major: string
  readonly minor: string
}

/** What Helm 4.2 assumes without a cluster. */
export const defaultKubeVersion: KubeVersion = {
  version: 'v1.36.0',
  normalized: 'v1.36.0',
  major: '1',
  minor: '36',
}

/**
 * Reads `1.30.2`, `v1.27.3-gke.100` and the like.
 *
 * Throws HELM_FAILED `invalid kube version '…': …`. Source: k8s.io/apimachinery v0.36 pkg/util/version ParseGeneric
 */
export function parseKubeVersion(text: string): KubeVersion {
  const invalid = (reason: string): RenderError =>
    new RenderError('HELM_FAILED', `invalid kube version '${text}': ${reason}`)
  const match = /^[ \t\n\f\r]*v?([0-9]+(?:\.[0-9]+)*)(.*)$/.exec(text)
  if (match === null) throw invalid(`could not parse ${quoteGo(text)} as version`)
  const parts = match[1]!.split('.')
  if (parts.length < 2) throw invalid(`illegal version string ${quoteGo(text)}`)
  if (/^0./.test(parts[0]!)) {
    throw invalid(
      `illegal zero-prefixed version component ${quoteGo(parts[0]!)} in ${quoteGo(text)}`,
    )
  }
  const numbers = parts.map((part) => {
    const number = BigInt(part)
    if (number < 1n << 64n) return number.toString()
    const reason = `strconv.ParseUint: parsing ${quoteGo(part)}: value out of range`
    throw invalid(
      `illegal non-numeric version component ${quoteGo(part)} in ${quoteGo(text)}: ${reason}`,
    )
  })
  return {
    version: text.startsWith('v') ? text : `v${text}`,
    normalized: `v${numbers.join('.')}`,
    major: numbers[0]!,
    minor: numbers[1]!,
  }
}

function versions(group: string, ...list: readonly string[]): readonly string[] {
  return list.map((version) => `${group}/${version}`)
}

/** The API versions that Helm 4.2 knows without a cluster, in its order. */
export const defaultApiVersions: readonly string[] = [
  'v1',
  ...versions('admissionregistration.k8s.io', 'v1', 'v1alpha1', 'v1beta1'),
  ...versions('internal.apiserver.k8s.io', 'v1alpha1'),
  ...versions('apps', 'v1', 'v1beta1', 'v1beta2'),
  ...versions('authentication.k8s.io', 'v1', 'v1alpha1', 'v1beta1'),
  ...versions('authorization.k8s.io', 'v1', 'v1beta1'),
  ...versions('autoscaling', 'v1', 'v2'),
  ...versions('batch', 'v1', 'v1beta1'),
  ...versions('certificates.k8s.io', 'v1', 'v1beta1', 'v1alpha1'),
  ...versions('coordination.k8s.io', 'v1alpha2', 'v1beta1', 'v1'),
  ...versions('discovery.k8s.io', 'v1', 'v1beta1'),
  ...versions('events.k8s.io', 'v1', 'v1beta1'),
  ...versions('extensions', 'v1beta1'),
  ...versions('flowcontrol.apiserver.k8s.io', 'v1', 'v1beta1', 'v1beta2', 'v1beta3'),
  ...versions('networking.k8s.io', 'v1', 'v1beta1'),
  ...versions('node.k8s.io', 'v1', 'v1alpha1', 'v1beta1'),
  ...versions('policy', 'v1', 'v1beta1'),
  ...versions('rbac.authorization.k8s.io', 'v1', 'v1beta1', 'v1alpha1'),
  ...versions('resource.k8s.io', 'v1', 'v1beta2', 'v1beta1', 'v1alpha3'),
  ...versions('scheduling.k8s.io', 'v1alpha2', 'v1beta1', 'v1'),
  ...versions('storage.k8s.io', 'v1beta1', 'v1', 'v1alpha1'),
  ...versions('storagemigration.k8s.io', 'v1beta1'),
  ...versions('apiextensions.k8s.io', 'v1beta1', 'v1'),
]

/** `.Capabilities`; `extra` API versions follow the known ones. */
export function capabilitiesValue(
  kube: KubeVersion,
  extra: readonly string[],
  helm: HelmVersion,
): Struct {
  const kubeVersion = kubeVersionValue(kube)
  const all = [...defaultApiVersions, ...extra]
  const known = new Set(all)
  const apiVersions = new TypedSlice('string', all, {
    goType: 'common.VersionSet',
    methods: { Has: define('s', ([version]) => known.has(version)) },
  })
  const fields: readonly (readonly [string, Value])[] = [
    ['KubeVersion', kubeVersion],
    ['APIVersions', apiVersions],
    ['HelmVersion', helmVersionValue(helm)],
  ]
  return new Struct('*common.Capabilities', fields, {
    methods: { Copy: define('', () => capabilitiesValue(kube, extra, helm)) },
    exportedOnly: () => capabilitiesValue({ ...kube, normalized: '' }, extra, helm),
  })
}

function kubeVersionValue(kube: KubeVersion): Struct {
  // a copy has lost its normalized version, and shows the other
  const shown = kube.normalized === '' ? kube.version : kube.normalized
  return new Struct(
    'common.KubeVersion',
    [
      ['Version', kube.version],
      ['normalizedVersion', kube.normalized],
      ['Major', kube.major],
      ['Minor', kube.minor],
    ],
    {
      methods: {
        String: define('', () => shown),
        GitVersion: define('', () => kube.version),
      },
      exportedOnly: () => kubeVersionValue({ ...kube, normalized: '' }),
      text: { pointer: () => shown },
    },
  )
}

function helmVersionValue(helm: HelmVersion): Struct {
  const named: readonly (readonly [string, string, string])[] = [
    ['Version', 'version', helm.version],
    ['GitCommit', 'git_commit', helm.gitCommit],
    ['GitTreeState', 'git_tree_state', helm.gitTreeState],
    ['GoVersion', 'go_version', helm.goVersion],
    ['KubeClientVersion', 'kube_client_version', helm.kubeClientVersion],
  ]
  return new Struct(
    'version.BuildInfo',
    named.map(([name, , value]) => [name, value]),
    {
      json: () =>
        new Map(
          named
            .filter(([name, , value]) => value !== '' || name === 'KubeClientVersion')
            .map(([, key, value]) => [key, value]),
        ),
    },
  )
}
