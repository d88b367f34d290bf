import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kustomizeCommand } from './kustomize.ts'

// What is expected was printed by kustomize v5.8.1.

const files = {
  'app/kustomization.yaml': 'bases: [../base]\nnamePrefix: a-\n',
  'base/kustomization.yaml': 'resources: [all.yaml]\n',
  'base/all.yaml':
    '{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: One}}\n---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: two}}\n---\n{apiVersion: v1, kind: Node, metadata: {name: n1}}\n',
  'far/kustomization.yaml': 'resources: [../base/all.yaml]\n',
  'plugin/kustomization.yaml': 'transformers: [t.yaml]\n',
  'plugin/t.yaml': 'apiVersion: example.com/v1\nkind: Runs\nmetadata: {name: z}\n',
}

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'litecd-kustomize-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
})
afterEach(() => rmSync(cwd, { recursive: true }))

async function run(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = ''
  let stderr = ''
  const code = await kustomizeCommand(argv, {
    cwd,
    env: {},
    stdoutIsTerminal: false,
    stdout: (text) => {
      stdout += text
    },
    stderr: (text) => {
      stderr += text
    },
  })
  return { code, stdout, stderr: stderr.replaceAll(cwd, '/r') }
}

const conf = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a-c\n  namespace: One\n'

describe('litecd kustomize build', () => {
  it('prints objects, and warnings beside them', async () => {
    const { code, stdout, stderr } = await run('build', 'app')
    expect(code).toBe(0)
    expect(stdout.startsWith(`${conf}---\napiVersion: apps/v1\n`)).toBe(true)
    expect(stderr).toBe(
      "# Warning: 'bases' is deprecated. Please use 'resources' instead. Run 'kustomize edit fix' to update your Kustomization automatically.\n",
    )
  })

  it('writes one file, or a file for each object', async () => {
    expect((await run('build', 'app', '-o', 'out.yaml')).stdout).toBe('')
    expect(readFileSync(join(cwd, 'out.yaml'), 'utf8').startsWith(conf)).toBe(true)
    mkdirSync(join(cwd, 'out'))
    await run('build', 'app', '--output=out')
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual([
      'one_v1_configmap_a-c.yaml',
      'two_apps_v1_deployment_a-d.yaml',
      'v1_node_a-n1.yaml',
    ])
    expect(readFileSync(join(cwd, 'out/one_v1_configmap_a-c.yaml'), 'utf8')).toBe(conf)
  })

  it('reads files outside of the folder only when it may', async () => {
    const refused = await run('build', 'far')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(
      "security; file '/r/base/all.yaml' is not in or below '/r/far'",
    )
    const allowed = await run('build', 'far', '--load-restrictor', 'LoadRestrictionsNone')
    expect(allowed.code).toBe(0)
  })

  it.each([
    [['build', 'a', 'b'], 'Error: specify one path to kustomization.yaml\n'],
    [['build', '--mystery'], 'Error: unknown flag: --mystery\n'],
    [
      ['build', 'none'],
      "Error: must build at directory: not a valid directory: evalsymlink failure on '/r/none' : lstat /r/none: no such file or directory\n",
    ],
  ])('fails for %j', async (argv, stderr) => {
    expect(await run(...argv)).toEqual({ code: 1, stdout: '', stderr })
  })

  it('names the plugin that it does not run', async () => {
    const { code, stderr } = await run('build', 'plugin', '--enable-alpha-plugins')
    expect(code).toBe(1)
    expect(stderr).toContain("unable to load external plugin 'Runs'")
  })
})
