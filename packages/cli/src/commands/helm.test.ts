import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { helmCommand } from './helm.ts'

// What is expected was printed by helm v4.2.1.

const files = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'image: nginx\nreplicas: 1\n',
  'web/crds/c.yaml': 'kind: CustomResourceDefinition\nmetadata: {name: c}\n',
  'web/templates/b.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Release.Name }}\n  namespace: {{ .Release.Namespace }}\nspec:\n  image: {{ .Values.image }}\n  replicas: {{ .Values.replicas }}\n',
  'web/templates/a.yaml':
    'kind: Service\nmetadata:\n  name: s\n---\nkind: ConfigMap\nmetadata:\n  name: {{ .Capabilities.KubeVersion }}\n',
  'web/templates/t.yaml': 'kind: Pod\nmetadata:\n  name: t\n  annotations: {helm.sh/hook: test}\n',
  'bad/Chart.yaml': 'apiVersion: v2\nname: bad\nversion: 1.0.0\n',
  'bad/templates/x.yaml': 'a: {{ .Values.a.b }}\n',
  'broken/Chart.yaml': 'apiVersion: v2\nname: broken\nversion: 1.0.0\n',
  'broken/templates/x.yaml': 'a: [\n',
  'broken/templates/y.yaml': 'b: 1\n',
  'prod.yaml': 'replicas: 3\n',
  'tag.txt': 'latest',
  'other,name.yaml': 'replicas: 4\n',
  'kube/config':
    'current-context: two\ncontexts:\n- {name: one, context: {namespace: n1}}\n- {name: two, context: {namespace: n2}}\n',
}

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'litecd-helm-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
})
afterEach(() => rmSync(cwd, { recursive: true }))

async function run(
  argv: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = ''
  let stderr = ''
  const code = await helmCommand(argv, {
    cwd,
    env: { HOME: cwd, ...env },
    stdoutIsTerminal: false,
    stdout: (text) => {
      stdout += text
    },
    stderr: (text) => {
      stderr += text
    },
  })
  return { code, stdout, stderr }
}

const service = '---\n# Source: web/templates/a.yaml\nkind: Service\nmetadata:\n  name: s\n'
const crd =
  '---\n# Source: web/crds/c.yaml\nkind: CustomResourceDefinition\nmetadata: {name: c}\n\n'
const config = (version: string): string =>
  `---\n# Source: web/templates/a.yaml\nkind: ConfigMap\nmetadata:\n  name: ${version}\n\n`
const deployment = (name: string, namespace: string, image: string, replicas: number): string =>
  `---\n# Source: web/templates/b.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\nspec:\n  image: ${image}\n  replicas: ${replicas}\n`
const hook =
  '---\n# Source: web/templates/t.yaml\nkind: Pod\nmetadata:\n  name: t\n  annotations: {helm.sh/hook: test}\n\n'

