// Makes every-field.json: the plain manifests with every field set that a real API server takes.
//
//   node test/apiserver/synced/grow.ts          in packages/k8s-adapter; needs `npm run testbin`
//
// Field by field a likely value is tried in a dry run; what the server refuses, drops or changes the kind of is left out.
// Its complaints help: `supported values: "A", "B"` gives the values to try. Quantities, times and ports are written in odd
// ways on purpose. The result is a fixture: look at the difference before it is committed.
import { writeFileSync } from 'node:fs'
import { isLitecdError } from '@litecd/core/errors'
import { deepEqual, getPath, isObject, type Json } from '@litecd/core/json'
import { type FieldType, type Manifest, type StructType, structOfKind } from '@litecd/core/kube'
import { freshNamespace, startApiServer } from '../../../../../test/apiserver/index.ts'
import { KubeClient, loadKubeconfig, type ResourceRef } from '../../../src/client/index.ts'
import { plainManifests } from './plain.ts'

type Mutable = { [field: string]: Json }
type Step = string | number

// the server's own, or only a step in the life of an object
const never = [
  'managedFields',
  'status',
  'generateName',
  'resourceVersion',
  'uid',
  'selfLink',
  'creationTimestamp',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'nodeName',
  'ephemeralContainers',
  'schedulingGates',
  // who asks for a certificate
  'username',
  'groups',
  'extra',
]
const deepest = 9

const server = await startApiServer()
const client = new KubeClient(await loadKubeconfig({ path: server.kubeconfigPath }))
let asked = 0
try {
  const namespace = await freshNamespace(client, 'grow')
  const grown: Manifest[] = []
  for (const plain of plainManifests('grown', namespace)) {
    const struct = structOfKind(plain.apiVersion, plain.kind)
    const resource = await client.discovery.find(
      { group: groupOf(plain.apiVersion), kind: plain.kind },
      plain.apiVersion.split('/').at(-1),
    )
    if (resource === undefined) throw new Error(`${plain.kind} is not served`)
    const before = asked
    const full = struct === undefined ? plain : await grow(plain, struct, resource)
    process.stderr.write(`${plain.apiVersion} ${plain.kind}: ${asked - before} tries\n`)
    grown.push(withoutNamespace(full))
  }
  writeFileSync(
    new URL('./every-field.json', import.meta.url),
    `${JSON.stringify(grown, null, 1)}\n`,
  )
} finally {
  client.close()
  await server.stop()
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.split('/')[0]! : ''
}

/** The test puts them where it runs. */
function withoutNamespace(manifest: Manifest): Manifest {
  const { namespace: _, ...metadata } = manifest['metadata'] as Mutable
  return { ...manifest, metadata }
}

