// appset: ApplicationSets: generators, parameters, templates; from a set to its Applications.
// In: an ApplicationSet, clusters and checkouts as facts. Out: Applications, or what is still to be fetched.
// Never: I/O, HTTP, writing Applications to a cluster.
export {
  type GeneratedApplications,
  type GenerateOptions,
  generateApplications,
  maxApplications,
} from './generate.ts'
export type { ClusterFact, GeneratorFacts, TreeRequest } from './generators/facts.ts'
export { type ApplicationSet, readApplicationSet } from './types.ts'
