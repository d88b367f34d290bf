import type { JsonnetVariable } from '@litecd/core/lang/jsonnet'

/** What a command line of `jsonnet` asks for. */
export interface JsonnetCommandLine {
  readonly input: string
  readonly exec: boolean
  readonly libraries: readonly string[]
  readonly extVars: readonly JsonnetVariable[]
  readonly tlas: readonly JsonnetVariable[]
  readonly output: string | undefined
  readonly multi: string | undefined
  readonly createDirs: boolean
  readonly stream: boolean
  readonly string: boolean
  readonly newline: boolean
  readonly maxStack: number | undefined
  readonly maxTrace: number | undefined
}

/** What to print and with which code to leave instead of evaluating anything. */
export interface EarlyExit {
  readonly code: 0 | 1
  readonly stdout?: string
  readonly stderr?: string
}

type Environment = { readonly [name: string]: string | undefined }

export const jsonnetHelp = `Usage: litecd jsonnet [flags] FILE

Evaluates a Jsonnet program as go-jsonnet v0.22 does. FILE may be - for standard input.

Flags:
  -e, --exec                    FILE is the program itself
  -J, --jpath DIR               a folder to look for imports in; the last one is searched first
  -o, --output-file FILE        write there instead of to standard output
  -m, --multi DIR               write a file for every field into DIR and list them
  -c, --create-output-dirs      create the folders of output files
  -y, --yaml-stream             the value is an array; write its elements as a YAML stream
  -S, --string                  the value is a string; write it as it is
      --no-trailing-newline     no line feed after the output
  -s, --max-stack N             frames that may be open at once, 500 if not given
  -t, --max-trace N             lines of a stack trace, 20 if not given, 0 for all
  -V, --ext-str NAME[=VALUE]    an external variable; without a value, from the environment
      --ext-str-file NAME=FILE  … from a file
      --ext-code NAME[=CODE]    … as Jsonnet code
      --ext-code-file NAME=FILE … as the code of a file
  -A, --tla-str NAME[=VALUE]    an argument of the function that the program is
      --tla-str-file NAME=FILE  … from a file
      --tla-code NAME[=CODE]    … as Jsonnet code
      --tla-code-file NAME=FILE … as the code of a file
  -h, --help                    this text
      --version                 the version of Jsonnet

JSONNET_PATH lists more folders for imports, separated by colons; they come after those of -J, the first one first.
`

const versionText = 'Jsonnet in process (litecd), as go-jsonnet v0.22.0\n'

/** Letters that stand together are single flags: `-Sm` is `-S -m`. */
function separate(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  const flags = end === -1 ? argv : argv.slice(0, end)
  const spread = flags.flatMap((argument) =>
    /^-[^-]./s.test(argument) ? [...argument.slice(1)].map((letter) => '-' + letter) : [argument],
  )
  return end === -1 ? spread : [...spread, ...argv.slice(end)]
}

function failure(message: string): EarlyExit {
  return { code: 1, stderr: `ERROR: ${message}\n` }
}

/**
 * Reads the arguments of `jsonnet`. Messages and exit codes are those of the program.
 *
 * Source: go-jsonnet 0.22 cmd/jsonnet/cmd.go
 */
export function parseJsonnetFlags(
  argv: readonly string[],
  env: Environment,
): JsonnetCommandLine | EarlyExit {
  return new Parser(separate(argv), env).parse()
}

class Stop extends Error {
  readonly exit: EarlyExit

  constructor(exit: EarlyExit) {
    super(exit.stderr)
    this.exit = exit
  }
}

class Parser {
  private readonly argv: readonly string[]
  private readonly env: Environment
  private readonly libraries: string[]
  private readonly extVars: JsonnetVariable[] = []
  private readonly tlas: JsonnetVariable[] = []
  private readonly inputs: string[] = []
  private readonly values = new Map<string, string>()
  private readonly switches = new Set<string>()
  private at = 0

  constructor(argv: readonly string[], env: Environment) {
    this.argv = argv
    this.env = env
    this.libraries = (env['JSONNET_PATH'] ?? '')
      .split(':')
      .filter((path) => path !== '')
      .reverse()
  }

  parse(): JsonnetCommandLine | EarlyExit {
    try {
      for (; this.at < this.argv.length; this.at++) {
        const exit = this.argument(this.argv[this.at]!)
        if (exit !== undefined) return exit
      }
      return this.result()
    } catch (error) {
      if (error instanceof Stop) return error.exit
      throw error
    }
  }

  private next(): string {
    const value = this.argv[++this.at]
    if (value === undefined) {
      throw new Stop({ code: 1, stderr: 'Expected another commandline argument.\n' })
    }
    return value
  }

  private text(name: string): void {
    const value = this.next()
    if (value === '') throw new Stop(failure(`-${name} argument was empty string`))
    this.values.set(name, value)
  }

