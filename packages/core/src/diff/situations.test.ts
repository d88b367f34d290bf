import { describe, expect, it } from 'vitest'
import { type Application, defaultSettings } from '../argo/index.ts'
import { keyOf, type Manifest } from '../kube/index.ts'
import { parseYaml } from '../yaml/index.ts'
import { compileDiffRules, diffPairs } from './index.ts'

// The situations of Argo CD's own tables for comparisons, in objects of our own; those that pairs.test.ts does not have.
// Source: argo-cd v3.5.1 gitops-engine/pkg/diff/diff_test.go

type Way = 'client-side' | 'server-side'
type Row = readonly [what: string, way: Way, target: string, live: string, modified: boolean]

const named = (text: string): Manifest => {
  const value = parseYaml(text, { numbers: 'int64' }) as Manifest
  const own = (value['metadata'] ?? {}) as object
  return { ...value, metadata: { name: 'a', ...own } } as Manifest
}

/** As kubectl leaves it behind. */
const applied = (before: string, live: string): string => {
  const last = JSON.stringify(named(before))
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': last }
  return JSON.stringify({ ...named(live), metadata: { name: 'a', annotations } })
}

const workload = (spec: string): string => `{apiVersion: apps/v1, kind: Deployment, spec: ${spec}}`
const labels = 'selector: {matchLabels: {a: b}}'
const containers = (list: string, more = ''): string =>
  workload(
    `{${labels}, ${more}template: {metadata: {labels: {a: b}}, spec: {containers: ${list}}}}`,
  )
const thing = (spec: string): string => `{apiVersion: example.com/v1, kind: Thing, spec: ${spec}}`
const role = (rest: string): string =>
  `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, ${rest}}`
const secret = (rest: string): string => `{apiVersion: v1, kind: Secret, ${rest}}`
const service = (ports: string): string =>
  `{apiVersion: v1, kind: Service, spec: {ports: ${ports}}}`
const endpoints = (addresses: string): string =>
  `{apiVersion: v1, kind: Endpoints, subsets: [{addresses: ${addresses}, ports: [{port: 80}]}]}`
const hpa = (maximum: number, managed = ''): string =>
  `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a${managed}}, spec: {maxReplicas: ${maximum}, scaleTargetRef: {kind: Deployment, name: d}}}`
const byOldVersion =
  ', managedFields: [{manager: argocd-controller, operation: Apply, apiVersion: autoscaling/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:maxReplicas": {}, "f:scaleTargetRef": {}}}}]'
const ports =
  ', managedFields: [{manager: argocd-controller, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:ports": {"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}": {".": {}, "f:port": {}}, "k:{\\"port\\":81,\\"protocol\\":\\"TCP\\"}": {".": {}, "f:port": {}}}}}}]'

