import { expect, it } from 'vitest'
import type { JsonObject } from '../json/index.ts'
import { assessHealth } from './index.ts'

const conditions = (...list: JsonObject[]): JsonObject => ({ status: { conditions: list } })

it.each<[string, JsonObject, string, string | undefined]>([
  ['nothing known', {}, 'Healthy', 'Resource is current'],
  [
    'a generation not observed',
    { metadata: { generation: 3 }, status: { observedGeneration: 2 } },
    'Progressing',
    'Widget generation is 3, but latest observed generation is 2',
  ],
  [
    'Reconciling before Ready',
    conditions(
      { type: 'Ready', status: 'True' },
      { type: 'Reconciling', status: 'True', message: 'busy' },
    ),
    'Progressing',
    'busy',
  ],
  ['Stalled', conditions({ type: 'Stalled', status: 'True', message: 'no' }), 'Degraded', 'no'],
  [
    'Ready',
    conditions({ type: 'Ready', status: 'True', message: 'm' }),
    'Healthy',
    'Resource is Ready',
  ],
  ['not Ready', conditions({ type: 'Ready', status: 'False', message: 'm' }), 'Progressing', 'm'],
  ['Ready unknown', conditions({ type: 'Ready', status: 'Unknown' }), 'Progressing', undefined],
  ['Ready odd', conditions({ type: 'Ready', status: 'Odd' }), 'Healthy', 'Resource is current'],
])('%s', (_, rest, status, message) => {
  const live = { apiVersion: 'e/v1', kind: 'Widget', ...rest }
  expect(assessHealth(live).health).toBeUndefined()
  const { health } = assessHealth(live, { health: { library: {}, unknown: 'kstatus' } })
  expect([health?.status, health?.message]).toEqual([status, message])
})

it('leaves kinds with a check alone', () => {
  const live = { apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer' } }
  const options = { health: { library: {}, unknown: 'kstatus' as const } }
  expect(assessHealth(live, options).health).toEqual({ status: 'Progressing' })
})
