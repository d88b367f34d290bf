// Runs the core, bundled for a browser, in a real one: headless Chromium must do what scripts/checks/bare.mjs does.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleBareCore } from './bundle.mjs'

const programs = ['chromium', 'chromium-browser', 'google-chrome']
const program = programs.find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
)
if (program === undefined) {
  process.stdout.write(`no browser here (looked for ${programs.join(', ')})\n`)
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'litecd-browser-'))
try {
  const code = await bundleBareCore()
  const page = join(folder, 'page.html')
  const show = `bare.run().then(
    (results) => { document.title = 'done'; document.body.textContent = JSON.stringify(results) },
    (error) => { document.body.textContent = JSON.stringify({ run: String(error) }) },
  )`
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><body></body><script>${code.replaceAll('</script', '<\\/script')}</script><script>${show}</script>`,
  )
  const { stdout, stderr, status } = spawnSync(
    program,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${join(folder, 'profile')}`,
      '--virtual-time-budget=10000',
      '--dump-dom',
      `file://${page}`,
    ],
    { encoding: 'utf8', timeout: 60_000 },
  )
  const body =
    /<body>(.*?)<script>/s.exec(stdout ?? '')?.[1] ??
    /<body>(.*?)<\/body>/s.exec(stdout ?? '')?.[1] ??
    ''
  if (status !== 0 || body === '') {
    process.stdout.write(
      `the browser gave nothing (exit ${status}): ${(stderr ?? '').slice(-500)}\n`,
    )
    process.exit(1)
  }
  const results = JSON.parse(
    body
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  )
  for (const [what, ok] of Object.entries(results)) {
    if (ok !== true) {
      process.stdout.write(`in a browser, core cannot ${what}: ${ok}\n`)
      process.exitCode = 1
    }
  }
  process.stdout.write(`${Object.keys(results).length} things done in ${program}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
