// litecd: the command line. argv → command → exit code.
import { isLitecdError } from '@litecd/core/errors'
import { bytesOf, exitCodes, type Io } from './io.ts'
import { printError } from './print/error.ts'
import { version } from './version.ts'

type Command = (argv: string[], io: Io) => number | Promise<number>

interface Entry {
  readonly summary: string
  readonly load: () => Promise<Command>
}

const commands: { readonly [name: string]: Entry } = {
  diff: {
    summary: 'what a change of the repository does to the cluster, Application by Application',
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  plan: {
    summary: 'what the next sync will do, in which order, and which data it destroys',
    load: async () => (await import('./commands/plan.ts')).planCommand,
  },
  render: {
    summary: 'the manifests of Applications as they would be sent to the cluster',
    load: async () => (await import('./commands/render.ts')).renderCommand,
  },
  explain: {
    summary: 'where the objects of an Application come from, and what made each field',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  appset: {
    summary: 'the Applications that ApplicationSets generate',
    load: async () => (await import('./commands/appset.ts')).appsetCommand,
  },
  project: {
    summary: 'which Applications a changed AppProject or argocd-cm forbids or allows',
    load: async () => (await import('./commands/project.ts')).projectCommand,
  },
  health: {
    summary: 'the health of objects, as Argo CD would see it; tests of Lua checks',
    load: async () => (await import('./commands/health.ts')).healthCommand,
  },
  replay: {
    summary: 'a recorded sync, run again step by step without a cluster',
    load: async () => (await import('./commands/replay.ts')).replayCommand,
  },
  controller: {
    summary: 'run the controller against a cluster',
    load: async () => (await import('./commands/controller.ts')).controllerCommand,
  },
  helm: {
    summary: 'helm template, in process',
    load: async () => (await import('./commands/helm.ts')).helmCommand,
  },
  kustomize: {
    summary: 'kustomize build, in process',
    load: async () => (await import('./commands/kustomize.ts')).kustomizeCommand,
  },
  jsonnet: {
    summary: 'jsonnet, in process',
    load: async () => (await import('./commands/jsonnet.ts')).jsonnetCommand,
  },
}

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  )
  return [
    'litecd: what will this change do to my cluster?',
    '',
    'Usage: litecd COMMAND [flags]',
    '',
    'Commands:',
    ...lines,
    '',
    'litecd COMMAND --help tells the flags of a command, litecd --version the version.',
    '',
  ].join('\n')
}

/** Runs one command and returns the exit code; calls `ready` when all its modules are loaded. Never throws. */
export async function main(
  argv: readonly string[],
  io: Io = processIo(),
  ready: () => void = () => {},
): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const text = usage()
    if (name === undefined) io.stderr(text)
    else io.stdout(text)
    return name === undefined ? exitCodes.usage : exitCodes.same
  }
  if (name === '--version' || name === '-v' || name === 'version') {
    io.stdout(`litecd ${version}\n`)
    return exitCodes.same
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) {
    io.stderr(`litecd: unknown command ${JSON.stringify(name)}\n\n${usage()}`)
    return exitCodes.usage
  }
  try {
    const command = await entry.load()
    ready()
    return await command(rest, io)
  } catch (error) {
    if (!isLitecdError(error)) {
      io.stderr(
        `litecd: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      )
      return exitCodes.failed
    }
    io.stderr(printError(error))
    return error.code === 'USAGE' || error.code === 'WORKSPACE_INVALID'
      ? exitCodes.usage
      : exitCodes.failed
  }
}

function processIo(): Io {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdoutIsTerminal: process.stdout.isTTY === true,
    stdout: (text) => {
      process.stdout.write(bytesOf(text))
    },
    stderr: (text) => {
      process.stderr.write(text)
    },
  }
}
