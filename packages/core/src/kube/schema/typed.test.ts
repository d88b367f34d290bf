import { describe, expect, it } from 'vitest'
import { deepFreeze, type JsonObject } from '../../json/index.ts'
import { structOfKind, throughStruct } from './index.ts'

function given(object: JsonObject, apiVersion = 'v1', kind = 'Pod'): JsonObject | undefined {
  const struct = structOfKind(apiVersion, kind)!
  return throughStruct(deepFreeze(object), struct, { strict: true, fields: 'given' })
}

function container(fields: JsonObject): JsonObject {
  return { spec: { containers: [fields] } }
}

describe('throughStruct', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'quantities',
      container({ resources: { limits: { cpu: 0.2, memory: '1024Mi', x: 1 } } }),
      container({ resources: { limits: { cpu: '200m', memory: '1Gi', x: '1' } } }),
    ],
    [
      'empty values of omitempty fields go',
      container({ env: [], image: '', tty: false, ports: [{ containerPort: 0, hostPort: 0 }] }),
      container({ ports: [{ containerPort: 0 }] }),
    ],
    [
      'empty structs stay',
      { spec: { affinity: {}, securityContext: {} } },
      { spec: { affinity: {}, securityContext: {} } },
    ],
    ['nulls of pointers go', { spec: { affinity: null, hostUsers: null } }, { spec: {} }],
    [
      'nulls of lists and scalars go',
      { metadata: { labels: null, name: null }, spec: { nodeName: null } },
      { metadata: {}, spec: {} },
    ],
    [
      'a null that Go always writes stays',
      { spec: { containers: null } },
      { spec: { containers: null } },
    ],
    [
      'a null struct becomes an empty one',
      container({ resources: null }),
      container({ resources: {} }),
    ],
    [
      'a null map value becomes zero',
      { metadata: { labels: { a: null } } },
      { metadata: { labels: { a: '' } } },
    ],
    ['creationTimestamp null goes', { metadata: { creationTimestamp: null } }, { metadata: {} }],
    [
      'times in seconds and UTC',
      { metadata: { creationTimestamp: '2024-01-02T03:04:05.678+02:00' } },
      { metadata: { creationTimestamp: '2024-01-02T01:04:05Z' } },
    ],
    [
      'int or string',
      container({
        livenessProbe: { httpGet: { port: 80 } },
        readinessProbe: { httpGet: { port: 'http' } },
      }),
      container({
        livenessProbe: { httpGet: { port: 80 } },
        readinessProbe: { httpGet: { port: 'http' } },
      }),
    ],
    [
      'a name of another case is read and then forgotten',
      { spec: { Containers: [] } },
      { spec: {} },
    ],
  ])('%s', (_, object, want) => {
    expect(given(object)).toEqual(want)
  })

  it('keeps microseconds where Kubernetes does, and asks for them', () => {
    const lease = (renewTime: string): JsonObject | undefined =>
      given({ spec: { renewTime } }, 'coordination.k8s.io/v1', 'Lease')
    const renewTime = '2024-01-02T03:04:05.123456Z'
    expect(lease('2024-01-02T05:04:05.123456+02:00')).toEqual({ spec: { renewTime } })
    expect(lease('2024-01-02T03:04:05Z')).toBeUndefined()
  })

  it('writes base64 again', () => {
    expect(given({ data: { a: 'YW\nI=', b: null } }, 'v1', 'Secret')).toEqual({
      data: { a: 'YWI=', b: null },
    })
  })

  it.each<[string, JsonObject]>([
    ['unknown field', container({ colour: 'red' })],
    ['unknown field at the top', { colour: 'red' }],
    ['string for a number', { spec: { terminationGracePeriodSeconds: '30' } }],
    ['number for a string', { spec: { nodeName: 1 } }],
    ['fraction for an integer', { spec: { terminationGracePeriodSeconds: 1.5 } }],
    ['too big for int32', container({ ports: [{ containerPort: 2 ** 31 }] })],
    ['invalid quantity', container({ resources: { limits: { cpu: 'lots' } } })],
    ['invalid time', { metadata: { creationTimestamp: '2024-02-30T00:00:00Z' } }],
    ['list for a map', { metadata: { labels: [] } }],
    ['map for a list', { spec: { containers: {} } }],
    ['boolean for int or string', container({ livenessProbe: { httpGet: { port: true } } })],
  ])('cannot hold: %s', (_, object) => {
    expect(given(object)).toBeUndefined()
  })

  it('cannot hold what is no base64', () => {
    expect(given({ data: { a: 'YW' } }, 'v1', 'Secret')).toBeUndefined()
    expect(given({ data: { a: 'Ä' } }, 'v1', 'Secret')).toBeUndefined()
  })

  it('drops unknown fields when not strict, and writes all fields when asked', () => {
    const struct = structOfKind('apps/v1', 'Deployment')!
    const object = { colour: 'red', spec: { replicas: 1, template: { spec: {} } } }
    expect(throughStruct(object, struct, { strict: false, fields: 'given' })).toEqual({
      spec: { replicas: 1, template: { spec: {} } },
    })
    expect(throughStruct(object, struct, { strict: false, fields: 'all' })).toEqual({
      metadata: {},
      spec: {
        replicas: 1,
        selector: null,
        strategy: {},
        template: { metadata: {}, spec: { containers: null } },
      },
      status: {},
    })
  })
})
