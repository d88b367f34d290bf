// argo: Argo CD's own vocabulary: kinds, annotations, tracking, hooks, sync options, settings.
// In: manifests and ConfigMaps. Out: typed answers about them. Never: rendering, comparing, I/O.
export * from './annotations.ts'
export * from './application.ts'
export * from './encode.ts'
export * from './hooks.ts'
export * from './parse-settings.ts'
export * from './project.ts'
export * from './read-application.ts'
export * from './settings.ts'
export * from './sync-options.ts'
export * from './tracking.ts'
export * from './webhook/index.ts'
