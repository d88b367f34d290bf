import { type Config, emptyConfig, mergeConfigs } from './config.ts'
import { Objects } from './objects.ts'
import { addVars, type Var } from './vars.ts'

/** What a level collects. */
export class Accumulator {
  readonly objects: Objects = new Objects()
  config: Config = emptyConfig
  readonly vars: Map<string, Var> = new Map()

  merge(other: Accumulator): void {
    for (const resource of other.objects.list) this.objects.append(resource)
    this.config = mergeConfigs(this.config, other.config)
    addVars(this.vars, other.vars.values())
  }
}
