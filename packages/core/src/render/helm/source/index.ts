// render/helm/source: a Helm source of an Application, as Argo CD runs it, in process.
// In: a chart's folder in a tree, the source's helm block, trees of other sources. Out: manifests with origins, or what
// must be fetched first. Never: the network, files outside of the repository.
export { type DependencyUpdate, updateDependencies } from './dependency-update.ts'
export { helmRenderer } from './renderer.ts'
