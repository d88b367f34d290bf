/** Commits on a branch, or a tag. */
export interface PushEvent {
  readonly kind: 'push'
  /** Pages or clone addresses of the repository. */
  readonly urls: readonly string[]
  /** The branch or tag, without `refs/heads/` and `refs/tags/`. */
  readonly revision: string
  /** It is the branch that HEAD means, as far as the host tells. */
  readonly touchedHead: boolean
  /** Undefined where the host does not tell. */
  readonly files: readonly string[] | undefined
  /** Generators of ApplicationSets look at it: Argo CD takes no notice of GitLab's tags and of hosts besides three. */
  readonly forSets: boolean
  /** Applications look at it. */
  readonly forApplications: boolean
}

/** A pull request that was opened, changed or closed. */
export type PullRequestEvent = { readonly kind: 'pullRequest' } & (
  | {
      readonly host: 'github'
      readonly owner: string
      readonly repository: string
      /** The repository in the API of the host. */
      readonly apiUrl: string
    }
  | { readonly host: 'gitlab'; readonly projectId: string; readonly hostname: string }
  | { readonly host: 'azuredevops'; readonly project: string; readonly repository: string }
)

/** An artifact of an OCI registry with a new tag. */
export interface PackageEvent {
  readonly kind: 'package'
  /** `oci://host/path` */
  readonly url: string
  readonly tag: string
}

export type WebhookEvent =
  | PushEvent
  | PullRequestEvent
  | PackageEvent
  /** Understood, and no reason to do anything. */
  | { readonly kind: 'nothing' }

/** The request is no event that anybody here accepts. */
export class WebhookRefused {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}
