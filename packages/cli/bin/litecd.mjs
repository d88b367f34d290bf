#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Compiled code is kept beside fetched repositories, so that the next run starts faster. Node 20 cannot, and
// NODE_DISABLE_COMPILE_CACHE=1 forbids it.
const { LITECD_CACHE, XDG_CACHE_HOME } = process.env
const cache = LITECD_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'litecd')
module.enableCompileCache?.(join(cache, 'code'))

const built = new URL('../dist/main.js', import.meta.url)
if (!existsSync(built)) {
  process.stderr.write('litecd is not built yet: run `npm run build` in the checkout first\n')
  process.exit(2)
}
const { main } = await import(built.href)
process.exitCode = await main(process.argv.slice(2))
