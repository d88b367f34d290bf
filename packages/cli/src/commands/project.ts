import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SpecError } from '@litecd/core/errors'
import { type CommandSpec, helpText, parseFlags } from '../flags.ts'
import { exitCodes, type Io } from '../io.ts'
import { palette, wantsColor } from '../print/color.ts'
import { printProjectChange, printProjectChangeJson } from '../print/project-change.ts'
import { compareProjects, type ProjectReport } from '../workspace/project-change.ts'
import { colorFlag, openFromFlags, outputFlag, strictDeniesFlag, workspaceFlags } from './common.ts'

const spec: CommandSpec = {
  name: 'project can-deploy',
  usage: 'litecd project can-deploy [--base REF] [--head REF] [-f FILE] [PATH]',
  about:
    'Tells which Applications a changed AppProject or argocd-cm forbids or allows, and why, in the words of the condition\n' +
    'that Argo CD would write. Without -f the projects of the base are compared with those of the head; with it those of\n' +
    'the head as they are with those of the files. Where lists of kinds or destinations change, what the Applications\n' +
    'render to is judged too.\n\n' +
    '  litecd project can-deploy --base main\n' +
    '  kubectl get appproject team -n argocd -o yaml > team.yaml; edit team.yaml; litecd project can-deploy -f team.yaml',
  maxArguments: 1,
  flags: {
    base: {
      type: 'string',
      value: 'REF',
      help: 'compare with the merge base of this and the head (default: the default branch)',
    },
    head: { type: 'string', value: 'REF', help: 'the changed state (default: the working tree)' },
    file: {
      type: 'string',
      short: 'f',
      multiple: true,
      value: 'FILE',
      help: 'AppProjects or argocd-cm that replace those of the head (repeatable)',
    },
    'strict-project-denies': strictDeniesFlag,
    at: {
      type: 'string',
      value: 'TIME',
      help: 'also judge sync windows, at this time, such as 2026-01-02T15:04:05Z or now',
    },
    all: { type: 'boolean', help: 'also show what is forbidden before and after' },
    output: outputFlag('text or json', ['text', 'json']),
    color: colorFlag,
    ...workspaceFlags,
  },
  after:
    'Repositories that are scoped to a project in the cluster are not known here.\n' +
    'Exit codes: 0 no verdict changes, 1 some verdict changes, 2 the command line or the repository is wrong, 3 something\n' +
    'could not be read.',
}

export async function projectCommand(argv: readonly string[], io: Io): Promise<number> {
  const [verb, ...rest] = argv
  if (verb === '--help' || verb === '-h') {
    io.stdout(helpText(spec))
    return exitCodes.same
  }
  if (verb !== 'can-deploy') {
    throw new SpecError('USAGE', `litecd project: unknown command ${JSON.stringify(verb ?? '')}`, {
      hint: 'Known: can-deploy.',
    })
  }
  const flags = parseFlags(spec, rest)
  if (flags.help) {
    io.stdout(helpText(spec))
    return exitCodes.same
  }
  const paths = flags.texts('file')
  if (paths.length > 0 && flags.text('base') !== undefined) {
    throw new SpecError('USAGE', 'litecd project can-deploy: --base and -f exclude each other', {
      hint: 'With -f the head as it is is what the files are compared with.',
    })
  }
  const { workspace, options } = openFromFlags(flags, io, {
    base: paths.length > 0 ? 'HEAD' : flags.text('base'),
    head: flags.text('head'),
  })
  const report = await compareProjects(workspace, options, {
    files: paths.map((path) => ({ path, text: readFile(path, io) })),
    now: timeOf(flags.text('at')),
  })
  io.stdout(
    flags.text('output') === 'json'
      ? printProjectChangeJson(report)
      : printProjectChange(report, flags.flag('all'), palette(wantsColor(flags.text('color'), io))),
  )
  return exitCodeOf(report)
}

function readFile(path: string, io: Io): string {
  try {
    return readFileSync(resolve(io.cwd, path), 'utf8')
  } catch (error) {
    throw new SpecError('USAGE', `-f ${path}: ${(error as Error).message}`)
  }
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = text === 'now' ? Date.now() : Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new SpecError('USAGE', `--at: ${JSON.stringify(text)} is no time`, {
    hint: 'Write it as 2026-01-02T15:04:05Z, or now.',
  })
}

function exitCodeOf({ applications, problems }: ProjectReport): number {
  if (problems.length > 0) return exitCodes.failed
  const isChange = ({ change }: ProjectReport['applications'][number]): boolean =>
    change !== 'same' && change !== 'still-forbidden'
  return applications.some(isChange) ? exitCodes.changes : exitCodes.same
}
