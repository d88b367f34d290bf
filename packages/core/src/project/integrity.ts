import type { AppProject } from '../argo/index.ts'
import { isObject, type Json, type JsonObject } from '../json/index.ts'
import { matchGlob } from '../text/index.ts'

/** What of the commits of a repository has to be signed, and by whom. */
export type IntegrityDemand =
  | { readonly kind: 'none' }
  /** The last 16 digits of the keys that count; `strict` asks the whole ancestry. */
  | { readonly kind: 'signed'; readonly mode: 'head' | 'strict'; readonly keys: readonly string[] }
  /** The policies themselves are wrong: nothing of the repository counts as good. */
  | { readonly kind: 'wrong'; readonly message: string }

const none: IntegrityDemand = { kind: 'none' }

/**
 * The git policies of a project; keys of the older list make one for every repository unless there are newer ones.
 *
 * Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/app_project_types.go EffectiveSourceIntegrity
 */
export function integrityPolicies(project: AppProject): readonly JsonObject[] {
  const { signatureKeys, sourceIntegrity } = project.spec
  const git = isObject(sourceIntegrity) ? sourceIntegrity['git'] : undefined
  if (isObject(git)) return objects(git['policies'])
  const keys = (signatureKeys ?? []).map(({ keyID }) => keyID)
  return keys.length === 0 ? [] : [{ repos: [{ url: '*' }], gpg: { mode: 'head', keys } }]
}

/**
 * What a project asks of a git repository, by its URL as the source writes it. Patterns know no separators; one with `!`
 * that hits takes its whole policy away.
 *
 * Source: argo-cd v3.5.1 util/sourceintegrity/source_integrity.go
 */
export function integrityOf(project: AppProject, repoURL: string): IntegrityDemand {
  const found = integrityPolicies(project).filter((policy) => covers(policy, repoURL))
  const [policy] = found
  if (policy === undefined) return none
  if (found.length > 1) {
    return {
      kind: 'wrong',
      message: `multiple (${found.length}) git source integrity policies found for repo URL: ${repoURL}`,
    }
  }
  const gpg = isObject(policy['gpg']) ? policy['gpg'] : {}
  const mode = gpg['mode']
  if (mode === 'none') return none
  if (mode !== 'head' && mode !== 'strict') {
    return {
      kind: 'wrong',
      message: `unknown GPG mode "${String(mode ?? '')}" configured for GIT source integrity`,
    }
  }
  const keys = Array.isArray(gpg['keys']) ? gpg['keys'] : []
  return { kind: 'signed', mode, keys: keys.map((key) => String(key).slice(-16)) }
}

function covers(policy: JsonObject, repoURL: string): boolean {
  let any = false
  for (const repo of objects(policy['repos'])) {
    const pattern = typeof repo['url'] === 'string' ? repo['url'] : ''
    if (pattern.startsWith('!')) {
      if (matchGlob(pattern.slice(1), repoURL)) return false
    } else if (matchGlob(pattern, repoURL)) any = true
  }
  return any
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value.filter(isObject) as readonly JsonObject[]) : []
}
