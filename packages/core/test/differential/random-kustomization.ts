// Small kustomizations by chance: every transformer, patches of all kinds, generators, components, several levels.

/** Numbers in [0, 1) that follow from a seed. */
export function randomNumbers(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }
type Fields = { [key: string]: Value }

/** Text that is written as it stands, for what JSON cannot say. */
class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const scalars: readonly (Value | Raw)[] = [
  'x',
  '',
  'yes',
  '1',
  '1.0',
  'null',
  '0x1F',
  '2020-01-01',
  'a b',
  'a: b',
  '# c',
  'é',
  '$(VAR)',
  '$(VAR)-$$(X)',
  'a\nb\n',
  ' lead',
  1,
  0,
  -7,
  1.5,
  1e21,
  true,
  false,
  null,
  new Raw('on'),
  new Raw('012'),
  new Raw('1_000'),
  new Raw('~'),
  new Raw('!!str 5'),
  new Raw('2001-02-03'),
  new Raw('.5'),
  new Raw('9007199254740993'),
  new Raw("'q'"),
  new Raw('0o17'),
]

const names = ['web', 'db', 'a', 'app-1']
const namespaces = ['', '', 'default', 'one', 'two']

export class KustomizationMaker {
  private readonly random: () => number
  /** Half of the kustomizations ask for nothing that cannot be: errors end a build before the rest is seen. */
  private readonly tame: boolean
  private readonly made: Fields[] = []
  readonly files: { [path: string]: string } = {}

  constructor(seed: number) {
    this.random = randomNumbers(seed)
    for (let i = 0; i < 5; i++) this.random()
    this.tame = seed % 2 === 0
  }

  private int(below: number): number {
    return Math.floor(this.random() * below)
  }

  private maybe(chance: number): boolean {
    return this.random() < chance
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!
  }

  private scalar(): Value {
    return this.pick(scalars) as Value
  }

  private text(): string {
    return this.pick(['x', 'y', 'on', '1', 'v-1', 'a.b/c', ''])
  }

  /** Files of a kustomization at `dir`, with levels below it. */
  make(dir = '', depth = 2): void {
    const at = (name: string): string => (dir === '' ? name : `${dir}/${name}`)
    const resources: string[] = []
    if (depth > 0 && this.maybe(0.5)) {
      this.make(at('base'), depth - 1)
      resources.push('base')
    }
    if (depth > 0 && this.maybe(0.15)) {
      this.make(at('second'), 0)
      resources.push('second')
    }
    if (resources.length === 0 || this.maybe(0.5)) {
      this.files[at('objects.yaml')] = this.objects()
      resources.push('objects.yaml')
    }
    const fields: Fields = {}
    if (this.maybe(0.95)) fields['resources'] = resources
    if (depth > 0 && this.maybe(0.25)) {
      this.component(at('part'))
      fields['components'] = ['part']
    }
    this.transformers(fields, at)
    this.generators(fields, at)
    if (dir === '') this.root(fields)
    this.files[at('kustomization.yaml')] = write(fields)
  }

  private component(dir: string): void {
    const fields: Fields = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' }
    this.transformers(fields, (name) => `${dir}/${name}`)
    this.generators(fields, (name) => `${dir}/${name}`)
    if (Object.keys(fields).length === 2) fields['nameSuffix'] = '-part'
    this.files[`${dir}/kustomization.yaml`] = write(fields)
  }

  private root(fields: Fields): void {
    if (this.maybe(this.tame ? 0.05 : 0.15)) {
      fields['sortOptions'] = this.pick<Value>([
        { order: 'fifo' },
        { order: 'legacy' },
        { order: 'other' },
        {},
        {
          order: 'legacy',
          legacySortOptions: { orderFirst: ['Service', 'Deployment'], orderLast: ['ConfigMap'] },
        },
        { order: 'fifo', legacySortOptions: { orderFirst: ['Service'] } },
      ])
    }
    if (this.maybe(0.2)) {
      fields['buildMetadata'] = this.pick([
        ['originAnnotations'],
        ['transformerAnnotations'],
        ['managedByLabel'],
        ['originAnnotations', 'transformerAnnotations', 'managedByLabel'],
        ['other'],
      ])
    }
  }