  private count(flag: string, least: number): void {
    const text = this.next()
    if (!/^[+-]?\d+$/.test(text)) {
      throw new Stop({ code: 1, stderr: `Invalid integer "${text}"\n` })
    }
    if (Number(text) < least) throw new Stop(failure(`invalid --${flag} value: ${Number(text)}`))
    this.values.set(flag, text)
  }

  /** `NAME=VALUE`, or `NAME` with a value from the environment. */
  private variable(into: JsonnetVariable[], code: boolean): void {
    const text = this.next()
    const equals = text.indexOf('=')
    const name = equals === -1 ? text : text.slice(0, equals)
    const value = equals === -1 ? this.env[name] : text.slice(equals + 1)
    if (value === undefined) {
      throw new Stop(failure(`environment variable ${name} was undefined`))
    }
    set(into, { name, value, code })
  }

  /** `NAME=FILE`, read by an import when the variable is asked for. */
  private fileVariable(into: JsonnetVariable[], keyword: 'import' | 'importstr'): void {
    const text = this.next()
    const equals = text.indexOf('=')
    if (equals === -1) throw new Stop(failure(`argument not in form <var>=<file> "${text}"`))
    const path = text.slice(equals + 1).replaceAll("'", "''")
    set(into, { name: text.slice(0, equals), value: `${keyword} @'${path}'`, code: true })
  }

  private argument(argument: string): EarlyExit | undefined {
    switch (argument) {
      case '-h':
      case '--help':
        return { code: 0, stdout: jsonnetHelp }
      case '-v':
      case '--version':
        return { code: 0, stdout: versionText }
      case '-e':
      case '--exec':
        this.switches.add('exec')
        return
      case '-o':
      case '--output-file':
        this.text('o')
        return
      case '-m':
      case '--multi':
        this.text('m')
        return
      case '-J':
      case '--jpath': {
        const dir = this.next()
        if (dir === '') return failure('-J argument was empty string')
        this.libraries.push(dir)
        return
      }
      case '-c':
      case '--create-output-dirs':
        this.switches.add('create')
        return
      case '-y':
      case '--yaml-stream':
        this.switches.add('stream')
        return
      case '-S':
      case '--string':
        this.switches.add('string')
        return
      case '--no-trailing-newline':
        this.switches.add('no-newline')
        return
      case '-s':
      case '--max-stack':
        this.count('max-stack', 1)
        return
      case '-t':
      case '--max-trace':
        this.count('max-trace', 0)
        return
      case '-V':
      case '--ext-str':
        this.variable(this.extVars, false)
        return
      case '--ext-code':
        this.variable(this.extVars, true)
        return
      case '--ext-str-file':
        this.fileVariable(this.extVars, 'importstr')
        return
      case '--ext-code-file':
        this.fileVariable(this.extVars, 'import')
        return
      case '-A':
      case '--tla-str':
        this.variable(this.tlas, false)
        return
      case '--tla-code':
        this.variable(this.tlas, true)
        return
      case '--tla-str-file':
        this.fileVariable(this.tlas, 'importstr')
        return
      case '--tla-code-file':
        this.fileVariable(this.tlas, 'import')
        return
      case '--':
        this.inputs.push(...this.argv.slice(this.at + 1))
        this.at = this.argv.length
        return
      default:
        if (argument.length > 1 && argument.startsWith('-')) {
          return failure(`unrecognized argument: ${argument}`)
        }
        this.inputs.push(argument)
        return
    }
  }

  private result(): JsonnetCommandLine | EarlyExit {
    const stream = this.switches.has('stream')
    const newline = !this.switches.has('no-newline')
    if (stream && !newline) {
      return failure('cannot use --no-trailing-newline with --yaml-stream')
    }
    const exec = this.switches.has('exec')
    const what = exec ? 'code' : 'filename'
    const [input, ...more] = this.inputs
    if (input === undefined) {
      return { code: 1, stderr: `ERROR: must give ${what}\n\n${jsonnetHelp}` }
    }
    if (more.length > 0) return failure(`only one ${what} is allowed`)
    const number = (name: string): number | undefined =>
      this.values.has(name) ? Number(this.values.get(name)) : undefined
    return {
      input,
      exec,
      libraries: this.libraries,
      extVars: this.extVars,
      tlas: this.tlas,
      output: this.values.get('o'),
      multi: this.values.get('m'),
      createDirs: this.switches.has('create'),
      stream,
      string: this.switches.has('string'),
      newline,
      maxStack: number('max-stack'),
      maxTrace: number('max-trace'),
    }
  }
}

/** Of several values for one name the last one counts. */
function set(into: JsonnetVariable[], variable: JsonnetVariable): void {
  const at = into.findIndex((other) => other.name === variable.name)
  if (at === -1) into.push(variable)
  else into[at] = variable
}
