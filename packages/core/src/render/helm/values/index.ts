// Values: what the user gives, defaults of charts and subcharts, conditions and tags, imports, schemas.
export { coalesceValues, type Warn } from './coalesce.ts'
export { isCompatibleRange, processDependencies } from './dependencies.ts'
export { ChartInstance } from './instance.ts'
export { validateSchemas } from './schema.ts'
export { parseSet, SetIssue, type SetMode } from './set.ts'
export { mergeUserValues, type UserValues } from './user.ts'
