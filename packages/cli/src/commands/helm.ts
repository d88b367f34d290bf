import { statSync } from 'node:fs'
import { isLitecdError, RenderError, SpecError } from '@litecd/core/errors'
import {
  type Chart,
  type ChartRender,
  mergeUserValues,
  missingDependencies,
  parseKubeVersion,
  type RenderDebug,
  type RenderOptions,
  renderChart,
  renderErrorText,
  renderNameTemplate,
  showOnly,
  updateDependencies,
} from '@litecd/core/render/helm'
import { realChance } from '@litecd/k8s-adapter/chance'
import type { Io } from '../io.ts'
import {
  diskTree,
  type Fetch,
  type Located,
  locateChart,
  networkFetch,
  readChart,
} from './helm-chart.ts'
import {
  checkCertificates,
  checkDryRun,
  colorIssue,
  failed,
  refuseUnsupported,
  reservedLabels,
} from './helm-checks.ts'
import {
  checkGroups,
  FlagIssue,
  type HelmCommandLine,
  helmHelp,
  parseHelmFlags,
} from './helm-flags.ts'
import { debug, isDebug, log } from './helm-log.ts'
import { writeOutputFolder } from './helm-output.ts'
import { namespaceOf, readSetFiles, readValueFiles } from './helm-values.ts'

const help = `Usage: litecd helm template [NAME] CHART [flags]

litecd helm template --help tells the flags.
`

/**
 * `litecd helm template`: prints what `helm template` prints, byte for byte, with its exit code.
 *
 * Returns 0, or 1 after any error, which goes to standard error in Helm's words. Throws SpecError USAGE for what litecd
 * does not do.
 */
export async function helmCommand(argv: readonly string[], io: Io): Promise<number> {
  const [command, ...rest] = argv
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    io.stdout(help)
    return 0
  }
  if (command !== 'template') {
    throw new SpecError('USAGE', `litecd helm: there is no command ${JSON.stringify(command)}`, {
      hint: 'litecd helm template is what there is.',
    })
  }
  try {
    const line = parseHelmFlags(rest)
    const wrongColor = colorIssue(line)
    if (wrongColor !== undefined) {
      log(io, { level: 'WARN', message: 'command failed', facts: { error: wrongColor } })
      return 1
    }
    for (const notice of line.notices) io.stderr(`${notice}\n`)
    if (line.flag('help')) {
      io.stdout(helmHelp())
      return 0
    }
    await template(line, io)
    return 0
  } catch (error) {
    if (error instanceof FlagIssue) {
      io.stderr(`Error: ${error.message}\n`)
      return 1
    }
    if (!isLitecdError(error) || error instanceof SpecError) throw error
    io.stderr(`Error: ${error.message}\n`)
    if (error.hint !== undefined) io.stderr(`Hint: ${error.hint}\n`)
    return 1
  }
}

async function template(line: HelmCommandLine, io: Io): Promise<void> {
  if (line.positionals.length === 0) {
    throw failed(
      '"helm template" requires at least 1 argument\n\nUsage:  helm template [NAME] [CHART] [flags]',
    )
  }
  checkGroups(line)
  refuseUnsupported(line)
  const kubeVersion = line.text('kube-version') || undefined
  if (kubeVersion !== undefined) parseKubeVersion(kubeVersion)
  checkCertificates(line, io)
  checkDryRun(line, io)
  debug(line, io, 'Original chart version', { version: line.text('version') ?? '' })
  if ((line.text('version') ?? '') === '' && line.flag('devel')) {
    debug(line, io, 'setting version to >0.0.0-0', {})
  }
  const chance = realChance()
  const { releaseName, chartName } = nameAndChart(line)
  const fetch = networkFetch(line, io)
  const located = await locateChart(chartName, line, io, fetch)
  if ('path' in located) debug(line, io, 'Chart path', { path: located.path })
  const options: RenderOptions = {
    releaseName,
    namespace: namespaceOf(line, io),
    kubeVersion,
    apiVersions: line.texts('api-versions'),
    includeCrds: line.flag('include-crds'),
    skipTests: line.flag('skip-tests'),
    noHooks: line.flag('no-hooks'),
    isUpgrade: line.flag('is-upgrade'),
    skipSchemaValidation: line.flag('skip-schema-validation'),
    files: await readValueFiles(line, io, fetch),
    set: line.texts('set'),
    setString: line.texts('set-string'),
    setFile: line.texts('set-file'),
    setJson: line.texts('set-json'),
    setLiteral: line.texts('set-literal'),
    readFile: await readSetFiles(line, io, fetch),
    chance,
  }
  // Helm reads the values before the chart, and so meets their errors first
  mergeUserValues(options)
  const chart = readChart(located)
  for (const message of chart.warnings) log(io, { level: 'INFO', message })
  const whole = line.flag('dependency-update') ? await updated(chart, located, fetch) : chart
  print(render(whole, options, line, io), releaseName, line, io)
}

