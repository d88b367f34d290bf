// The composition root: options → adapters → loops. Nothing else in this package builds adapters.
import { isLitecdError } from '@litecd/core/errors'
import { helpText, type Options, parseOptions } from './options/index.ts'
import { startController } from './start.ts'

/** What the program may do to the outside besides the cluster. */
export interface ControllerIo {
  readonly env: { readonly [name: string]: string | undefined }
  stdout(text: string): void
  stderr(text: string): void
}

/** Runs until SIGINT or SIGTERM. Returns the exit code: 0 after a signal, 2 for a wrong command line, 3 for a failure. */
export async function runController(argv: readonly string[], io: ControllerIo): Promise<number> {
  let options: Options
  try {
    options = parseOptions(argv, io.env)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    io.stderr(`${error.message}\n${error.hint ?? ''}\n`)
    return 2
  }
  if (options.help) {
    io.stdout(helpText)
    return 0
  }
  try {
    const controller = await startController(options, (line) => io.stderr(line))
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    })
    await controller.stop()
    return 0
  } catch (error) {
    if (!isLitecdError(error)) throw error
    io.stderr(`${error.code}: ${error.message}\n${error.hint ?? ''}\n`)
    return error.code === 'USAGE' ? 2 : 3
  }
}

if (import.meta.main) {
  process.exitCode = await runController(process.argv.slice(2), {
    env: process.env,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  })
}
