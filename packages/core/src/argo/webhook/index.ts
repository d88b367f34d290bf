// webhook: what a git host or registry tells about a push, a pull request or a package.
// In: headers and the JSON of a request. Out: an event in one shape for all hosts, and which URLs and revisions it means.
// Never: HTTP, secrets, which objects are refreshed.
export {
  type PackageEvent,
  type PullRequestEvent,
  type PushEvent,
  type WebhookEvent,
  WebhookRefused,
} from './event.ts'
export { revisionOf } from './fields.ts'
export { apiMatcher, comparesTo, repositoryMatcher, touches } from './match.ts'
export { type Headers, providerOf, type WebhookProvider } from './provider.ts'
export { readWebhookEvent } from './read.ts'
