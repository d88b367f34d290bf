// Running the templates of a chart: contexts, capabilities, `.Files`, errors as Helm words them, documents and hooks.
export {
  capabilitiesValue,
  defaultApiVersions,
  defaultHelmVersion,
  defaultKubeVersion,
  type HelmVersion,
  type KubeVersion,
  parseKubeVersion,
} from './capabilities.ts'
export { collectTemplates, type ReleaseFacts, type Renderable } from './context.ts'
export { renderErrorText } from './errors.ts'
export { type Document, type SortedDocuments, sortDocuments, splitDocuments } from './manifests.ts'
export { templateLineOf } from './origin.ts'
export { checkReleaseName, renderNameTemplate } from './release-name.ts'
export { type RenderedFile, runTemplates } from './templates.ts'