  // objects

  private meta(name: string): Fields {
    const meta: Fields = { name }
    const namespace = this.pick(namespaces)
    if (namespace !== '') meta['namespace'] = namespace
    if (this.maybe(0.3))
      meta['labels'] = { app: this.pick(names), [this.pick(['l', 'm/n', 'y'])]: this.text() }
    if (this.maybe(0.3)) meta['annotations'] = { a: this.scalar(), 'x.io/y': this.text() }
    if (this.maybe(0.08)) meta['finalizers'] = ['f1', 'f2', 'f1']
    return meta
  }

  private container(): Value {
    const container: Fields = { name: this.pick(['c', 'd', 'main']) }
    container['image'] = this.pick([
      'nginx',
      'nginx:1.0',
      'reg.io/nginx:1',
      'nginx@sha256:aa',
      'reg.io:5000/x/nginx:1@sha256:bb',
      'other:2',
    ])
    if (this.maybe(0.3))
      container['env'] = [
        { name: 'E', value: this.text() },
        { name: 'F', valueFrom: { secretKeyRef: { name: this.pick(names), key: 'k' } } },
      ]
    if (this.maybe(0.2)) container['envFrom'] = [{ configMapRef: { name: this.pick(names) } }]
    if (this.maybe(0.2))
      container['ports'] = [
        { containerPort: 80 },
        { containerPort: 53, protocol: 'UDP' },
        { containerPort: 53, protocol: 'TCP' },
      ].slice(0, 1 + this.int(3))
    if (this.maybe(0.2)) container['args'] = ['--x=$(VAR)', 'y']
    if (this.maybe(0.1))
      container['volumeMounts'] = [
        { name: 'v', mountPath: '/a' },
        { name: 'w', mountPath: '/b' },
      ]
    return container
  }

  private podSpec(): Fields {
    const spec: Fields = {
      containers: [this.container(), ...(this.maybe(0.4) ? [this.container()] : [])],
    }
    if (this.maybe(0.15)) spec['initContainers'] = [this.container()]
    if (this.maybe(0.2))
      spec['volumes'] = [
        { name: 'v', configMap: { name: this.pick(names) } },
        { name: 'w', secret: { secretName: this.pick(names) } },
      ]
    if (this.maybe(0.2)) spec['serviceAccountName'] = this.pick(names)
    if (this.maybe(0.1)) spec['tolerations'] = [{ key: 'a' }, { key: 'b' }]
    if (this.maybe(0.1)) spec['imagePullSecrets'] = [{ name: this.pick(names) }]
    return spec
  }

