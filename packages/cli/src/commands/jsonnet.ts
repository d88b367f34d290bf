import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isMainThread, Worker } from 'node:worker_threads'
import { isLitecdError } from '@litecd/core/errors'
import {
  evaluateJsonnet,
  type ImportedFile,
  type Importer,
  type JsonnetOptions,
  type JsonnetResult,
  notFound,
} from '@litecd/core/lang/jsonnet'
import type { Io } from '../io.ts'
import { type JsonnetCommandLine, parseJsonnetFlags } from './jsonnet-flags.ts'
import { goReason, OutputFailure, writeFiles, writeOutput } from './jsonnet-output.ts'

/** Frames that fit into the stack of an ordinary thread, whatever the program. */
const ordinaryStack = 700
const workerStackMiB = 512

/**
 * `litecd jsonnet`: evaluates a program and prints what the jsonnet program prints, with its exit code.
 *
 * Returns 0, or 1 after any error; errors go to standard error with go-jsonnet's first line.
 */
export function jsonnetCommand(argv: string[], io: Io): number | Promise<number> {
  const line = parseJsonnetFlags(argv, io.env)
  if ('code' in line) {
    if (line.stdout !== undefined) io.stdout(line.stdout)
    if (line.stderr !== undefined) io.stderr(line.stderr)
    return line.code
  }
  const deep = (line.maxStack ?? 0) > ordinaryStack
  return deep && isMainThread ? inWorker(argv, io) : evaluate(line, io)
}

/** The same command in a thread with a stack that holds what --max-stack allows. */
function inWorker(argv: readonly string[], io: Io): Promise<number> {
  // plain imports: the text may be taken for a module or for a script; in a bundle this module is a part of main
  const code = `
    import('node:worker_threads').then(async ({ parentPort, workerData }) => {
      const io = {
        ...workerData.io,
        stdout: (text) => parentPort.postMessage(['stdout', text]),
        stderr: (text) => parentPort.postMessage(['stderr', text]),
      }
      const { jsonnetCommand, main } = await import(workerData.url)
      const { argv } = workerData
      const code = await (jsonnetCommand?.(argv, io) ?? main(['jsonnet', ...argv], io))
      parentPort.postMessage(['code', code])
    })`
  const { cwd, env, stdoutIsTerminal } = io
  const worker = new Worker(code, {
    eval: true,
    resourceLimits: { stackSizeMb: workerStackMiB, maxOldGenerationSizeMb: 16_384 },
    workerData: { argv, url: import.meta.url, io: { cwd, env: { ...env }, stdoutIsTerminal } },
  })
  return new Promise((settle, reject) => {
    worker.on('error', reject)
    worker.on('message', ([what, value]: ['stdout' | 'stderr', string] | ['code', number]) => {
      if (what === 'code') settle(value)
      else io[what](value)
    })
  })
}

function evaluate(line: JsonnetCommandLine, io: Io): number {
  try {
    write(evaluateJsonnet(optionsOf(line, io)), line, io)
    return 0
  } catch (error) {
    if (error instanceof OutputFailure) {
      io.stderr(error.message + '\n')
      return 1
    }
    if (!isLitecdError(error)) throw error
    io.stderr(error.message + '\n')
    if (error.hint !== undefined) io.stderr(`Hint: ${error.hint}\n`)
    return 1
  }
}

function optionsOf(line: JsonnetCommandLine, io: Io): JsonnetOptions {
  return {
    entry: entryOf(line, io),
    importer: diskImporter(io.cwd, line.libraries),
    extVars: line.extVars,
    tlas: line.tlas,
    maxTrace: line.maxTrace,
    // The program is the user's own: only its stack is bounded, as by jsonnet itself.
    limits: {
      steps: Number.MAX_SAFE_INTEGER,
      layers: Number.MAX_SAFE_INTEGER,
      arrayLength: 2 ** 30,
      stringLength: 2 ** 29 - 32,
      output: 2 ** 29 - 32,
      ...(line.maxStack === undefined ? {} : { maxStack: line.maxStack }),
    },
    trace: (text) => io.stderr(text + '\n'),
  }
}

function entryOf(line: JsonnetCommandLine, io: Io): JsonnetOptions['entry'] {
  if (line.exec) return { name: '<cmdline>', text: line.input }
  if (line.input === '-') return { name: '<stdin>', text: readFileSync(0, 'utf8') }
  try {
    const stat = statSync(resolve(io.cwd, line.input))
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    const reading = (error as NodeJS.ErrnoException).code === 'EISDIR'
    throw new OutputFailure(
      `${reading ? 'Reading' : 'Opening'} input file: ${line.input}: ${goReason(error)}`,
    )
  }
  return { path: line.input }
}

/** Files as jsonnet finds them: beside the importing file, then in the libraries from the last to the first. */
export function diskImporter(cwd: string, libraries: readonly string[]): Importer {
  const known = new Map<string, ImportedFile | string | undefined>()
  const look = (path: string): ImportedFile | string | undefined => {
    const target = resolve(cwd, path)
    if (!existsSync(target)) return undefined
    try {
      return { path, bytes: readFileSync(target) }
    } catch (error) {
      const reason = goReason(error)
      return `${reason === 'is a directory' ? 'read' : 'open'} ${path}: ${reason}`
    }
  }
  return (from, path) => {
    const beside = from.slice(0, from.lastIndexOf('/') + 1)
    for (const folder of [beside, ...[...libraries].reverse()]) {
      const candidate = path.startsWith('/') ? path : join(folder, path).replace(/(.)\/$/, '$1')
      if (!known.has(candidate)) known.set(candidate, look(candidate))
      const found = known.get(candidate)
      if (found !== undefined) return found
    }
    return notFound(path)
  }
}

function write(result: JsonnetResult, line: JsonnetCommandLine, io: Io): void {
  const end = line.newline ? '\n' : ''
  if (line.multi !== undefined) {
    const files = new Map<string, string>()
    for (const [name, text] of result.files(line.string)) files.set(name, text + end)
    const listed: string[] = []
    const list = (path: string): void => {
      if (line.output === undefined) io.stdout(path)
      else listed.push(path)
    }
    writeFiles(io.cwd, line.multi, files, line.createDirs, list)
    if (line.output !== undefined) writeOutput(io.cwd, line.output, listed.join(''), false)
    return
  }
  let text: string
  if (line.stream) {
    const documents = result.documents().map((document) => `---\n${document}\n`)
    text = documents.join('') + (documents.length > 0 ? '...\n' : '')
  } else {
    text = (line.string ? result.string() : result.text()) + end
  }
  if (line.output === undefined) io.stdout(text)
  else writeOutput(io.cwd, line.output, text, line.createDirs && !line.stream)
}
