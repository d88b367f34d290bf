// render/kustomize/facts: what kustomize knows of Kubernetes and of its own commands, as tables.
// In: nothing. Out: scopes, merging lists, places, name references, orders, texts. Never: decisions.
export { editUsage } from './edit-usage.ts'
export {
  type DefinitionField,
  definitionOf,
  fieldsOf,
  isClusterScoped,
  kindsOf,
  madeFrom,
  nameReferences,
  placesOf,
} from './table.ts'
