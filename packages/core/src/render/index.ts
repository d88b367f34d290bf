// render: one source of an Application and a finished checkout → manifests, each with where it came from.
// In: FileTree, ApplicationSource, context. Out: manifests with origins, or what must be fetched first.
// Never: cluster lookups, tracking by live state, I/O.

export { detectSourceType, explicitSourceType } from './detect.ts'
export { directoryRenderer } from './directory/index.ts'
export { buildEnvironment, expandEnvironment } from './environment.ts'
export { finishManifests } from './finish.ts'
export { helmRenderer } from './helm/source/index.ts'
export { kustomizeRenderer } from './kustomize/index.ts'
export { applyOverrides } from './overrides.ts'
export { checkSymlinks, resolveAppPath } from './paths.ts'
export type {
  FieldCause,
  FieldTrace,
  Origin,
  RefTree,
  RenderAnswer,
  RenderContext,
  RenderedManifest,
  Renderer,
  RenderInput,
  RenderNeed,
} from './types.ts'
