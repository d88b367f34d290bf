// render/kustomize: kustomizations → objects, byte for byte as `kustomize build` 5.8.1 prints them.
// In: a tree, a folder, options, answers about remote things. Out: objects with the files that made them, text.
// Never: programs, the network, files outside of the tree.
export {
  type Build,
  type BuildOptions,
  type BuiltObject,
  buildKustomization,
  buildText,
} from './build.ts'
export type { ChartRequest, HelmHost } from './helm.ts'
export type { RemoteFile, Remotes, RemoteTree, Volume } from './loader.ts'
export { parseRepo, type RepoSpec } from './remote.ts'
export { type BuildLimits, MissingRemote } from './session.ts'
export { kustomizeRenderer } from './source/index.ts'
