// scm: what generators of ApplicationSets ask hosts of repositories, plugins and the cluster.
// In: requests as data, Secrets by name. Out: answers as core knows them, or errors in the words of Argo CD's clients.
// Never: credentials in errors or logs, or to another host than the one they are for.
export { type ApiCall, defaultScmLimits, type ScmLimits } from './api.ts'
export type { ProviderObjects, StoredSecret } from './objects.ts'
export { createProviderReader, type ProviderReaderOptions } from './reader.ts'
