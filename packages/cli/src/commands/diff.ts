import { type CommandSpec, helpText, parseFlags } from '../flags.ts'
import { exitCodes, type Io } from '../io.ts'
import { palette, wantsColor } from '../print/color.ts'
import { printJson } from '../print/json.ts'
import { destroysData, lossesOf, plansOf } from '../print/losses.ts'
import { printMarkdown } from '../print/markdown.ts'
import { printReport } from '../print/text.ts'
import { compareWorkspace } from '../workspace/compare.ts'
import type { Report } from '../workspace/report.ts'
import {
  colorFlag,
  openFromFlags,
  outputFlag,
  realChanceFlag,
  strictDeniesFlag,
  workspaceFlags,
} from './common.ts'

const spec: CommandSpec = {
  name: 'diff',
  usage: 'litecd diff [--base REF] [--head REF] [PATH]',
  about:
    'Prints what a change does to the cluster: which Applications change, which of their objects are added, changed\n' +
    'or removed, in which wave, and why. Without flags it compares the working tree with where it left the default\n' +
    'branch. Applications that only appear by rendering another one are followed.',
  maxArguments: 1,
  flags: {
    base: {
      type: 'string',
      value: 'REF',
      help: 'compare with the merge base of this and the head (default: the default branch)',
    },
    head: { type: 'string', value: 'REF', help: 'the changed state (default: the working tree)' },
    output: outputFlag('text, markdown or json', ['text', 'markdown', 'json']),
    'fail-on': {
      type: 'string',
      value: 'WHAT',
      help: 'destroys-data: exit with 4 where the change destroys data or may',
      choices: ['destroys-data'],
    },
    'strict-project-denies': strictDeniesFlag,
    color: colorFlag,
    'real-chance': realChanceFlag,
    ...workspaceFlags,
  },
  after:
    'Exit codes: 0 nothing changes, 1 something changes, 2 the command line or the repository is wrong,\n' +
    '3 some Application cannot be rendered (the others are still printed), 4 data is destroyed or may be\n' +
    '(with --fail-on destroys-data; before all others).',
}

export async function diffCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = parseFlags(spec, argv)
  if (flags.help) {
    io.stdout(helpText(spec))
    return exitCodes.same
  }
  const { workspace, options } = openFromFlags(flags, io, {
    base: flags.text('base'),
    head: flags.text('head'),
  })
  const report = await compareWorkspace(workspace, options)
  switch (flags.text('output')) {
    case 'json':
      io.stdout(printJson(report))
      break
    case 'markdown':
      io.stdout(printMarkdown(report))
      break
    default:
      io.stdout(printReport(report, palette(wantsColor(flags.text('color'), io))))
  }
  const failsOnLoss = flags.text('fail-on') === 'destroys-data'
  if (failsOnLoss && destroysData(lossesOf(plansOf(report)))) return exitCodes.destroysData
  return exitCodeOf(report)
}

function exitCodeOf(report: Report): number {
  const failed = report.applications.some(({ preview }) => preview.change === 'failed')
  if (failed || report.problems.length > 0) return exitCodes.failed
  return report.applications.length > 0 ? exitCodes.changes : exitCodes.same
}