async function grow(plain: Manifest, struct: StructType, resource: ResourceRef): Promise<Manifest> {
  let best = structuredClone(plain) as Manifest
  await growStruct([], struct, 0)
  return best

  async function growStruct(path: readonly Step[], type: StructType, depth: number): Promise<void> {
    for (const field of type.fields) {
      if (never.includes(field.name) || depth > deepest) continue
      // of an object inside another the server says what it is
      const isType = field.name === 'kind' || field.name === 'apiVersion'
      if (isType && type.field('metadata') !== undefined) continue
      const here = [...path, field.name]
      if (at(best, here) === undefined) await attempt(here, field.type, field.name)
      await growInto(here, field.type, depth)
    }
  }

  async function growInto(path: readonly Step[], type: FieldType, depth: number): Promise<void> {
    const value = at(best, path)
    if (value === undefined) return
    if (type.kind === 'pointer') await growInto(path, type.to, depth)
    if (type.kind === 'struct') await growStruct(path, type.struct, depth + 1)
    if (type.kind === 'list' && Array.isArray(value) && value.length > 0) {
      await growInto([...path, 0], type.of, depth + 1)
    }
  }

  async function attempt(path: readonly Step[], type: FieldType, name: string): Promise<void> {
    const tried: Json[] = []
    const queue = [...candidates(type, name)]
    for (
      let value = queue.shift();
      value !== undefined && tried.length < 12;
      value = queue.shift()
    ) {
      if (tried.some((one) => deepEqual(one, value as Json))) continue
      tried.push(value)
      const next = put(best, path, value)
      const problem = await refusal(next, path)
      if (problem === undefined) {
        best = next
        return
      }
      const supported = [...problem.matchAll(/supported values?: ((?:"[^"]*"(?:, )?)+)/g)]
      for (const [, list] of supported) {
        for (const [, text] of list!.matchAll(/"([^"]*)"/g)) queue.unshift(text!)
      }
    }
  }

  /** What the server has against it; undefined when it takes the field and keeps it. */
  async function refusal(object: Manifest, path: readonly Step[]): Promise<string | undefined> {
    asked++
    const namespace = getPath(object, 'metadata', 'namespace')
    const place = typeof namespace === 'string' ? { namespace } : {}
    try {
      const live = await client.create(resource, object, {
        ...place,
        dryRun: true,
        fieldValidation: 'Strict',
      })
      return at(live, path) === undefined ? 'dropped' : undefined
    } catch (error) {
      if (!isLitecdError(error)) throw error
      return error.message
    }
  }
}

function candidates(type: FieldType, name: string): readonly Json[] {
  switch (type.kind) {
    case 'pointer':
      return candidates(type.to, name)
    case 'list':
      return candidates(type.of, name).map((item) => [item])
    case 'map':
      return candidates(type.of, name).map((item) => ({ a: item }))
    case 'struct':
      return structs(type.struct)
    case 'scalar':
      return scalars(type.scalar, name)
  }
}

/** Empty, or with the fields that a struct of its kind cannot be without. */
function structs(type: StructType): readonly Json[] {
  const has = (field: string): boolean => type.field(field) !== undefined
  const made: Json[] = [{}]
  const some = (fields: Mutable): void => {
    const known = Object.entries(fields).filter(([field]) => has(field))
    if (known.length > 0) made.push(Object.fromEntries(known))
  }
  some({ name: 'a' })
  some({ name: 'a', key: 'k' })
  some({ name: 'a', namespace: 'ns1', key: 'k', kind: 'ConfigMap' })
  some({ kind: 'ConfigMap', name: 'a', apiGroup: 'example.com', apiVersion: 'v1' })
  some({ matchLabels: { a: 'b' } })
  some({ type: 'RuntimeDefault' })
  some({ port: 80 })
  some({ path: '/a' })
  some({ path: '/a', port: 80 })
  some({ command: ['a'] })
  some({ topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } })
  some({ weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } })
  some({ weight: 1, podAffinityTerm: { topologyKey: 'zone' } })
  some({ nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] })
  some({ key: 'a', operator: 'Exists' })
  some({ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' })
  some({ resource: 'limits.cpu', containerName: 'c', divisor: '100m' })
  some({ fieldPath: 'metadata.name' })
  some({ expression: 'true', name: 'a' })
  some({ expression: 'true', message: 'm' })
  some({ type: 'Pods', value: 1, periodSeconds: 60 })
  some({ stabilizationWindowSeconds: 60 })
  some({ ip: '10.1.2.3', hostnames: ['a.example.com'] })
  some({ hosts: ['a.example.com'], secretName: 's' })
  some({ service: { name: 's', port: { name: 'http' } } })
  some({ cidr: '10.0.0.0/8' })
  some({ driver: 'd.example.com', name: 'a' })
  some({ kind: 'User', user: { name: 'u' } })
  some({ subjects: [{ kind: 'Group', group: { name: 'g' } }] })
  some({ mountPath: '/m', name: 'v' })
  some({ devicePath: '/d', name: 'v' })
  return made
}

function scalars(type: string, name: string): readonly Json[] {
  switch (type) {
    case 'bool':
      return [true, false]
    case 'int32':
    case 'int64':
    case 'uint8':
    case 'uint16':
    case 'uint32':
      return [7, 1, 80, 1000, 0]
    case 'bytes':
      return ['YQ==']
    case 'quantity':
      return ['0.1', '1000m', '1024Mi']
    case 'intOrString':
      return ['25%', 80, 'http', 1]
    case 'time':
    case 'microTime':
      return ['2024-01-02T03:04:05.000000Z', '2024-01-02T03:04:05Z']
    case 'string':
      return texts(name)
    default:
      return ['10s', { a: 1 }, 1]
  }
}

function texts(name: string): readonly string[] {
  if (/path$/i.test(name)) return ['/a', 'a', 'metadata.name']
  if (/ip$|address/i.test(name)) return ['10.1.2.3', '10.96.0.77']
  if (/host$|hostname|domain/i.test(name)) return ['a.example.com', 'a']
  if (/zone/i.test(name)) return ['Europe/Berlin', 'a']
  if (/expression/i.test(name)) return ['true', "'a'"]
  if (/cidr/i.test(name)) return ['10.0.0.0/8']
  return ['a', 'a.example.com', 'Never', 'None', 'example.com/a', '/a', '1', 'v1', '']
}

function at(value: Json | undefined, path: readonly Step[]): Json | undefined {
  let current: Json | undefined = value
  for (const step of path) {
    if (Array.isArray(current)) current = current[step as number] as Json | undefined
    else if (isObject(current ?? null)) current = (current as Mutable)[step]
    else return undefined
  }
  return current ?? undefined
}

function put(value: Json, path: readonly Step[], item: Json): Manifest {
  const copy = structuredClone(value) as Manifest
  let current = copy as Json
  for (const step of path.slice(0, -1)) {
    const holder = current as Mutable
    if (holder[step] === undefined) holder[step] = {}
    current = holder[step]!
  }
  ;(current as Mutable)[path.at(-1)!] = item
  return copy
}
