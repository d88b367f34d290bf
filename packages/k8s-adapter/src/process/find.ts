import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The first executable file of that name on PATH; undefined when there is none. */
export function findProgram(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const extensions = process.platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    // an empty or relative entry would run what a checkout holds
    if (!isAbsolute(folder)) continue
    for (const extension of extensions) {
      const path = join(folder, name + extension)
      try {
        accessSync(path, constants.X_OK)
        if (statSync(path).isFile()) return path
      } catch {
        // not here
      }
    }
  }
  return undefined
}
