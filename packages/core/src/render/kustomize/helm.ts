import type { JsonObject } from '../../json/index.ts'
import { fail } from './fail.ts'
import type { Loader } from './loader.ts'
import type { Resource } from './resource.ts'
import type { BuildSession } from './session.ts'

export interface HelmHost {
  readonly enabled: boolean
}

export function inflateChart(
  _args: JsonObject,
  _loader: Loader,
  session: BuildSession,
  _file: string,
): () => Resource[] {
  if (!session.helm.enabled) fail('must specify --enable-helm')
  return fail('helm not done')
}
