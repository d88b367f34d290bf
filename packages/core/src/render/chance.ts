export type { Chance, ChanceStream } from '../adapters/index.ts'
