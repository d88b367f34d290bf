#!/usr/bin/env node
// Starts dist/litecd.cjs with what V8 compiled of it in earlier runs, and with V8 set up for a short one.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import v8 from 'node:v8'
import vm from 'node:vm'
import zlib from 'node:zlib'

const argv = process.argv.slice(2)
const hasty = [
  '--invocation-count-for-maglev=4000',
  '--invocation-count-for-turbofan=100000',
  '--no-incremental-marking',
]
// One chart leaves ever more behind, which is copied twice each time that the space for new objects grows: a tenth of the
// CPU of a large one. Where things come and go, more space only costs memory.
if (argv[0] === 'helm') hasty.push('--semi-space-growth-factor=4')
const usual = [
  '--invocation-count-for-maglev=400',
  '--invocation-count-for-turbofan=10000', // node --v8-options names what holds without Maglev
  '--incremental-marking',
  '--semi-space-growth-factor=2',
]

const file = fileURLToPath(new URL('../dist/litecd.cjs', import.meta.url))
let text
try {
  text = fs.readFileSync(file, 'latin1') // it is ASCII
} catch (error) {
  if (error.code !== 'ENOENT') throw error
  process.stderr.write('litecd is not built yet: run `npm run build` in the checkout first\n')
  process.exit(2)
}

/** Before kept code: its checksum, which V8 does not check, and the CPU time of the run that made it. */
const headSize = 16 // a multiple of 8, otherwise V8 copies the code
const cache = cacheFile()
const kept = cache === undefined ? undefined : readCode(cache)
const script = new vm.Script(`(function(require,module,exports,litecdUrl){${text}\n})`, {
  filename: file,
  cachedData: kept?.code,
})
const litecd = { exports: {} }
script.runInThisContext()(createRequire(file), litecd, litecd.exports, pathToFileURL(file).href)
process.exitCode = await litecd.exports.main(argv, undefined, hurry)
if (cache !== undefined) keepCode(cache)

/**
 * Sets V8 up for a short run. Most commands end before optimized code has paid for its making, which other threads do on
 * the user's account: of half a second for a large chart that was three tenths. What a long run calls very often is
 * still optimized.
 *
 * For when all modules are loaded: the compiled code of Node's own modules is for the usual settings, and 30 of them are
 * read for http alone.
 */
function hurry() {
  if (argv[0] !== 'controller') setUp(hasty)
}

/** V8 looks these up whenever it decides. Other versions than that of Node 24 have other names and usual values. */
function setUp(settings) {
  if (!process.versions.v8.startsWith('13.6.')) return
  for (const setting of settings) v8.setFlagsFromString(setting)
}

/**
 * Where the compiled code of this command is kept: beside fetched repositories, a file for each command and build.
 * Undefined where it cannot be, or NODE_DISABLE_COMPILE_CACHE=1 forbids it.
 */
function cacheFile() {
  const { LITECD_CACHE, XDG_CACHE_HOME, NODE_DISABLE_COMPILE_CACHE } = process.env
  if (NODE_DISABLE_COMPILE_CACHE || zlib.crc32 === undefined) return undefined
  const folder = LITECD_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'litecd')
  const command = /^[a-z]{1,20}$/.test(argv[0] ?? '') ? argv[0] : 'litecd'
  const name = text.slice(text.lastIndexOf('//') + 2).trim() // scripts/bundle-cli.mjs ends with it
  return join(folder, 'code', `${process.version}-${process.arch}-${name}`, command)
}

/** What an earlier run kept, unless it is damaged; whoever else could write it could run code here. */
function readCode(path) {
  let file
  try {
    file = fs.openSync(path)
    const { uid, mode } = fs.fstatSync(file)
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) {
      return undefined
    }
    const bytes = fs.readFileSync(file)
    const code = bytes.subarray(headSize)
    if (code.length === 0 || bytes.readUInt32LE() !== zlib.crc32(code)) return undefined
    return { code, cpu: bytes.readDoubleLE(8) }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) fs.closeSync(file)
  }
}

/** Keeps what this run had to compile, when there was nothing to use or the run went further: more was called then. */
function keepCode(path) {
  const { user, system } = process.cpuUsage()
  const cpu = user + system
  if (kept !== undefined && script.cachedDataRejected !== true && cpu < kept.cpu * 1.5) return
  setUp(usual) // those under which the next run will read it
  const code = script.createCachedData()
  const head = Buffer.alloc(headSize)
  head.writeUInt32LE(zlib.crc32(code))
  head.writeDoubleLE(cpu, 8)
  const own = `${path}.${process.pid}`
  const folder = dirname(path)
  try {
    if (fs.mkdirSync(folder, { recursive: true, mode: 0o700 })) dropOldBuilds(dirname(folder))
    fs.writeFileSync(own, Buffer.concat([head, code]), { mode: 0o600, flag: 'wx' })
    fs.renameSync(own, path)
  } catch {
    fs.rm(own, { force: true }, () => {}) // nothing can be kept there, which costs time and no more
  }
}

/** Forgets builds for which nothing was kept in the last month. */
function dropOldBuilds(folder) {
  const oldest = Date.now() - 30 * 24 * 3600 * 1000
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name)
    if (fs.statSync(path).mtimeMs < oldest) fs.rmSync(path, { recursive: true, force: true })
  }
}
