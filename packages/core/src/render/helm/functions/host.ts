import type { CallContext, ValueMap } from '../../../lang/gotemplate/index.ts'
import type { Chance, ChanceStream } from './chance.ts'

/** What `lookup` may see: a live object or list as a map, an empty one when there is none. */
export type Lookup = (apiVersion: string, kind: string, namespace: string, name: string) => ValueMap

/** What the functions of Helm need of a render; it travels as the host of the run. */
export interface HelmHost {
  readonly chance: Chance
  /** The stream of the template file that is being rendered. */
  stream: ChanceStream
  readonly lookup: Lookup | undefined
}

export function hostOf(context: CallContext): HelmHost {
  return context.run.host as HelmHost
}