  private object(): Fields {
    const name = this.pick(names)
    const metadata = this.meta(name)
    const template: Fields = {
      metadata: this.maybe(0.7) ? { labels: { app: name } } : {},
      spec: this.podSpec(),
    }
    const workload = { replicas: this.int(4), selector: { matchLabels: { app: name } }, template }
    switch (this.int(16)) {
      case 0:
      case 1:
      case 2:
        return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: workload }
      case 3:
        return {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata,
          spec: { ...workload, serviceName: this.pick(names) },
        }
      case 4:
        return {
          apiVersion: 'v1',
          kind: 'Service',
          metadata,
          spec: {
            ...(this.maybe(0.7) ? { selector: { app: name } } : {}),
            ports: [
              { port: 80, targetPort: 8080 },
              { port: 53, protocol: 'UDP', name: 'u' },
            ].slice(0, 1 + this.int(2)),
          },
        }
      case 5:
      case 6:
        return {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata,
          data: {
            k: this.scalar(),
            [this.pick(['f.yaml', 'g'])]: this.pick(['a: 1\nb: [x]\n', '{"a": {"b": 1}}', 'plain']),
          },
        }
      case 7:
        return {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata,
          ...(this.maybe(0.5) ? { type: 'Opaque' } : {}),
          data: { p: 'eA==' },
          ...(this.maybe(0.2) ? { stringData: { s: 't' } } : {}),
        }
      case 8:
        return {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata,
          roleRef: {
            apiGroup: 'rbac.authorization.k8s.io',
            kind: this.pick(['Role', 'ClusterRole']),
            name: this.pick(names),
          },
          subjects: [
            {
              kind: 'ServiceAccount',
              name: this.pick(['default', ...names]),
              namespace: this.pick(['one', 'default']),
            },
            { kind: 'User', name: 'default' },
          ],
        }
      case 9:
        return {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: this.pick(['Role', 'ClusterRole']),
          metadata,
          rules: [{ resources: ['secrets'], resourceNames: [this.pick(names)], verbs: ['get'] }],
        }
      case 10:
        return {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata,
          secrets: [{ name: this.pick(names) }],
        }
      case 11:
        return {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          metadata,
          spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } },
        }
      case 12:
        return {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { ...metadata, name: this.pick(['one', 'two', 'default']) },
        }
      case 13:
        return {
          apiVersion: 'example.com/v1',
          kind: 'Thing',
          metadata,
          spec: {
            list: [{ name: 'a', v: this.scalar() }, { name: 'b' }],
            x: this.scalar(),
            m: { n: this.scalar() },
            ref: this.pick(names),
            template: { apiVersion: 'v1', kind: 'Pod', spec: this.podSpec() },
          },
        }
      case 14:
        return {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata,
          spec: {
            rules: [
              {
                host: '$(VAR)',
                http: {
                  paths: [
                    {
                      path: '/',
                      backend: { service: { name: this.pick(names), port: { number: 80 } } },
                    },
                  ],
                },
              },
            ],
            tls: [{ secretName: this.pick(names) }],
          },
        }
      default:
        return {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata,
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: this.pick(names) },
            metrics: [{ type: 'Resource' }],
          },
        }
    }
  }

  private objects(): string {
    const list = Array.from({ length: 1 + this.int(4) }, () => this.object()).filter(
      (object) => !this.tame || this.isNew(object),
    )
    this.made.push(...list)
    if (this.maybe(0.07)) return write({ apiVersion: 'v1', kind: 'List', items: list })
    return list.map((object) => write(object)).join('---\n')
  }

  /** Neither the same kind with the same name, nor a second Namespace. */
  private isNew(object: Fields): boolean {
    const id = (other: Fields): string => {
      const name = other['kind'] === 'Namespace' ? '' : (other['metadata'] as Fields)['name']
      return `${other['kind']} ${name}`
    }
    if (this.seen.has(id(object))) return false
    this.seen.add(id(object))
    return true
  }

  private readonly seen = new Set<string>()
  private count = 0

  // fields of a kustomization

  private transformers(fields: Fields, at: (name: string) => string): void {
    const risky = ['vars', 'openapi', 'patchesStrategicMerge', 'replicas', 'transformers']
    const put = (chance: number, name: string, value: () => Value | undefined): void => {
      if (!this.maybe(this.tame && risky.includes(name) ? chance / 4 : chance)) return
      const made = value()
      if (made !== undefined) fields[name] = made
    }
    put(0.3, 'namespace', () => this.pick(['one', 'two', 'default', 'n-3']))
    put(0.25, 'namePrefix', () => this.pick(['p-', 'q-', '1']))
    put(0.2, 'nameSuffix', () => this.pick(['-s', '-t', '2']))
    put(0.15, 'commonLabels', () => ({
      app: this.pick(['web', 'n']),
      [this.pick(['c', 'd/e'])]: this.text(),
    }))
    put(0.25, 'labels', () => [
      {
        pairs: { app: 'l', extra: this.text() },
        ...(this.maybe(0.4) ? { includeSelectors: this.maybe(0.7) } : {}),
        ...(this.maybe(0.4) ? { includeTemplates: true } : {}),
        ...(this.maybe(0.2)
          ? { fields: [{ path: 'spec/more/labels', create: this.maybe(0.5), kind: 'Thing' }] }
          : {}),
      },
    ])
    put(0.2, 'commonAnnotations', () => ({ n: this.text(), 'o/p': 'q' }))
    put(0.3, 'images', () => [this.image(), ...(this.maybe(0.3) ? [this.image()] : [])])
    put(0.15, 'replicas', () => [{ name: this.pick([...names, 'p-web']), count: this.int(9) }])
    put(0.45, 'patches', () => Array.from({ length: 1 + this.int(2) }, () => this.patch(at)))
    put(0.12, 'patchesStrategicMerge', () => [
      this.maybe(0.5)
        ? write(this.mergePatch())
        : this.file(at, 'psm.yaml', write(this.mergePatch())),
    ])
    put(0.12, 'patchesJson6902', () => [{ target: this.target(true), patch: this.operations() }])
    put(0.25, 'replacements', () => [this.replacement()])
    put(0.1, 'vars', () => [
      {
        name: this.pick(['VAR', 'X']),
        objref: {
          apiVersion: 'v1',
          kind: this.pick(['Service', 'ConfigMap']),
          name: this.pick(names),
        },
        ...(this.maybe(0.5)
          ? {
              fieldref: {
                fieldpath: this.pick(['metadata.name', 'data.k', 'spec.ports[0].port', 'spec']),
              },
            }
          : {}),
      },
    ])
    put(0.1, 'configurations', () => [this.file(at, 'conf.yaml', write(this.configuration()))])
    put(0.06, 'transformers', () => [this.file(at, 'trans.yaml', write(this.plugin()))])
    put(0.04, 'openapi', () => ({
      version: this.pick(['v1.21.2', this.tame ? 'v1.21.2' : 'v1.20.4']),
    }))
    put(0.06, 'crds', () => [this.file(at, 'crd.json', crds)])
  }

  private file(at: (name: string) => string, name: string, text: string): string {
    this.files[at(name)] = text
    return name
  }

  private image(): Value {
    const image: Fields = {
      name: this.pick([
        'nginx',
        'reg.io/nginx',
        'other',
        'n.*',
        'reg.io:5000/x/nginx',
        this.tame ? 'nginx' : 'ng[',
      ]),
    }
    if (this.maybe(0.5)) image['newName'] = this.pick(['new/nginx', 'reg.io/other'])
    if (this.maybe(0.5)) image['newTag'] = this.pick(['2', 'v3', ''])
    if (this.maybe(0.25)) image['digest'] = 'sha256:cc'
    if (this.maybe(0.15)) image['tagSuffix'] = '-x'
    return image
  }

  private target(named: boolean): Fields {
    const target: Fields = {}
    if (named || this.maybe(0.4))
      target['name'] = this.pick([...names, 'w.*', '.*', 'p-web', '(web|db)'])
    if (this.maybe(0.7))
      target['kind'] = this.pick([
        'Deployment',
        'Service',
        'ConfigMap',
        'Thing',
        'StatefulSet',
        '.*Set',
        'Secret',
      ])
    if (this.maybe(0.2)) target['version'] = this.pick(['v1', 'v2'])
    if (this.maybe(0.15)) target['group'] = this.pick(['apps', 'example.com', 'a.*'])
    if (this.maybe(0.15)) target['namespace'] = this.pick(['one', 'default', '.*'])
    if (this.maybe(0.15))
      target['labelSelector'] = this.pick([
        'app=web',
        'app in (web,db)',
        '!app',
        'app',
        'app==web,l!=x',
        this.tame ? 'a in (b,c)' : 'app notin (a',
      ])
    if (this.maybe(0.08)) target['annotationSelector'] = this.pick(['a=x', '!a'])
    return target
  }

  private patch(at: (name: string) => string): Value {
    const merge = this.maybe(this.tame ? 0.8 : 0.6)
    if (this.tame && this.made.length === 0) return { patch: '[]', target: { kind: 'None' } }
    const text = merge ? write(this.mergePatch()) : this.operations()
    const patch: Fields = this.maybe(0.6)
      ? { patch: text }
      : { path: this.file(at, `p${this.int(3)}.yaml`, text) }
    if (!merge || this.maybe(0.5)) patch['target'] = this.target(false)
    if (this.maybe(0.12))
      patch['options'] = { allowNameChange: this.maybe(0.6), allowKindChange: this.maybe(0.5) }
    return patch
  }

  private mergePatch(): Fields {
    const object = this.tame && this.made.length > 0 ? this.pick(this.made) : this.object()
    const metadata: Fields = {
      name: this.tame ? (object['metadata'] as Fields)['name']! : this.pick(names),
    }
    const { metadata: own } = object as { readonly metadata: Fields }
    if (own['namespace'] !== undefined && (this.tame || this.maybe(0.7)))
      metadata['namespace'] = own['namespace']
    if (this.maybe(0.3))
      metadata['labels'] = this.pick<Value>([
        { app: 'patched' },
        { app: null },
        null,
        { $patch: 'delete' },
        { $patch: 'replace', only: 'this' },
      ])
    if (this.maybe(0.2))
      metadata['annotations'] = this.pick<Value>([
        { a: 'patched' },
        { a: null },
        null,
        { $patch: 'delete' },
        { $patch: 'replace', z: 'z' },
        {},
      ])
    if (this.maybe(0.1)) metadata['finalizers'] = this.pick<Value>([['f2', 'f9'], [], null])
    const patch: Fields = { apiVersion: object['apiVersion']!, kind: object['kind']!, metadata }
    if (this.maybe(0.06)) patch['$patch'] = this.pick(['delete', 'replace', 'merge', 'other'])
    const { spec, data } = object as { readonly spec?: Fields; readonly data?: Value }
    if (data !== undefined)
      patch['data'] = this.pick<Value>([
        { k: 'new', z: this.scalar() },
        { k: null },
        null,
        { $patch: 'replace', n: '1' },
        data,
      ])
    if (spec !== undefined) patch['spec'] = this.thin(spec)
    return patch
  }

  /** Part of a value, with directives and nulls put in. */
  private thin(value: Value): Value {
    if (Array.isArray(value)) {
      const list = (value as readonly Value[])
        .filter(() => this.maybe(0.8))
        .map((item) => this.thin(item))
      if (this.maybe(0.08)) list.push({ $patch: this.pick(['replace', 'delete', 'merge']) })
      if (this.maybe(0.05)) list.push({ name: 'c', $patch: 'delete' })
      if (this.maybe(0.05)) list.unshift({ name: 'fresh', value: '1' })
      return list
    }
    if (typeof value !== 'object' || value === null) return this.maybe(0.12) ? this.scalar() : value
    const out: Fields = {}
    for (const [key, item] of Object.entries(value)) {
      if (key !== 'name' && this.maybe(0.25)) continue
      out[key] = this.maybe(0.06) ? null : this.thin(item)
    }
    if (this.maybe(0.04)) out['$patch'] = this.pick(['replace', 'delete', 'merge'])
    if (this.maybe(0.04)) out['$setElementOrder/containers'] = [{ name: 'd' }, { name: 'c' }]
    if (this.maybe(0.03)) out['$retainKeys'] = ['containers']
    if (this.maybe(0.08)) out['added'] = this.scalar()
    return out
  }

  private operations(): string {
    const paths = [
      '/spec/replicas',
      '/metadata/labels/app',
      '/metadata/labels',
      '/metadata/annotations/x.io~1y',
      '/metadata/name',
      '/metadata/namespace',
      '/data/k',
      '/data/new',
      '/spec/ports/0/port',
      '/spec/ports/-',
      '/spec/template/spec/containers/0/image',
      '/spec/template/spec/containers/-1/image',
      '/spec/template/spec/containers/5',
      '/spec/list/0',
      '/spec/list/1/v',
      '/spec/x',
      '/kind',
      '/missing/deep',
      '',
      '/spec/list/-',
      'spec/x',
      '/spec/list/00',
      '/spec/m/n',
    ]
    const tamePaths = ['/metadata/labels', '/metadata/annotations', '/spec', '/data', '/extra']
    const ops = ['add', 'add', 'replace', 'remove', 'test', 'copy', 'move', 'Replace', '']
    const list = Array.from({ length: 1 + this.int(3) }, () => {
      const op = this.tame ? 'add' : this.pick(ops)
      const operation: Fields = { op, path: this.pick(this.tame ? tamePaths : paths) }
      if (!['remove', 'copy', 'move'].includes(op) && this.maybe(0.95))
        operation['value'] = this.tame
          ? { a: 'b' }
          : this.pick<Value>([this.scalar(), { a: 1 }, [1, 'x'], null])
      if (op === 'copy' || op === 'move') operation['from'] = this.pick(paths)
      return operation
    })
    return this.maybe(0.3) ? JSON.stringify(list.map(plainJson)) : write(list as unknown as Fields)
  }

  private replacement(): Value {
    const paths = [
      'metadata.name',
      'metadata.namespace',
      'data.k',
      'spec.replicas',
      'spec.template.spec.containers.0.image',
      'spec.template.spec.containers.[name=c].image',
      'spec.template.spec.containers.[name=c].env.[name=E].value',
      'spec.template.spec.containers.*.name',
      'metadata.annotations.[x.io/y]',
      'metadata.annotations.x\\.io/y',
      'data.[f.yaml].a',
      'data.g.a.b',
      'spec.x',
      'spec.list.-',
      'spec.list.*.v',
      'spec.ports.0',
      'spec.new.deep',
      'spec.list.[name=z].v',
      'metadata.labels',
      'spec.list.5',
      'spec.template.spec.containers.[name=.*].image',
    ]
    const options = (): Fields => {
      const out: Fields = {}
      if (this.maybe(0.5)) out['delimiter'] = this.pick(['/', ':', '-', '.'])
      if (this.maybe(0.5)) out['index'] = this.pick([0, 1, 2, -1, 7])
      if (this.tame || this.maybe(0.4)) out['create'] = this.tame || this.maybe(0.7)
      return out
    }
    const source: Fields = { kind: this.pick(['ConfigMap', 'Deployment', 'Service', 'Thing']) }
    if (this.maybe(0.7)) source['name'] = this.pick(names)
    if (this.maybe(0.2)) source['namespace'] = this.pick(['one', 'default'])
    if (this.maybe(0.8)) source['fieldPath'] = this.pick(paths)
    if (this.maybe(0.2)) source['options'] = options()
    const select = this.target(false)
    const target: Fields = {
      select: Object.keys(select).length === 0 ? { kind: 'Deployment' } : select,
    }
    if (this.maybe(0.2)) target['reject'] = [this.target(false)]
    if (this.maybe(0.9))
      target['fieldPaths'] = [this.pick(paths), ...(this.maybe(0.3) ? [this.pick(paths)] : [])]
    if (this.tame || this.maybe(0.4)) target['options'] = options()
    const entry: Fields = { targets: [target] }
    if (this.tame || this.maybe(0.12)) entry['sourceValue'] = this.text()
    else entry['source'] = source
    return entry
  }

  private configuration(): Fields {
    const list: Fields[] = [
      { namePrefix: [{ path: 'spec/x', kind: 'Thing' }] },
      {
        nameReference: [
          { kind: 'ConfigMap', version: 'v1', fieldSpecs: [{ path: 'spec/ref', kind: 'Thing' }] },
        ],
      },
      { images: [{ path: 'spec/x', kind: 'Thing' }] },
      { commonLabels: [{ path: 'spec/m', create: true, kind: 'Thing' }] },
      {
        varReference: [
          { path: 'spec/x', kind: 'Thing' },
          { path: 'data', kind: 'ConfigMap' },
        ],
      },
      { replicas: [{ path: 'spec/count', create: true, kind: 'Thing' }] },
      { namespace: [{ path: 'spec/m/n', kind: 'Thing', create: true }] },
      { commonAnnotations: [{ path: 'spec/notes', create: true, kind: 'Thing' }] },
      { labels: [{ path: 'spec/l', create: true }] },
      { unknown: [] },
    ]
    return this.pick(this.tame ? list.slice(0, -1) : list)
  }

  private plugin(): Fields {
    const metadata = { name: 'plugin' }
    return this.pick<Fields>([
      {
        apiVersion: 'builtin',
        kind: 'NamespaceTransformer',
        metadata: { ...metadata, namespace: 'three' },
        setRoleBindingSubjects: this.pick([
          'allServiceAccounts',
          'none',
          'defaultOnly',
          this.tame ? 'none' : 'x',
        ]),
        unsetOnly: this.maybe(0.5),
        ...(this.maybe(0.5)
          ? { fieldSpecs: [{ path: 'spec/space', create: true, kind: 'Thing' }] }
          : {}),
      },
      {
        apiVersion: 'builtin',
        kind: 'PrefixTransformer',
        metadata,
        prefix: 'pt-',
        fieldSpecs: [{ path: 'metadata/name' }],
      },
      {
        apiVersion: 'builtin',
        kind: 'LabelTransformer',
        metadata,
        labels: { lt: 'x' },
        fieldSpecs: [{ path: 'metadata/labels', create: true }],
      },
      {
        apiVersion: 'builtin',
        kind: 'ImageTagTransformer',
        metadata,
        imageTag: { name: 'nginx', newTag: '9' },
      },
      {
        apiVersion: 'builtin',
        kind: 'ValueAddTransformer',
        metadata,
        value: 'v',
        targets: [
          { selector: { kind: 'Thing' }, fieldPath: 'spec/path', filePathPosition: this.int(3) },
        ],
      },
      {
        apiVersion: 'builtin',
        kind: 'ReplicaCountTransformer',
        metadata,
        replica: { name: 'web', count: 3 },
        fieldSpecs: [{ path: 'spec/replicas', create: true, kind: 'Deployment' }],
      },
      { apiVersion: 'builtin', kind: 'HashTransformer', metadata },
      {
        apiVersion: 'builtin',
        kind: 'PatchTransformer',
        metadata,
        patch: this.operations(),
        target: this.target(false),
      },
      { apiVersion: 'example.com/v1', kind: 'Other', metadata },
    ])
  }

  private generators(fields: Fields, at: (name: string) => string): void {
    if (this.maybe(0.3)) fields['configMapGenerator'] = [this.generator(at)]
    if (this.maybe(0.2))
      fields['secretGenerator'] = [
        { ...this.generator(at, true), ...(this.maybe(0.3) ? { type: 'kubernetes.io/tls' } : {}) },
      ]
    if (this.maybe(0.15)) fields['generatorOptions'] = this.generatorOptions()
  }

  private generatorOptions(): Fields {
    const options: Fields = {}
    if (this.maybe(0.4)) options['labels'] = { g: this.text() }
    if (this.maybe(0.3)) options['annotations'] = { g: this.text() }
    if (this.maybe(0.4)) options['disableNameSuffixHash'] = this.maybe(0.7)
    if (this.maybe(0.2)) options['immutable'] = true
    return options
  }

  private generator(at: (name: string) => string, isSecret = false): Fields {
    const generator: Fields = { name: this.tame ? `g-${(this.count += 1)}` : this.pick(names) }
    const there = this.made.filter(({ kind }) => kind === 'ConfigMap')
    if (this.tame && !isSecret && there.length > 0 && this.maybe(0.4)) {
      const { name, namespace } = this.pick(there)['metadata'] as Fields
      generator['name'] = name!
      if (namespace !== undefined) generator['namespace'] = namespace
      return {
        ...generator,
        behavior: this.pick(['merge', 'replace']),
        literals: ['k=merged', 'z=1'],
      }
    }
    if (this.maybe(0.2)) generator['namespace'] = this.pick(['one', 'default'])
    if (this.maybe(0.3))
      generator['behavior'] = this.pick(
        this.tame ? ['create', 'other'] : ['merge', 'replace', 'create', 'other'],
      )
    if (this.maybe(0.7))
      generator['literals'] = [
        `k=${this.pick(['v', '"q"', "'s'", 'a=b', '', 'x\ny'])}`,
        ...(this.maybe(0.2)
          ? [this.pick(this.tame ? ['z=2', ' b = c '] : ['k=2', 'z', '=x', ' b = c '])]
          : []),
      ]
    if (this.maybe(0.3))
      generator['files'] = [
        this.pick(this.tame ? ['', 'key='] : ['', 'key=', 'a=b=']) +
          this.file(
            at,
            'gen.txt',
            this.pick(['text', 'a\r\nb', 'x'.repeat(80), '\u0001bin', 'tail \n']),
          ),
      ]
    if (this.maybe(0.2))
      generator['envs'] = [
        this.file(
          at,
          'gen.env',
          this.pick(['A=1\n# c\nB="2"\n', 'X\n Y = z \n', '\ufeffQ=1\r\nR=\n', '=bad\n']),
        ),
      ]
    if (this.maybe(0.3)) generator['options'] = this.generatorOptions()
    return generator
  }
}

