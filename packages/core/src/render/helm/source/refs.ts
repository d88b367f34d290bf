import { RenderError } from '../../../errors/index.ts'
import type { RenderInput } from '../../types.ts'

/**
 * Refuses `$name/…` entries that no other source of the Application answers for.
 *
 * Source: argo-cd v3.5.1 reposerver/repository/repository.go runManifestGenAsync
 */
export function checkRefs(input: RenderInput): void {
  if (!input.context.multiSource) return
  const helm = input.source.helm ?? {}
  const entries = [
    ...(helm.valueFiles ?? []),
    ...(helm.fileParameters ?? []).map((parameter) => parameter.path ?? ''),
  ].filter((entry) => entry.startsWith('$'))
  const names = Object.keys(input.refs)
  const revisions = new Map<
    string,
    { readonly name: string; readonly revision: string; written: string }
  >()
  for (const entry of entries) {
    const slash = entry.indexOf('/')
    const name = slash === -1 ? entry : entry.slice(0, slash)
    const ref = input.refs[name]
    if (ref === undefined) {
      throw new RenderError(
        'HELM_FAILED',
        names.length === 0
          ? `source referenced "${name}", but no source has a 'ref' field defined`
          : `source referenced "${name}", which is not one of the available sources (${names.join(', ')})`,
        { hint: 'Give one of the sources that ref, or correct the name.' },
      )
    }
    if ((ref.source.chart ?? '') !== '') {
      throw new RenderError(
        'HELM_FAILED',
        "source has a 'chart' field defined, but Helm charts are not yet not supported for 'ref' sources",
        { hint: 'Keep value files in a git repository.' },
      )
    }
    const known = revisions.get(ref.source.repoURL)
    const written = ref.source.targetRevision ?? ''
    if (known === undefined) {
      revisions.set(ref.source.repoURL, { name, revision: ref.revision, written })
    } else if (known.revision !== ref.revision) {
      throw new RenderError(
        'HELM_FAILED',
        `cannot reference multiple revisions for the same repository (${name} references "${written}" while ${known.name} references "${known.written}")`,
        { hint: 'Give all refs to one repository the same targetRevision.' },
      )
    }
    const same = ref.source.repoURL === input.source.repoURL
    if (same && ref.revision !== input.revision) {
      // Parity: the ref shows its commit twice, where it is the text of the spec that is meant
      throw new RenderError(
        'HELM_FAILED',
        `cannot reference a different revision of the same repository (${name} references "${ref.revision}" which resolves to "${ref.revision}" while the application references "${input.source.targetRevision ?? ''}" which resolves to "${input.revision}")`,
        { hint: 'Give both sources the same targetRevision.' },
      )
    }
  }
}
