import { parseArgs } from 'node:util'
import { SpecError } from '@litecd/core/errors'

export interface Flag {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  /** What stands for the value in the help text. */
  readonly value?: string
  readonly help: string
  readonly choices?: readonly string[]
}

export interface CommandSpec {
  readonly name: string
  readonly usage: string
  readonly about: string
  readonly flags: { readonly [name: string]: Flag }
  /** How many arguments without a dash are allowed. */
  readonly maxArguments: number
  readonly after?: string
}

export interface ParsedFlags {
  readonly help: boolean
  readonly positionals: readonly string[]
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  flag(name: string): boolean
}

/** Reads a command line. Throws SpecError USAGE that names what was not understood. */
export function parseFlags(spec: CommandSpec, argv: readonly string[]): ParsedFlags {
  const options = Object.fromEntries(
    Object.entries(spec.flags).map(([name, flag]) => [
      name,
      {
        type: flag.type,
        ...(flag.short === undefined ? {} : { short: flag.short }),
        ...(flag.multiple === true ? { multiple: true } : {}),
      },
    ]),
  )
  const fail = (why: string): never => {
    throw new SpecError('USAGE', `litecd ${spec.name}: ${why}`, {
      hint: `litecd ${spec.name} --help tells the flags.`,
    })
  }
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: [...argv],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    return fail((error as Error).message.split('. ')[0] ?? '')
  }
  const values = parsed.values as {
    readonly [name: string]: string | boolean | string[] | undefined
  }
  if (parsed.positionals.length > spec.maxArguments) {
    fail(`unexpected argument ${JSON.stringify(parsed.positionals[spec.maxArguments])}`)
  }
  for (const [name, flag] of Object.entries(spec.flags)) {
    const value = values[name]
    if (flag.choices !== undefined && typeof value === 'string' && !flag.choices.includes(value)) {
      fail(`--${name} must be one of ${flag.choices.join(', ')}, not ${JSON.stringify(value)}`)
    }
  }
  return {
    help: values['help'] === true,
    positionals: parsed.positionals,
    text: (name) => values[name] as string | undefined,
    texts: (name) => (values[name] as string[] | undefined) ?? [],
    flag: (name) => values[name] === true,
  }
}

export function helpText(spec: CommandSpec): string {
  const rows = Object.entries(spec.flags).map(([name, flag]): readonly [string, string] => {
    const short = flag.short === undefined ? '    ' : `-${flag.short}, `
    const value = flag.type === 'boolean' ? '' : ` ${flag.value ?? 'VALUE'}`
    return [`  ${short}--${name}${value}`, flag.help]
  })
  rows.push(['  -h, --help', 'this text'])
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  const lines = rows.flatMap(([left, right]) =>
    wrap(right, 100 - width).map(
      (part, index) => (index === 0 ? left.padEnd(width) : ' '.repeat(width)) + part,
    ),
  )
  return [
    `Usage: ${spec.usage}`,
    '',
    spec.about,
    '',
    'Flags:',
    ...lines,
    ...(spec.after === undefined ? [] : ['', spec.after]),
    '',
  ].join('\n')
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
