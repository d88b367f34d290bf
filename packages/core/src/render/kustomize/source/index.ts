// render/kustomize/source: Kustomize sources of Applications, with what Argo CD changes before it builds.
// In: RenderInput. Out: manifests, or what must be fetched first. Never: I/O.
export { kustomizeRenderer } from './renderer.ts'
