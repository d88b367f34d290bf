// errors: one family of errors with stable codes and positions in the user's files.
// In: facts about a failure. Out: LitecdError. Never: formatting for a terminal, logging.
export { type ErrorCode, errorCodes } from './codes.ts'
export {
  ClusterError,
  CompareError,
  InternalError,
  isLitecdError,
  LitecdError,
  type LitecdErrorOptions,
  PermissionError,
  type Position,
  RenderError,
  SourceError,
  SpecError,
} from './error.ts'
export { positionAt } from './position.ts'