describe('litecd helm template', () => {
  it.each<readonly [string, readonly string[], string]>([
    [
      'names the release itself and takes defaults',
      ['web'],
      config('v1.36.0') + service + deployment('release-name', 'default', 'nginx', 1) + hook,
    ],
    [
      'takes flags in every spelling',
      ['-nx', 'r', '--values=prod.yaml', 'web', '--set', 'image=a', '--no-hooks=true'],
      config('v1.36.0') + service + deployment('r', 'x', 'a', 3),
    ],
    [
      'reads lists with quoted commas',
      ['r', 'web', '-f', '"other,name.yaml",prod.yaml', '--skip-tests', '--kube-version=1.30'],
      config('v1.30') + service + deployment('r', 'default', 'nginx', 3),
    ],
    [
      'prints CRDs first',
      ['r', 'web', '--include-crds', '--no-hooks'],
      crd + config('v1.36.0') + service + deployment('r', 'default', 'nginx', 1),
    ],
    ['shows only what is asked for', ['r', 'web', '-s', 'templates/t*'], `${hook}\n`],
    [
      'reads a file into a value',
      ['r', 'web', '-s', 'templates/b.yaml', '--set-file', 'image=tag.txt'],
      deployment('r', 'default', 'latest', 1),
    ],
    [
      'gives the namespace of a context',
      ['r', 'web', '-s', 'templates/b.yaml', '--kubeconfig', 'kube/config'],
      deployment('r', 'n2', 'nginx', 1),
    ],
    [
      'takes a template of the name',
      ['web', '--name-template', '{{ "R" | lower }}-1', '-s', 'templates/b.yaml'],
      deployment('r-1', 'default', 'nginx', 1),
    ],
  ])('%s', async (_, argv, stdout) => {
    expect(await run(['template', ...argv])).toEqual({ code: 0, stdout, stderr: '' })
  })

  it('knows HELM_NAMESPACE', async () => {
    const { stdout } = await run(['template', 'r', 'web', '-s', 'templates/b.yaml'], {
      HELM_NAMESPACE: 'env',
    })
    expect(stdout).toBe(deployment('r', 'env', 'nginx', 1))
  })

  it.each<readonly [readonly string[], string]>([
    [[], '"helm template" requires at least 1 argument'],
    [['a', 'b', 'c'], 'expected at most two arguments, unexpected arguments: c'],
    [['--foo', 'web'], 'unknown flag: --foo'],
    [['-x', 'web'], "unknown shorthand flag: 'x' in -x"],
    [['web', '--set'], 'flag needs an argument: --set'],
    [['web', '-n'], "flag needs an argument: 'n' in -n"],
    [['--=x'], 'bad flag syntax: --=x'],
    [
      ['web', '--debug=x'],
      'invalid argument "x" for "--debug" flag: strconv.ParseBool: parsing "x": invalid syntax',
    ],
    [
      ['web', '-l', 'a'],
      'invalid argument "a" for "-l, --labels" flag: a must be formatted as key=value',
    ],
    [['./none'], 'path "./none" not found'],
    [['none'], 'non-absolute URLs should be in form of repo_name/path_to_chart, got: none'],
    [['web', '-f', 'none.yaml'], 'open none.yaml: no such file or directory'],
    [['web', '-f', 'web'], 'read web: is a directory'],
    [
      ['web', '--set', 'a[0]bc=1'],
      "failed parsing --set data: unexpected data at end of array index: ['b' 'c']",
    ],
    [['web', '--set-json', 'a=1e400'], 'failed parsing --set-json data a=1e400'],
    [['web', '-s', 'none'], 'could not find template none in chart'],
    [['web', '--kube-version', 'x'], 'invalid kube version \'x\': could not parse "x" as version'],
    [['r', 'web', '-g'], 'cannot set --generate-name and also specify a name'],
    [['web', '--dry-run=x'], 'invalid dry-run value ("x"). Must be "none", "server", or "client"'],
    [['bad'], 'bad/templates/x.yaml:1:13'],
    [
      ['web', '--timeout', '5'],
      'invalid argument "5" for "--timeout" flag: time: missing unit in duration "5"',
    ],
    [
      ['web', '--qps', '1e999'],
      'invalid argument "1e999" for "--qps" flag: strconv.ParseFloat: parsing "1e999": value out of range',
    ],
    [
      ['web', '--force-replace', '--force-conflicts'],
      'if any flags in the group [force-replace force-conflicts] are set none of the others can be; [force-conflicts force-replace] were all set',
    ],
    [
      ['web', '-l', 'name=x'],
      'user supplied labels contains system reserved label name. System labels: [name owner status version createdAt modifiedAt]',
    ],
    [
      ['bad', '-l', 'owner=x'],
      'user supplied labels contains system reserved label name. System labels: [name owner status version createdAt modifiedAt]',
    ],
    [
      ['web', '--ca-file', 'none'],
      'missing registry client: can\'t create TLS config for client: can\'t read CA file: "none": open none: no such file or directory',
    ],
    [['web', '--repo', 'nope://x'], 'could not find protocol handler for: nope'],
    [
      ['web', '--name-template', '{{ fail "no" }}'],
      'template: name-template:1:3: executing "name-template" at <fail "no">: error calling fail: no',
    ],
    [['web', '-f', 'prod.yaml,'], 'open : no such file or directory'],
  ])('refuses %j', async (argv, message) => {
    const { code, stdout, stderr } = await run(['template', ...argv])
    expect({ code, stdout, first: stderr.split('\n')[0] }).toEqual({
      code: 1,
      stdout: '',
      first: `Error: ${message}`,
    })
  })

  it('adds the advice of Helm to errors of templates', async () => {
    const { stderr } = await run(['template', 'bad'])
    expect(stderr).toBe(
      'Error: bad/templates/x.yaml:1:13\n  executing "bad/templates/x.yaml" at <.Values.a.b>:\n    nil pointer evaluating interface {}.b\n\nUse --debug flag to render out invalid YAML\n',
    )
  })

  it('writes a folder', async () => {
    const argv = ['template', 'r', 'web', '--output-dir', 'out', '--release-name', '--include-crds']
    const { stdout } = await run(argv)
    expect(stdout).toBe(
      'wrote out/web/crds/c.yaml\nwrote out/r/web/templates/a.yaml\nwrote out/r/web/templates/a.yaml\nwrote out/r/web/templates/b.yaml\nwrote out/r/web/templates/t.yaml\n\n',
    )
    expect(readFileSync(join(cwd, 'out/r/web/templates/a.yaml'), 'utf8')).toBe(
      config('v1.36.0') + service,
    )
    expect(existsSync(join(cwd, 'out/web/templates'))).toBe(false)
  })

  it.each<readonly [string, string, string, string]>([
    ['a template that fails', 'bad', '\n', 'bad/templates/x.yaml:1:13\n  executing'],
    [
      'templates that give no YAML',
      'broken',
      '---\n# Source: broken/templates/x.yaml\na: [\n\n---\n# Source: broken/templates/y.yaml\nb: 1\n',
      'YAML parse error on broken/templates/x.yaml',
    ],
  ])('shows with --debug what it has of %s', async (_, chart, text, start) => {
    const { code, stdout, stderr } = await run(['template', 'r', chart, '--debug'])
    const [version, path, dependencies, error] = stderr.split('\n')
    expect([code, stdout]).toEqual([1, text])
    expect([version, path, dependencies]).toEqual([
      'level=DEBUG msg="Original chart version" version=""',
      `level=DEBUG msg="Chart path" path=${join(cwd, chart)}`,
      `level=DEBUG msg="number of dependencies in the chart" chart=${chart} dependencies=0`,
    ])
    expect(error).toContain(`Error: ${start.split('\n')[0]}`)
    expect(stderr).not.toContain('Use --debug')
  })

  it('refuses colours that do not exist before anything else', async () => {
    expect(await run(['template', '--color=red', '--help'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'level=WARN msg="command failed" error="invalid color mode \\"red\\": must be one of: never, auto, always"\n',
    })
  })

  it('takes a kubeconfig that cannot be read for none', async () => {
    writeFileSync(join(cwd, 'kube/broken'), 'x: [')
    const { code, stdout } = await run(['template', 'r', 'web', '--kubeconfig', 'kube/broken'])
    expect([code, stdout.includes('namespace: default')]).toEqual([0, true])
  })

  it('tells that a folder cannot be made', async () => {
    const { code, stderr } = await run(['template', 'r', 'web', '--output-dir', 'prod.yaml'])
    expect([code, stderr]).toEqual([
      1,
      'Error: stat prod.yaml/web/templates: not a directory\n\nUse --debug flag to render out invalid YAML\n',
    ])
  })

  it('refuses loudly what it cannot do', async () => {
    await expect(run(['template', 'web', '--post-renderer', 'x'])).rejects.toMatchObject({
      code: 'USAGE',
      message: 'litecd helm: --post-renderer is not supported',
    })
    await expect(run(['install', 'web'])).rejects.toMatchObject({ code: 'USAGE' })
  })
})
