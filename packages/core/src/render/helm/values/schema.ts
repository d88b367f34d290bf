import type { ValueMap } from '../../../lang/gotemplate/index.ts'
import type { ChartInstance } from './instance.ts'

export function validateSchemas(_root: ChartInstance, _values: ValueMap): void {}
