import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { main } from '../main.ts'

const folder = mkdtempSync(join(tmpdir(), 'litecd-health-'))
afterAll(() => rmSync(folder, { recursive: true }))
const files: { readonly [path: string]: string } = {
  'objects.yaml': `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: db}
status: {phase: Lost}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: db}}
- {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: db}, status: {phase: Pending, message: "wait\\e"}}
---
# nothing
---
{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {size: 3}}
`,
  'typed.json':
    '{"apiVersion":"v1","kind":"ServiceList","items":[{"metadata":{"name":"s"}}]}\n{"apiVersion":"v1","kind":"Service","metadata":{"name":"t"},"spec":{"type":"LoadBalancer"}}\n',
  'bad.yaml': `apiVersion: v1
kind: Service
metadata: {name: a}
---
kind: [
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Service, metadata: {name: b}}
- {kind: Service}
`,
  'bad.json': '{"apiVersion": "v1",\n "kind": }',
  'cm.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm}
data:
  resource.customizations.health.example.com_Widget: return {status = 'Suspended', message = 'split'}
  resource.customizations: |
    ConfigMap:
      health.lua: return {status = 'Healthy', message = string.upper('whole')}
      health.lua.useOpenLibs: true
`,
  'cm-bad.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm}
data: {resource.customizations.colour.x_Y: red}
`,
  'lua/example.com/Widget/health.lua': `return {status = 'Healthy', message = 'size ' .. obj.spec.size}`,
  'lua/example.com/Widget/health_test.yaml':
    'tests: [{inputPath: t.yaml, healthStatus: {status: Healthy, message: size 3}}]',
  'lua/example.com/Widget/t.yaml': 'apiVersion: example.com/v1\nkind: Widget\nspec: {size: 3}\n',
  'lua2/example.com/Widget/health.lua': `return {status = 'Degraded'}`,
  'lua2/example.com/Widget/health_test.yaml':
    'tests: [{inputPath: t.yaml, healthStatus: {status: Healthy}}]',
  'lua2/example.com/Widget/t.yaml': 'apiVersion: example.com/v1\nkind: Widget\n',
  'empty/readme.txt': '',
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

async function health(...argv: readonly string[]): Promise<readonly [number, string, string]> {
  let out = ''
  let err = ''
  const code = await main(['health', ...argv], {
    cwd: folder,
    env: {},
    stdoutIsTerminal: false,
    stdout: (text) => {
      out += text
    },
    stderr: (text) => {
      err += text
    },
  })
  return [code, out, err]
}

const claim =
  '{"group":"","kind":"PersistentVolumeClaim","namespace":"db","name":"data","status":"Degraded","message":""}\n'
const map = '{"group":"","kind":"ConfigMap","namespace":"db","name":"c"}\n'
const pod =
  '{"group":"","kind":"Pod","namespace":"db","name":"p","status":"Progressing","message":"wait\\u001b"}\n'
const widget = '{"group":"example.com","kind":"Widget","namespace":"","name":"w"'

describe('litecd health', () => {
  it('prints one JSON object a line, in the order of the input', async () => {
    expect(await health('-f', 'objects.yaml', '-o', 'json')).toEqual([
      0,
      `${claim}${map}${pod}${widget}}\n`,
      '',
    ])
  })

  it('prints a table that a terminal can take', async () => {
    expect(await health('-f', 'objects.yaml')).toEqual([
      0,
      `Degraded     PersistentVolumeClaim  db/data
-            ConfigMap              db/c
Progressing  Pod                    db/p     wait\\u001b
-            Widget.example.com     w
`,
      '',
    ])
  })

  it('takes more objects and deeper ones than fit on a stack', async () => {
    const one = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}\n'
    writeFileSync(join(folder, 'many.json'), one.repeat(150_000))
    const [code, out] = await health('-f', 'many.json')
    expect([code, out.length]).toEqual([0, '-  ConfigMap  a\n'.length * 150_000])
    writeFileSync(join(folder, 'deep.json'), '{"kind":'.repeat(100_000))
    const [bad, , err] = await health('-f', 'deep.json')
    expect([bad, err]).toEqual([3, expect.stringContaining('JSON_INVALID: exceeded max depth')])
  })

  it('reads JSON documents and typed lists', async () => {
    const [code, out] = await health('-f', 'typed.json')
    expect([code, out]).toEqual([0, 'Healthy      Service  s\nProgressing  Service  t\n'])
  })

  it('takes checks from a folder', async () => {
    const [, out] = await health('-f', 'objects.yaml', '-o', 'json', '--health-library', 'lua')
    expect(out).toContain(`${widget},"status":"Healthy","message":"size 3"}`)
  })

  it('takes checks from argocd-cm in both styles, before those of the folder', async () => {
    const flags = ['--settings', 'cm.yaml', '--health-library', 'lua']
    const [, out] = await health('-f', 'objects.yaml', '-o', 'json', ...flags)
    expect(out).toContain(`${widget},"status":"Suspended","message":"split"}`)
    expect(out).toContain('"name":"c","status":"Healthy","message":"WHOLE"}')
  })

  it('judges unknown kinds by kstatus when told', async () => {
    const [, out] = await health('-f', 'objects.yaml', '-o', 'json', '--health-unknown=kstatus')
    expect(out).toContain(`${widget},"status":"Healthy","message":"Resource is current"}`)
  })

  it('tells by the exit code when told', async () => {
    expect((await health('-f', 'objects.yaml', '--exit-code'))[0]).toBe(1)
    expect((await health('-f', 'cm.yaml', '--exit-code'))[0]).toBe(0)
  })

  it('names the places of what cannot be read, and goes on', async () => {
    const [code, out, err] = await health('-f', 'bad.yaml')
    expect([code, out]).toEqual([3, 'Healthy  Service  a\nHealthy  Service  b\n'])
    expect(err).toMatch(/^bad\.yaml:6:1: YAML_INVALID: yaml: line 1: did not find/m)
    expect(err).toMatch(/^bad\.yaml:11:3: MANIFEST_INVALID: apiVersion is missing$/m)
    const json = await health('-f', 'bad.json')
    expect([json[0], json[2].split('\n')[0]]).toEqual([
      3,
      "bad.json:2:10: JSON_INVALID: invalid character '}' looking for beginning of value",
    ])
  })

  it.each<[string, readonly string[], string]>([
    ['no file', [], 'litecd health: -f FILE is missing'],
    ['a file that is not there', ['-f', 'x.yaml'], '-f x.yaml: ENOENT'],
    ['a folder of nothing', ['-f', 'cm.yaml', '--health-library', 'empty'], 'no script in it'],
    ['no folder', ['-f', 'cm.yaml', '--health-library', 'cm.yaml'], 'it is no folder'],
    ['settings that are none', ['-f', 'cm.yaml', '--settings', 'typed.json'], 'no ConfigMap'],
    [
      'settings nobody knows',
      ['-f', 'cm.yaml', '--settings', 'cm-bad.yaml'],
      'type colour not supported',
    ],
    ['a word', ['-f', 'cm.yaml', 'word'], 'unexpected argument "word"'],
    ['tests of nothing', ['test', 'empty'], 'there is no test in it'],
  ])('refuses %s', async (name, argv, message) => {
    const [code, out, err] = await health(...argv)
    expect([code, out]).toEqual([name === 'settings nobody knows' ? 3 : 2, ''])
    expect(err).toContain(message)
  })

  it('tests Lua checks', async () => {
    expect(await health('test', 'lua')).toEqual([0, '1 passed, 0 failed\n', ''])
    expect((await health('test', 'lua2')).slice(0, 2)).toEqual([
      1,
      'FAIL example.com/Widget t.yaml\n  expected Healthy, got Degraded\n0 passed, 1 failed\n',
    ])
  })

  it('has help', async () => {
    const [code, out] = await health('--help')
    expect(code).toBe(0)
    expect(out).toContain('--health-library DIR')
  })
})
