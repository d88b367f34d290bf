import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  application,
  configMap,
  repoUrl,
  type TestRepository,
  testRepository,
} from './repository.ts'

let repository: TestRepository

const automated = '  syncPolicy: {automated: {prune: true}}\n'
const finalizers = 'finalizers: [resources-finalizer.argocd.argoproj.io]'

function withFinalizer(text: string): string {
  return text.replace('  namespace: argocd\n', `  namespace: argocd\n  ${finalizers}\n`)
}

function claim(name: string, annotations = ''): string {
  return (
    `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: ${name}, annotations: {${annotations}}}\n` +
    'spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}\n'
  )
}

function deployment(selector: string, image = 'registry.example.com/web:1'): string {
  return (
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n' +
    `spec: {selector: {matchLabels: {app: ${selector}}}, template: {metadata: {labels: {app: ${selector}}}, ` +
    `spec: {containers: [{name: web, image: '${image}'}]}}}\n`
  )
}

beforeEach(() => {
  repository = testRepository()
  repository.write({
    'root.yaml': application('root', 'apps', automated),
    'apps/web.yaml': withFinalizer(application('web', 'web', automated)),
    'web/a.yaml': configMap('a'),
    'web/data.yaml': claim('data'),
    'web/web.yaml': deployment('web'),
  })
  repository.commit('start')
  repository.git('checkout', '--quiet', '-b', 'change')
})

afterEach(() => repository.remove())

interface Task {
  verb: string
  key: { kind: string; name: string }
  refusal?: string
}

interface JsonPlan {
  losses: { verdict: string; what: string; path: string[]; application: string }[]
  applications: {
    name: string
    change: string
    plan: {
      kind: string
      verdict: string
      message: string
      trigger: string
      certain: boolean
      cause: string
      refusals: { reason: string; message: string; key?: { kind: string } }[]
      steps: { phase: string; wave: number; waits: string; tasks: Task[] }[]
      kept: Task[]
      remarks: string[]
    }
  }[]
}

async function plan(...argv: string[]): Promise<{ code: number; value: JsonPlan }> {
  const { code, out, err } = await repository.litecd('plan', '-o', 'json', ...argv)
  if (out === '') throw new Error(err)
  return { code, value: JSON.parse(out) as JsonPlan }
}

function tasksOf(value: JsonPlan, name: string): readonly string[] {
  const found = value.applications.find((app) => app.name === name)
  return (found?.plan.steps ?? []).flatMap(({ phase, wave, tasks }) =>
    tasks.map(({ verb, key }) => `${phase ?? 'delete'} ${wave} ${verb} ${key.kind} ${key.name}`),
  )
}

