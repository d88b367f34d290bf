// render/kustomize/trace: which step of a build made each field of an object.
// In: objects before and after each step. Out: causes of fields. Never: changes to objects; work when nobody asks.
export { BuildTrace } from './build-trace.ts'
export {
  documentStep,
  fieldStep,
  mergeStep,
  operationsStep,
  type PatchDocument,
  type Step,
  stepAt,
} from './steps.ts'