/** The chart with the dependencies that it does not hold, which only a folder can have. */
async function updated(chart: Chart, located: Located, fetch: Fetch): Promise<Chart> {
  const missing = missingDependencies(chart)
  if (missing.length === 0 || !('path' in located)) return chart
  if ('archive' in located || !statSync(located.path).isDirectory()) {
    throw failed('only unpacked charts can be updated')
  }
  const update = updateDependencies(chart, diskTree('/'), located.path.slice(1))
  const answers: { [id: string]: Parameters<typeof update.finish>[0][string] } = {}
  for (const { id, request } of update.needs) {
    try {
      answers[id] = { tree: await fetch(request), revision: '' }
    } catch (error) {
      if (!isLitecdError(error)) throw error
      answers[id] = { error }
    }
  }
  return update.finish(answers)
}

function nameAndChart(line: HelmCommandLine): {
  readonly releaseName: string
  readonly chartName: string
} {
  const [first = '', second, ...more] = line.positionals
  if (more.length > 0) {
    throw failed(`expected at most two arguments, unexpected arguments: ${more.join(', ')}`)
  }
  const nameTemplate = line.text('name-template') ?? ''
  if (second !== undefined) {
    if (line.flag('generate-name')) {
      throw failed('cannot set --generate-name and also specify a name')
    }
    if (nameTemplate !== '') throw failed('cannot set --name-template and also specify a name')
    return { releaseName: first, chartName: second }
  }
  if (nameTemplate === '') return { releaseName: 'release-name', chartName: first }
  return { releaseName: renderNameTemplate(nameTemplate, realChance()), chartName: first }
}

function render(chart: Chart, options: RenderOptions, line: HelmCommandLine, io: Io): ChartRender {
  const reserved = reservedLabels(line)
  let rendered = '\n'
  const notes: RenderDebug = {
    note: (message, facts) => debug(line, io, message, facts),
    rendered: (text) => {
      rendered = text
    },
  }
  try {
    const result = renderChart(chart, {
      ...options,
      warn: (warning) => log(io, warning),
      ...(isDebug(line, io) ? { debug: notes } : {}),
    })
    if (reserved !== undefined) throw reserved
    return result
  } catch (error) {
    if (!isLitecdError(error) || error === reserved) throw error
    for (const step of ['release name check failed', 'chart dependencies processing failed']) {
      const [before, reason] = error.message.split(`${step}: `)
      if (before === '' && reason !== undefined) {
        log(io, { level: 'ERROR', message: step, facts: { error: reason } })
      }
    }
    const text = renderErrorText(error)
    // Helm looks at labels once the values are known
    if (reserved !== undefined && text !== error.message) throw reserved
    if (isDebug(line, io) && text !== error.message) show(rendered, line, io)
    throw new RenderError(error.code, isDebug(line, io) ? error.message : text, {
      hint: error.hint,
      cause: error,
    })
  }
}

function print(result: ChartRender, releaseName: string, line: HelmCommandLine, io: Io): void {
  const folder = line.text('output-dir') ?? ''
  let text = result.text
  if (folder !== '') {
    const below = line.flag('release-name') ? releaseName : ''
    writeOutputFolder(result.documents, folder, below, io)
    text = '\n'
  }
  show(text, line, io)
}

/** What `--show-only` leaves of a stream, or all of it. */
function show(text: string, line: HelmCommandLine, io: Io): void {
  const patterns = line.texts('show-only')
  io.stdout(patterns.length === 0 ? text : showOnly(text, patterns))
}