describe('litecd plan', () => {
  it('has nothing to plan where nothing changes', async () => {
    const { code, value } = await plan()
    expect(code).toBe(0)
    expect(value.applications).toEqual([])
  })

  it('tells the tasks in the order in which they run', async () => {
    repository.write({
      'web/a.yaml': null,
      'web/b.yaml': configMap('b').replace(
        'name: b',
        'name: b, annotations: {argocd.argoproj.io/sync-wave: "-1"}',
      ),
      'web/job.yaml':
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate, annotations: {argocd.argoproj.io/hook: PreSync}}\n' +
        'spec: {template: {spec: {restartPolicy: Never, containers: [{name: m, image: m}]}}}\n',
      'web/web.yaml': deployment('web', 'registry.example.com/web:2'),
    })
    const { code, value } = await plan()
    expect(code).toBe(1)
    expect(tasksOf(value, 'web')).toEqual([
      'PreSync 0 run Job migrate',
      'Sync -1 create ConfigMap b',
      'Sync 0 prune ConfigMap a',
      'Sync 0 unchanged PersistentVolumeClaim data',
      'Sync 0 change Deployment web',
    ])
    const { plan: web } = value.applications[0]!
    expect(web).toMatchObject({
      trigger: 'automated',
      verdict: 'succeeds',
      message: 'successfully synced (all tasks run)',
    })
    expect(web.steps.map(({ waits }) => waits)).toEqual([
      'waiting for completion of hook batch/Job/migrate',
      'waiting for healthy state of /ConfigMap/b',
      '',
    ])
  })

  it('says what the API server will refuse, and fails', async () => {
    repository.write({ 'web/web.yaml': deployment('other') })
    const { code, value } = await plan()
    expect(code).toBe(3)
    expect(value.applications[0]!.plan).toMatchObject({
      verdict: 'fails',
      message:
        'one or more synchronization tasks completed unsuccessfully, reason: spec.selector: field is immutable',
      refusals: [{ reason: 'immutable', key: { kind: 'Deployment' } }],
    })
    const { out } = await repository.litecd('plan')
    expect(out).toContain('  ! apps/v1 Deployment web/web: spec.selector: field is immutable\n')
    expect(out).toContain('1 sync: 1 will fail.')
  })

  it.each([['7'], ['null'], ["''"]])('refuses an object of apiVersion %s', async (version) => {
    repository.write({
      'web/odd.yaml': `apiVersion: ${version}\nkind: Foo\nmetadata: {name: odd}\n`,
    })
    const { code, value } = await plan()
    expect(code).toBe(3)
    expect(value.applications[0]!.plan.refusals).toMatchObject([
      { reason: 'kind', message: "groupVersion shouldn't be empty", key: { kind: 'Foo' } },
    ])
  })

  it('tells the data that goes first, and has an exit code for it', async () => {
    repository.write({
      'web/data.yaml': null,
      'web/class.yaml':
        'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: x\n',
    })
    const { code, value } = await plan('--fail-on', 'destroys-data')
    expect(code).toBe(4)
    expect((await plan()).code).toBe(1)
    expect(value.losses).toMatchObject([
      {
        verdict: 'possible',
        what: 'the volume of PersistentVolumeClaim web/data',
        application: 'web',
      },
    ])
    const { out } = await repository.litecd('plan')
    expect(out.split('\n')[3]).toContain('MAY DESTROY DATA in 1 place')
  })

  it.each([
    ['Prune=false', 0, []],
    ['Prune=confirm', 1, ['conditional']],
  ])('does not call it destroyed where %s keeps it', async (option, _code, verdicts) => {
    const annotations = `argocd.argoproj.io/sync-options: ${option}`
    repository.write({ 'web/data.yaml': claim('data', annotations) })
    repository.commit('careful')
    repository.git('branch', '--force', 'main')
    repository.write({ 'web/data.yaml': null })
    const { code, value } = await plan('--fail-on', 'destroys-data')
    expect(code).toBe(1)
    expect(value.losses.map(({ verdict }) => verdict)).toEqual(verdicts)
  })

  it.each([
    ['the automated sync of its parent', null, true],
    ['somebody, where its parent does not prune', '  syncPolicy: {automated: {}}\n', false],
  ])('deletes an Application by %s', async (_about, policy, certain) => {
    if (policy !== null) {
      repository.write({ 'root.yaml': application('root', 'apps', policy) })
      repository.commit('policy')
      repository.git('branch', '--force', 'main')
    }
    repository.write({ 'apps/web.yaml': null, 'apps/other.yaml': application('other', 'web') })
    const { value } = await plan('web')
    expect(value.applications[0]).toMatchObject({
      change: 'removed',
      plan: { kind: 'deletion', certain, cascades: true },
    })
    expect(tasksOf(value, 'web')).toEqual([
      'delete 0 delete ConfigMap a',
      'delete 0 delete PersistentVolumeClaim data',
      'delete 0 delete Deployment web',
    ])
    expect(value.losses.map(({ verdict }) => verdict)).toEqual([
      certain ? 'possible' : 'conditional',
    ])
  })

  it('says so where nobody can tell what a deleted Application has', async () => {
    repository.write({ 'web/kustomization.yaml': 'resources: [missing.yaml]\n' })
    repository.commit('broken')
    repository.git('branch', '--force', 'main')
    repository.write({ 'apps/web.yaml': null, 'apps/other.yaml': application('other', 'db') })
    const { value } = await plan('web')
    expect(value.losses).toMatchObject([
      { verdict: 'possible', what: 'whatever Application web has in the cluster' },
    ])
    const { out } = await repository.litecd('diff', '--app', 'web')
    expect(out).toContain('plan: deleted with its objects (pruned by the automated sync')
  })

  it('leaves everything of an Application without finalizer', async () => {
    repository.write({ 'apps/web.yaml': application('web', 'web', automated) })
    repository.commit('no finalizer')
    repository.git('branch', '--force', 'main')
    repository.write({ 'apps/web.yaml': null, 'apps/other.yaml': application('other', 'web') })
    const { value } = await plan('web')
    expect(value.losses).toEqual([])
    expect(value.applications[0]!.plan.kept.map(({ key }) => key.kind)).toEqual([
      'ConfigMap',
      'PersistentVolumeClaim',
      'Deployment',
    ])
  })

  it.each([
    ['takes over what it can', '', 'possible', 'succeeds'],
    [
      'cannot take over what it must not share',
      '    syncOptions: [FailOnSharedResource=true]\n',
      'possible',
      'blocked',
    ],
  ])('%s where an Application is renamed', async (_about, options, verdict, outcome) => {
    repository.write({
      'apps/web.yaml': null,
      'apps/shop.yaml': withFinalizer(
        application('shop', 'web', `  syncPolicy:\n    automated: {prune: true}\n${options}`),
      ).replace('namespace: shop', 'namespace: web'),
    })
    const { value } = await plan()
    const shop = value.applications.find(({ name }) => name === 'shop')!
    expect(shop.plan.verdict).toBe(outcome)
    expect(tasksOf(value, 'shop')).toEqual([
      'Sync 0 change ConfigMap a',
      'Sync 0 change PersistentVolumeClaim data',
      'Sync 0 change Deployment web',
    ])
    expect(value.losses.map((loss) => loss.verdict)).toEqual([verdict])
    expect(value.losses[0]!.path.join().includes('Application shop renders it now')).toBe(
      outcome === 'succeeds',
    )
  })

  describe('with a project', () => {
    const project = (spec: string): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: default, namespace: argocd}\nspec:\n${spec}`
    const open = "  sourceRepos: ['*']\n  destinations: [{server: '*', namespace: '*'}]\n"

    it.each([
      [
        'forbids a kind',
        `${open}  namespaceResourceBlacklist: [{group: apps, kind: Deployment}]\n`,
        'fails',
        'project',
        'resource apps:Deployment is not permitted in project default',
      ],
      [
        'forbids the repository',
        "  sourceRepos: ['https://other.example.com/*']\n  destinations: [{server: '*', namespace: '*'}]\n",
        'blocked',
        'project',
        `InvalidSpecError: application repo ${repoUrl} is not permitted in project 'default'`,
      ],
    ])('that %s', async (_about, spec, verdict, reason, message) => {
      repository.write({
        'projects/default.yaml': project(spec),
        'web/web.yaml': deployment('web', 'registry.example.com/web:2'),
      })
      const { code, value } = await plan('web')
      expect(code).toBe(3)
      expect(value.applications[0]!.plan).toMatchObject({
        verdict,
        refusals: [{ reason, message }],
      })
    })

    it('whose window is closed at that time', async () => {
      repository.write({
        'projects/default.yaml': project(
          `${open}  syncWindows: [{kind: deny, schedule: '0 22 * * *', duration: 2h, applications: ['*']}]\n`,
        ),
        'web/web.yaml': deployment('web', 'registry.example.com/web:2'),
      })
      const closed = await plan('web', '--at', '2026-01-02T23:00:00Z')
      expect(closed.code).toBe(3)
      expect(closed.value.applications[0]!.plan).toMatchObject({
        verdict: 'blocked',
        refusals: [{ reason: 'window', message: 'Sync operation blocked by sync window' }],
      })
      expect(tasksOf(closed.value, 'web')).toContain('Sync 0 change Deployment web')
      expect((await plan('web', '--at', '2026-01-02T12:00:00Z')).code).toBe(1)
      expect(await repository.litecd('plan', '--at', 'noon')).toMatchObject({ code: 2 })
    })
  })

  describe('against live objects', () => {
    const tracked = (kind: string, name: string, group = ''): string =>
      `namespace: web, name: ${name}, uid: u-${name}, annotations: {argocd.argoproj.io/tracking-id: 'web:${group}/${kind}:web/${name}'}`
    const live = (...objects: readonly string[]): string =>
      `apiVersion: v1\nkind: List\nitems:\n${objects.map((one) => `- ${one}\n`).join('')}`
    const claimed = `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {${tracked('PersistentVolumeClaim', 'old')}}, spec: {volumeName: pv-1}}`
    const volume = (policy: string): string =>
      `{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv-1}, spec: {persistentVolumeReclaimPolicy: ${policy}}}`

    it('plans every Application as it is, and prunes what is tracked and no target', async () => {
      repository.write({
        'live.yaml': live(
          claimed,
          volume('Delete'),
          '{apiVersion: v1, kind: Namespace, metadata: {name: web}}',
          '{apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, name: stranger}}',
        ),
      })
      const { code, value } = await plan(
        'web',
        '--live-objects',
        'live.yaml',
        '--fail-on',
        'destroys-data',
      )
      expect(code).toBe(4)
      expect(tasksOf(value, 'web')).toEqual([
        'Sync 0 prune PersistentVolumeClaim old',
        'Sync 0 create ConfigMap a',
        'Sync 0 create PersistentVolumeClaim data',
        'Sync 0 create Deployment web',
      ])
      expect(value.losses[0]).toMatchObject({
        verdict: 'destroyed',
        path: [
          'PersistentVolumeClaim web/old is pruned by the automated sync',
          'its PersistentVolume pv-1 has reclaim policy Delete',
        ],
      })
    })

    it('knows volumes that are retained', async () => {
      repository.write({ 'live.yaml': live(claimed, volume('Retain')) })
      const { code, value } = await plan(
        'web',
        '--live-objects',
        'live.yaml',
        '--fail-on',
        'destroys-data',
      )
      expect([code, value.losses]).toEqual([1, []])
    })

    it('misses a namespace that nothing makes', async () => {
      repository.write({
        'live.yaml': live('{apiVersion: v1, kind: Namespace, metadata: {name: other}}'),
      })
      const { value } = await plan('web', '--live-objects', 'live.yaml')
      expect(value.applications[0]!.plan).toMatchObject({
        verdict: 'fails',
        refusals: expect.arrayContaining([
          expect.objectContaining({ reason: 'namespace', message: 'namespaces "web" not found' }),
        ]),
      })
    })

    it('misses a kind that is not installed, where the snapshot tells', async () => {
      repository.write({
        'web/foo.yaml': 'apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: foo}\n',
        'live.yaml': live(
          '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: bars.x.io}, spec: {group: x.io, names: {kind: Bar, plural: bars}, scope: Namespaced, versions: [{name: v1, served: true, storage: true}]}}',
        ),
      })
      const { value } = await plan('web', '--live-objects', 'live.yaml')
      expect(value.applications[0]!.plan).toMatchObject({
        verdict: 'fails',
        refusals: [{ reason: 'kind', key: { kind: 'Foo' } }],
      })
    })
  })

  it('moves no cursor and opens no element with what a repository says', async () => {
    repository.write({
      'apps/web.yaml': application('web', 'web', automated).replace(
        'namespace: web',
        'namespace: "x\\e[2J</details>"',
      ),
    })
    const text = (await repository.litecd('plan')).out
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    const markdown = (await repository.litecd('plan', '-o', 'markdown')).out.replace(
      /(`+) .*? \1|`[^`\n]*`/g,
      '',
    )
    expect(markdown.match(/<\/details>/g)?.length).toBe(markdown.match(/<details/g)?.length)
  })

  it('tells its flags and exit codes', async () => {
    const { code, out } = await repository.litecd('plan', '--help')
    expect(code).toBe(0)
    expect(out).toContain('--live-objects FILE|DIR')
    expect(out).toContain('4 data is destroyed or may be')
    expect(await repository.litecd('plan', 'nobody')).toMatchObject({ code: 2 })
  })
})

describe('litecd diff', () => {
  it('carries the plan in short, what is destroyed first, refusals before steps', async () => {
    repository.write({ 'web/web.yaml': deployment('other'), 'web/data.yaml': null })
    const { code, out } = await repository.litecd('diff')
    expect(code).toBe(1)
    const lines = out.split('\n')
    expect(lines[3]).toContain('MAY DESTROY DATA in 1 place')
    expect(lines.filter((line) => line.startsWith('  plan: '))).toEqual([
      '  plan: ! apps/v1 Deployment web/web: spec.selector: field is immutable',
      '  plan: automated sync with prune: Sync 0: !1 refused -1 1 unchanged',
      expect.stringContaining('  plan: will fail: one or more'),
    ])
    expect((await repository.litecd('diff', '--fail-on', 'destroys-data')).code).toBe(4)
    const markdown = (await repository.litecd('diff', '-o', 'markdown')).out
    expect(markdown.indexOf('MAY DESTROY DATA')).toBeLessThan(markdown.indexOf('<details'))
    const value = JSON.parse((await repository.litecd('diff', '-o', 'json')).out) as JsonPlan
    expect(value.losses).toHaveLength(1)
    expect(value.applications[0]!.plan).toMatchObject({
      verdict: 'fails',
      steps: [{ phase: 'Sync', wave: 0, tasks: { prune: 1, unchanged: 1, change: 1 } }],
    })
  })
})
