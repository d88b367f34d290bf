import { maskSecret, previewTargets } from '@litecd/core/app'
import { SpecError } from '@litecd/core/errors'
import { formatJson, type Json } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { formatYaml } from '@litecd/core/yaml'
import { type CommandSpec, helpText, parseFlags } from '../flags.ts'
import { exitCodes, type Io } from '../io.ts'
import { harmless } from '../print/color.ts'
import { printError } from '../print/error.ts'
import { collectApplications } from '../workspace/compare.ts'
import { openFromFlags, outputFlag, realChanceFlag, workspaceFlags } from './common.ts'

const spec: CommandSpec = {
  name: 'render',
  usage: 'litecd render [--app NAME] [--revision REF] [PATH]',
  about:
    'Prints the manifests of all Applications, or of one, as they would be sent to the cluster: namespaces and\n' +
    'tracking set, duplicates resolved. Values of Secrets are masked unless --show-secrets is given.',
  maxArguments: 1,
  flags: {
    revision: {
      type: 'string',
      value: 'REF',
      help: 'render this revision (default: the working tree)',
    },
    output: outputFlag('yaml or json', ['yaml', 'json']),
    'show-secrets': { type: 'boolean', help: 'print the values of Secrets' },
    'real-chance': realChanceFlag,
    ...workspaceFlags,
  },
  after:
    'Exit codes: 0 everything was rendered, 2 the command line or the repository is wrong, 3 some Application failed.',
}

export async function renderCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = parseFlags(spec, argv)
  if (flags.help) {
    io.stdout(helpText(spec))
    return exitCodes.same
  }
  const revision = flags.text('revision')
  const { workspace, options } = openFromFlags(flags, io, {
    base: revision ?? 'HEAD',
    head: revision,
  })
  const { apps, ids, problems, remarks } = await collectApplications(workspace, options)
  const wanted = options.app
  const chosen = apps.filter(
    ({ id, side }) => wanted === undefined || id === wanted || side.app.metadata.name === wanted,
  )
  if (wanted !== undefined && chosen.length === 0) {
    throw new SpecError('USAGE', `there is no Application ${wanted} here`, {
      hint: `Known: ${ids.join(', ') || 'none'}.`,
    })
  }
  let failed = problems.length > 0
  for (const problem of problems) io.stderr(printError(problem))
  for (const remark of remarks) {
    const where =
      remark.position === undefined ? '' : `${remark.position.path}:${remark.position.line ?? 1}: `
    io.stderr(harmless(`${where}note: ${remark.message}\n`))
    if (remark.hint !== undefined) io.stderr(harmless(`  ${remark.hint}\n`))
  }
  const manifests: Manifest[] = []
  for (const { id, side } of chosen) {
    const result = previewTargets(side, { settings: options.settings, facts: options.facts })
    if ('failure' in result) {
      failed = true
      io.stderr(`${id}: `)
      io.stderr(printError(result.failure.error))
      continue
    }
    for (const condition of result.conditions) {
      io.stderr(harmless(`${id}: note: ${condition.message}\n`))
    }
    manifests.push(...result.targets.map((target) => target.manifest))
  }
  const shown = flags.flag('show-secrets') ? manifests : manifests.map(maskSecret)
  if (flags.text('output') === 'json') {
    const list = { apiVersion: 'v1', kind: 'List', items: shown }
    io.stdout(formatJson(list as unknown as Json, { escapeHtml: false, indent: '    ' }) + '\n')
  } else {
    io.stdout(shown.map((manifest) => `---\n${formatYaml(manifest)}`).join(''))
  }
  return failed ? exitCodes.failed : exitCodes.same
}
