import type { Io } from '../io.ts'

/** The controller is a program of its own; the command line only starts it. */
export async function controllerCommand(argv: readonly string[], io: Io): Promise<number> {
  const { runController } = await import('@litecd/controller')
  return runController(argv, io)
}