const rows: readonly Row[] = [
  [
    'nothing in the place of a map',
    'client-side',
    thing('{a: null, b: 1}'),
    thing('{b: 1}'),
    false,
  ],
  [
    'nothing in the place of a list',
    'client-side',
    containers('[{name: c, args: null}]'),
    containers('[{name: c}]'),
    false,
  ],
  ['nothing on the live side', 'client-side', thing('{}'), thing('{a: null}'), false],
  ['the same list', 'client-side', thing('{a: [x, y]}'), thing('{a: [x, y]}'), false],
  ['a longer list', 'client-side', thing('{a: [x, y, z]}'), thing('{a: [x, y]}'), true],
  ['a longer live list', 'client-side', thing('{a: [x]}'), thing('{a: [x, y]}'), true],
  ['another item', 'client-side', thing('{a: [x]}'), thing('{a: [y]}'), true],
  [
    'an object in a list with more on the live side',
    'client-side',
    thing('{a: [{n: 1}]}'),
    thing('{a: [{n: 1, m: 2}]}'),
    false,
  ],
  [
    'a container that Git dropped',
    'client-side',
    containers('[{name: c}]'),
    applied(containers('[{name: c}, {name: d}]'), containers('[{name: c}, {name: d}]')),
    true,
  ],
  [
    'a container that somebody else added',
    'client-side',
    containers('[{name: c}]'),
    applied(containers('[{name: c}]'), containers('[{name: c}, {name: d}]')),
    false,
  ],
  [
    'replicas that Git dropped',
    'client-side',
    containers('[{name: c}]'),
    applied(containers('[{name: c}]', 'replicas: 3, '), containers('[{name: c}]', 'replicas: 3, ')),
    true,
  ],
  [
    'replicas that Git never had',
    'client-side',
    containers('[{name: c}]'),
    applied(containers('[{name: c}]'), containers('[{name: c}]', 'replicas: 3, ')),
    false,
  ],
  [
    'an unknown field on both sides',
    'client-side',
    workload('{colour: red, replicas: 2}'),
    workload('{colour: red, replicas: 2}'),
    false,
  ],
  [
    'an unknown field makes quantities texts',
    'client-side',
    containers('[{name: c, colour: red, resources: {limits: {cpu: 0.1}}}]'),
    containers('[{name: c, colour: red, resources: {limits: {cpu: 100m}}}]'),
    true,
  ],
  ['rules that are nothing', 'client-side', role('rules: null'), role('rules: []'), false],
  [
    'rules of an aggregated role',
    'client-side',
    role('aggregationRule: {clusterRoleSelectors: []}, rules: []'),
    role('aggregationRule: {clusterRoleSelectors: []}, rules: [{verbs: [get]}]'),
    true,
  ],
  [
    'data that is nothing',
    'client-side',
    secret('data: {a: null}'),
    secret('data: {a: ""}'),
    false,
  ],
  ['plain data', 'client-side', secret('stringData: {a: x}'), secret('data: {a: eA==}'), false],
  [
    'other plain data',
    'client-side',
    secret('stringData: {a: y}'),
    secret('data: {a: eA==}'),
    true,
  ],
  [
    'a time of creation that is nothing',
    'client-side',
    '{apiVersion: v1, kind: ConfigMap, metadata: {name: a, creationTimestamp: null}, data: {a: b}}',
    '{apiVersion: v1, kind: ConfigMap, metadata: {name: a, creationTimestamp: "2024-01-02T03:04:05Z"}, data: {a: b}}',
    false,
  ],
  [
    'addresses in another order',
    'client-side',
    endpoints('[{ip: 10.0.0.2}, {ip: 10.0.0.1}]'),
    endpoints('[{ip: 10.0.0.1}, {ip: 10.0.0.2}]'),
    false,
  ],
  [
    'a namespace that only the live object has',
    'client-side',
    '{apiVersion: v1, kind: ConfigMap, data: {a: b}}',
    '{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: n}, data: {a: b}}',
    false,
  ],
  [
    'defaults',
    'server-side',
    service('[{port: 80}]'),
    service('[{port: 80, protocol: TCP, targetPort: 80}]'),
    false,
  ],
  [
    'one more port',
    'server-side',
    service('[{port: 80}, {port: 81}]'),
    service('[{port: 80, protocol: TCP, targetPort: 80}]'),
    true,
  ],
  [
    'a port of ours that Git dropped',
    'server-side',
    service('[{port: 80}]'),
    `{apiVersion: v1, kind: Service, metadata: {name: a${ports}}, spec: {ports: [{port: 80, protocol: TCP, targetPort: 80}, {port: 81, protocol: TCP, targetPort: 81}]}}`,
    true,
  ],
  ['owned in another version', 'server-side', hpa(3), hpa(3, byOldVersion), false],
  ['owned in another version, and changed', 'server-side', hpa(4), hpa(3, byOldVersion), true],
]

const app = (options: readonly string[]): Application =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop' },
    spec: { project: 'default', destination: {}, syncPolicy: { syncOptions: options } },
  }) as unknown as Application

const rules = {
  'client-side': compileDiffRules(app([]), defaultSettings),
  'server-side': compileDiffRules(app(['ServerSideApply=true']), defaultSettings),
}

describe('what is a difference', () => {
  it.each(rows)('%s, %s', (_, way, target, live, modified) => {
    const pair = { key: keyOf(named(target)), target: named(target), live: named(live) }
    expect(diffPairs([pair], rules[way])[0]?.modified).toBe(modified)
  })
})
