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
export { MissingRemote } from './fail.ts'
export type { ChartRequest, HelmHost } from './helm-host.ts'
export type { RemoteFile, Remotes, RemoteTree, Volume } from './loader.ts'
export { parseRepo, type RepoSpec } from './remote.ts'
export type { BuildLimits } from './session.ts'
export { type BuildFlags, readBuildFlags } from './source/build-options.ts'
export { kustomizeRenderer } from './source/index.ts'
export { AnsweredRemotes } from './source/remotes.ts'
