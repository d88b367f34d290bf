// Packs every package, installs the archives into an empty project, and uses them as a stranger would: the snippet of
// each README, from JavaScript and through the type checker.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { environment, node, root } from '../setup.mjs'

const names = ['core', 'k8s-adapter', 'controller', 'cli']
const folder = mkdtempSync(join(tmpdir(), 'litecd-packed-'))
const env = environment()
let failed = false
const fail = (text) => {
  failed = true
  process.stdout.write(`${text}\n`)
}

try {
  for (const name of names) {
    const pkgDir = join(root, 'packages', name)
    const { messages } = await publint({ pkgDir, strict: true })
    const pkg = JSON.parse(readFileSync(join(pkgDir, 'package.json'), 'utf8'))
    for (const message of messages) {
      // the condition under which this workspace runs its sources; they are not packed
      if (message.path?.includes('litecd-source')) continue
      fail(`${pkg.name}: ${formatMessage(message, pkg)}`)
    }
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: pkgDir,
      env,
      stdio: 'ignore',
    })
  }
  const archives = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'stranger', private: true, type: 'module' }),
  )
  execFileSync(
    'npm',
    [
      'install',
      '--silent',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      // whoever writes for Node has its types; the core must do without
      `@types/node@${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies['@types/node']}`,
      ...archives.map((file) => `./${file}`),
    ],
    { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  for (const name of names) {
    const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8')
    const snippets = [...readme.matchAll(/```(ts|sh)\n(.*?)```/gs)]
    if (snippets.length === 0) fail(`${name}/README.md has no snippet`)
    snippets.forEach(([, language, code], index) => {
      const label = `${name}/README.md snippet ${index + 1}`
      if (language === 'ts') typescript(`${name}-${index}.ts`, code, label)
      else shell(code, label)
    })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

function typescript(file, code, label) {
  writeFileSync(join(folder, file), code)
  const flags = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom',
    '--types',
    code.includes("'node:") ? 'node' : '',
  ]
  const types = spawnSync('tsc', [...flags, file], { cwd: folder, env, encoding: 'utf8' })
  if (types.status !== 0) fail(`${label} does not type-check:\n${types.stdout}`)
  const ran = spawnSync(node, [file], { cwd: folder, env, encoding: 'utf8' })
  if (ran.status !== 0) fail(`${label} does not run:\n${ran.stderr}`)
  expectOutput(code, ran.stdout, label)
}

/** Every `npx litecd …` line must end with the exit code that its comment names, 0 unless told. */
function shell(code, label) {
  for (const line of code.split('\n')) {
    const match = /^npx (litecd .*?)(?:\s+# exits with (\d))?$/.exec(line)
    if (match === null) continue
    const ran = spawnSync('npx', ['--no-install', ...match[1].split(' ')], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    if (ran.status !== Number(match[2] ?? 0)) {
      fail(`${label}: \`${line}\` exits with ${ran.status}:\n${ran.stdout}${ran.stderr}`)
    }
  }
}

/** A trailing `// → text` comment of a snippet is what it must print. */
function expectOutput(code, output, label) {
  const wanted = [...code.matchAll(/^\/\/ → (.*)$/gm)].map(([, text]) => text)
  for (const text of wanted) {
    if (!output.includes(text))
      fail(`${label} should print ${JSON.stringify(text)}, but printed:\n${output}`)
  }
}
