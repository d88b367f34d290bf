import type { LevelFile } from './level-file.ts'
import type { LevelSteps } from './level-steps.ts'
import type { Loader } from './loader.ts'
import type { BuildOrigin } from './origin-text.ts'
import type { PluginHost } from './plugins.ts'
import type { Resource } from './resource.ts'
import type { BuildSession } from './session.ts'

/** What the generators and transformers of a level see of it. */
export interface LevelHost {
  readonly file: LevelFile
  readonly loader: Loader
  readonly session: BuildSession
  /** Where the level stands, for annotations; undefined unless they are asked for. */
  readonly origin: BuildOrigin | undefined
  /** The namespace of the levels above. */
  readonly helmNamespace: string
  readonly plugins: PluginHost
  /** The objects that configure plugins, written inline or in files. */
  pluginObjects(what: string, entries?: readonly string[]): readonly Resource[]
  /** How the trace names what the level does. */
  steps(): LevelSteps
}
