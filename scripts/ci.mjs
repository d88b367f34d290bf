// What .ci/run does once the machine is ready. Every suite runs even when one before it failed; the totals come last.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './setup.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'litecd-ci-'))
const totals = { passed: 0, failed: 0, skipped: 0 }

/** Runs a command and shows what it prints; true when it ends well. */
function run(command, args, env = process.env) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  })
  return status === 0
}

function heading(text) {
  process.stdout.write(`\n### ${text}\n`)
}

/** A suite that counts as one test. */
function single(name, command, args, env) {
  heading(name)
  const ok = run(command, args, env)
  totals[ok ? 'passed' : 'failed']++
  if (!ok) process.stdout.write(`${name}: failed\n`)
}

/** A vitest run, counted test by test. */
function tests(name, command, args, env) {
  heading(name)
  const file = join(scratch, `${totals.passed}-${totals.failed}.json`)
  const ok = run(
    command,
    [...args, '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`],
    env,
  )
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    totals.passed += report.numPassedTests
    totals.failed += report.numFailedTests
    totals.skipped += report.numPendingTests + report.numTodoTests
    if (!ok && report.numFailedTests === 0) totals.failed++
    for (const suite of report.testResults) {
      for (const test of suite.assertionResults) {
        if (test.status === 'failed')
          process.stdout.write(`FAILED ${suite.name}: ${test.fullName}\n`)
      }
    }
  } catch (error) {
    totals.failed++
    process.stdout.write(`${name}: no report (${error.message})\n`)
  }
}

const started = Date.now()
// The programs first: the tests that need them run with the others, and fail without them.
single('the real programs', 'npm', ['run', '--silent', 'testbin'])
const strict = { ...process.env, LITECD_REQUIRE_BINARIES: '1', NO_COLOR: '1' }
tests('npm test', 'npm', ['test', '--silent', '--'], strict)
single('npm start', 'npm', ['start', '--silent'])
single('npm run check', 'npm', ['run', '--silent', 'check'])
single('the facts of kustomize', 'bash', ['scripts/kustomize-facts/generate.sh', '--check'])
single('the core in a browser', process.execPath, ['scripts/checks/browser.mjs'])
single('npx litecd in the checkout', 'npx', ['--no-install', 'litecd', '--version'])
single('charts against helm', 'npm', [
  'run',
  '--silent',
  'differential:helm',
  '--',
  'corpus/helm/cases',
])
single('kustomizations made by chance against kustomize', 'node_modules/.bin/node', [
  '--conditions=litecd-source',
  'packages/core/test/differential/kustomize-fuzz.ts',
  '--count',
  '150',
])
single('parity with Argo CD', 'npm', ['run', '--silent', 'parity', '--', '--jobs', '6'], strict)
if (process.env.LITECD_CI_BENCH !== '0') {
  single('bench: 1,000 Applications', 'npm', [
    'run',
    '--silent',
    'bench',
    '--',
    'thousand-applications',
  ])
}
rmSync(scratch, { recursive: true, force: true })
process.stdout.write(`\n${((Date.now() - started) / 60_000).toFixed(1)} minutes\n`)
process.stdout.write(
  `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`,
)
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1)