const crds = JSON.stringify({
  'com.example.v1.Thing': {
    Schema: {
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec: { $ref: 'com.example.v1.ThingSpec' },
      },
    },
  },
  'com.example.v1.ThingSpec': {
    Schema: {
      properties: {
        ref: {
          'x-kubernetes-object-ref-api-version': 'v1',
          'x-kubernetes-object-ref-kind': 'ConfigMap',
          'x-kubernetes-object-ref-name-key': 'name',
        },
        m: { 'x-kubernetes-label-selector': '' },
      },
    },
  },
})

function plainJson(value: unknown): unknown {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return value.map(plainJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainJson(item)]))
}

/** YAML whose scalars are JSON, apart from raw ones: both sides read exactly what is meant. */
function write(value: Fields): string {
  return lines(value, '').join('\n') + '\n'
}

function lines(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      if (isFlat(item)) return [`${indent}- ${flat(item)}`]
      const [first, ...rest] = lines(item, `${indent}  `)
      return [`${indent}- ${first!.slice(indent.length + 2)}`, ...rest]
    })
  }
  return Object.entries(value as object).flatMap(([key, item]) => {
    const name =
      /^[\w.$/-]+$/.test(key) && !/^(?:y|n|on|off|yes|no)$/i.test(key) ? key : JSON.stringify(key)
    return isFlat(item)
      ? [`${indent}${name}: ${flat(item)}`]
      : [`${indent}${name}:`, ...lines(item, `${indent}  `)]
  })
}

function isFlat(value: unknown): boolean {
  if (value instanceof Raw) return true
  if (typeof value !== 'object' || value === null) return true
  return Object.keys(value).length === 0
}

function flat(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (
    typeof value === 'string' &&
    /^[a-z][\w./-]*$/.test(value) &&
    !/^(?:y|n|on|off|yes|no|true|false|null)$/.test(value)
  )
    return value
  return JSON.stringify(value)
}
