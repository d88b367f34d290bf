import type { Application, ApplicationSource, ApplicationSpec } from '../argo/index.ts'

/**
 * The spec as a reconcile writes it back: `project` filled in, empty blocks removed. The same object when nothing
 * changes.
 *
 * Parity: entries of `sources` are left as they are, and flags alone do not keep a Kustomize block alive.
 * Source: argo-cd v3.5.1 util/argo/argo.go NormalizeApplicationSpec
 */
export function normalizeSpec(app: Application): ApplicationSpec {
  const { spec } = app
  let out: { -readonly [K in keyof ApplicationSpec]: ApplicationSpec[K] } = spec
  const change = (patch: Partial<ApplicationSpec>): void => {
    out = { ...out, ...patch }
  }
  if ((spec.project ?? '') === '') change({ project: 'default' })
  const policy = spec.syncPolicy
  if (
    policy !== undefined &&
    policy.automated === undefined &&
    (policy.syncOptions?.length ?? 0) === 0 &&
    policy.retry === undefined &&
    policy.managedNamespaceMetadata === undefined
  ) {
    const { syncPolicy: _empty, ...rest } = out
    out = rest
  }
  if (out.source !== undefined) {
    const source = normalizeSource(out.source)
    if (source !== out.source) change({ source })
  }
  return out
}

function normalizeSource(source: ApplicationSource): ApplicationSource {
  let out = source
  if (source.kustomize !== undefined && isZero(source.kustomize, kustomizeFields)) {
    const { kustomize: _empty, ...rest } = out
    out = rest
  }
  if (source.helm !== undefined && isZero(source.helm, undefined)) {
    const { helm: _empty, ...rest } = out
    out = rest
  }
  const { directory } = source
  if (directory !== undefined && directory.recurse !== true && isZero(directory, undefined)) {
    const { directory: _empty, ...rest } = out
    out = rest
  }
  return out
}

const kustomizeFields: ReadonlySet<string> = new Set([
  'namePrefix',
  'nameSuffix',
  'version',
  'namespace',
  'images',
  'replicas',
  'commonLabels',
  'commonAnnotations',
  'patches',
  'components',
  'kubeVersion',
  'apiVersions',
  'ignoreMissingComponents',
])

/** Every field (or every one of `fields`) is empty in Go's sense. */
function isZero(block: object, fields: ReadonlySet<string> | undefined): boolean {
  return Object.entries(block).every(
    ([key, value]) => (fields !== undefined && !fields.has(key)) || isEmpty(value),
  )
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.values(value).every(isEmpty)
}
