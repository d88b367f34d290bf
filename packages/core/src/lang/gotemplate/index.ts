// lang/gotemplate: Go's text/template: lexing, parsing, running, fmt's printing. Knows no function but Go's own.
// In: template texts, a table of functions, values. Out: text, positions, Go's error texts. Never: Helm, YAML, I/O.
export { builtins } from './builtins.ts'
export { deepEqualValues, isTrue } from './compare.ts'
export {
  BudgetError,
  FunctionFailure,
  hostLimit,
  isStackOverflow,
  TemplateError,
  type TemplateFrame,
} from './errors.ts'
export { executeTemplate } from './execute.ts'
export { formatValue, sprint, sprintf, sprintln } from './format.ts'
export { defaultTemplateLimits, Run, type TemplateLimits } from './run.ts'
export { ParseCache, type Template, TemplateSet } from './set.ts'
export type { OutputMark } from './state.ts'
export {
  type TracedBlock,
  type TracedPiece,
  type TracedRead,
  type TracedTemplate,
  Tracer,
} from './tracer.ts'
export {
  type CallContext,
  ComplexNumber,
  type FunctionDef,
  type FunctionTable,
  GoObject,
  int64,
  integerOf,
  itemsOf,
  type Kind,
  kindOf,
  mapOf,
  type ParamType,
  SizedInt,
  Struct,
  TypedMap,
  TypedSlice,
  typeName,
  type Value,
  type ValueMap,
} from './value.ts'
export { checkDepth, visit } from './walk.ts'
