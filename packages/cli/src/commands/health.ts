import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defaultSettings, parseSettings, type Settings } from '@litecd/core/argo'
import { SpecError } from '@litecd/core/errors'
import { assessHealth, testScripts } from '@litecd/core/health'
import { isObject } from '@litecd/core/json'
import { groupOf, type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import { openFolder, openHealthLibrary } from '@litecd/k8s-adapter/disk'
import { type CommandSpec, helpText, type ParsedFlags, parseFlags } from '../flags.ts'
import { exitCodes, type Io } from '../io.ts'
import { harmless, harmlessLine } from '../print/color.ts'
import { printError } from '../print/error.ts'
import { readObjects } from './health-objects.ts'

const spec: CommandSpec = {
  name: 'health',
  usage: 'litecd health -f FILE [-o text|json] [flags]\n       litecd health test DIR',
  about:
    'Prints the health of each object of a file, in the order of the file, as Argo CD v3.5 sees it. `kubectl get ... -o yaml`\n' +
    'makes such files. Kinds without a check have no health.\n\n' +
    'litecd health test DIR runs the tests beside Lua checks and actions: health_test.yaml and action_test.yaml, in the\n' +
    "layout of Argo CD's resource_customizations.",
  maxArguments: 2,
  flags: {
    filename: {
      type: 'string',
      short: 'f',
      multiple: true,
      value: 'FILE',
      help: 'YAML or JSON documents, Lists among them; - is standard input (repeatable)',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      help: 'text, or json: one object a line with group, kind, namespace, name, status and message',
      choices: ['text', 'json'],
    },
    'health-library': {
      type: 'string',
      value: 'DIR',
      help: "Lua checks of your own, laid out like Argo CD's resource_customizations: GROUP/KIND/health.lua; _ in a name is any text",
    },
    settings: {
      type: 'string',
      value: 'FILE',
      help: 'the ConfigMap argocd-cm, for resource.customizations',
    },
    'health-unknown': {
      type: 'string',
      value: 'RULE',
      help: 'health of kinds nobody wrote a check for: none (default), or kstatus, which looks at the usual conditions',
      choices: ['none', 'kstatus'],
    },
    'exit-code': {
      type: 'boolean',
      help: 'end with 1 when an object is Progressing, Missing, Degraded or Unknown',
    },
  },
  after:
    'Exit codes: 0 every object was read, whatever its health; 1 a test failed, or with --exit-code an object is not well;\n' +
    '2 the command line is wrong; 3 a file cannot be read.',
}

/** `litecd health`: the health of the objects of files, and the tests of Lua checks. */
export function healthCommand(argv: readonly string[], io: Io): number {
  const flags = parseFlags(spec, argv)
  if (flags.help) {
    io.stdout(helpText(spec))
    return exitCodes.same
  }
  const [word, dir, ...rest] = flags.positionals
  if (word === 'test' && dir !== undefined && rest.length === 0) return runTests(dir, io)
  if (word !== undefined) {
    throw usage(
      word === 'test'
        ? 'health test needs a folder'
        : `unexpected argument ${JSON.stringify(word)}`,
    )
  }
  return printHealth(flags, io)
}

function usage(message: string): SpecError {
  return new SpecError('USAGE', `litecd health: ${message}`, {
    hint: 'litecd health --help tells the flags.',
  })
}

function printHealth(flags: ParsedFlags, io: Io): number {
  const files = flags.texts('filename')
  if (files.length === 0) throw usage('-f FILE is missing')
  const settings = settingsFrom(flags, io)
  const options = { overrides: settings.overrides, health: settings.health, clock: Date.now }
  const rows: Row[] = []
  let failed = false
  for (const file of files) {
    const { objects, problems } = readObjects(readInput(file, io), file === '-' ? '<stdin>' : file)
    for (const live of objects) rows.push(rowOf(live, assessHealth(live, options).health))
    for (const problem of problems) io.stderr(printError(problem))
    failed ||= problems.length > 0
  }
  io.stdout(flags.text('output') === 'json' ? rows.map(jsonLine).join('') : textTable(rows))
  if (failed) return exitCodes.failed
  const isUnwell = rows.some(({ status }) => unwell.includes(status ?? ''))
  return flags.flag('exit-code') && isUnwell ? exitCodes.changes : exitCodes.same
}

const unwell: readonly string[] = ['Progressing', 'Missing', 'Degraded', 'Unknown']

function readInput(file: string, io: Io): string {
  try {
    return readFileSync(file === '-' ? 0 : resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw usage(`-f ${file}: ${(error as Error).message}`)
  }
}

function settingsFrom(flags: ParsedFlags, io: Io): Settings {
  const folder = flags.text('health-library')
  const health: Settings['health'] = {
    library:
      folder === undefined
        ? {}
        : openHealthLibrary(resolve(io.cwd, folder), `litecd health: --health-library ${folder}`),
    unknown: flags.text('health-unknown') === 'kstatus' ? 'kstatus' : 'none',
  }
  const file = flags.text('settings')
  if (file === undefined) return { ...defaultSettings, health }
  const { settings, fatal } = parseSettings({ argocdCm: argocdCm(file, io), health })
  if (fatal === undefined) return settings
  throw new SpecError('SETTINGS_INVALID', fatal, { position: { path: file } })
}

/** The `data` of the ConfigMap argocd-cm that a file holds, alone or among other objects. */
function argocdCm(file: string, io: Io): { readonly [key: string]: string } {
  let text: string
  try {
    text = readFileSync(resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw usage(`--settings ${file}: ${(error as Error).message}`)
  }
  const { objects, problems } = readObjects(text, file)
  if (problems[0] !== undefined) throw problems[0]
  const maps = objects.filter(({ kind }) => kind === 'ConfigMap')
  const map =
    maps.find((one) => nameOf(one) === 'argocd-cm') ?? (maps.length === 1 ? maps[0] : undefined)
  if (map === undefined) throw usage(`--settings ${file}: there is no ConfigMap argocd-cm in it`)
  const data = map['data'] ?? {}
  if (isObject(data) && Object.values(data).every((value) => typeof value === 'string')) {
    return data as { readonly [key: string]: string }
  }
  throw new SpecError('SETTINGS_INVALID', 'data of argocd-cm must be a map of texts', {
    position: { path: file },
  })
}

interface Row {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly status?: string
  readonly message?: string
}

function rowOf(
  live: Manifest,
  health: { readonly status: string; readonly message?: string } | undefined,
): Row {
  return {
    group: groupOf(live.apiVersion),
    kind: live.kind,
    namespace: namespaceOf(live),
    name: nameOf(live),
    ...(health === undefined ? {} : { status: health.status, message: health.message ?? '' }),
  }
}

function jsonLine(row: Row): string {
  return `${JSON.stringify(row)}\n`
}

function textTable(rows: readonly Row[]): string {
  const cells = rows.map(({ group, kind, namespace, name, status, message }) =>
    [
      status ?? '-',
      group === '' ? kind : `${kind}.${group}`,
      namespace === '' ? name : `${namespace}/${name}`,
      message ?? '',
    ].map(harmlessLine),
  )
  const widths = [0, 1, 2].map((column) =>
    cells.reduce((most, row) => Math.max(most, row[column]!.length), 0),
  )
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function runTests(dir: string, io: Io): number {
  const results = testScripts(openFolder(resolve(io.cwd, dir), `litecd health test ${dir}`))
  if (results.length === 0) {
    throw new SpecError('USAGE', `litecd health test ${dir}: there is no test in it`, {
      hint: 'Tests lie in GROUP/KIND/health_test.yaml and GROUP/KIND/actions/action_test.yaml.',
    })
  }
  const failures = results.filter(({ failure }) => failure !== undefined)
  for (const { name, failure } of failures) {
    io.stdout(harmless(`FAIL ${name}\n  ${failure}\n`))
  }
  io.stdout(`${results.length - failures.length} passed, ${failures.length} failed\n`)
  return failures.length > 0 ? exitCodes.changes : exitCodes.same
}
