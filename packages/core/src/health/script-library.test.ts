import { describe, expect, it } from 'vitest'
import { memoryTree } from '../files/index.ts'
import type { Manifest } from '../kube/index.ts'
import { assessHealth, readScriptLibrary } from './index.ts'

const says = (message: string): string => `return {status = 'Healthy', message = '${message}'}`
const library = readScriptLibrary(
  memoryTree({
    'lua/example.com/Widget/health.lua': says('own'),
    'lua/_.example.com/_/health.lua': says('any group below'),
    'lua/_.example.com/Gadget/health.lua': says('later in byte order'),
    'lua/Pod/health.lua': says('core'),
    'lua/apps/Deployment/actions/pause/action.lua': 'return obj',
    'lua/apps/Deployment/actions/discovery.lua': 'return {}',
    'lua/apps/Deployment/testdata/health.lua.txt': '',
    'elsewhere/example.com/Widget/health.lua': says('elsewhere'),
  }),
  'lua',
)

const object = (apiVersion: string, kind: string): Manifest => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  spec: { paused: true },
})

describe('readScriptLibrary', () => {
  it('files scripts by the folder of the kind', () => {
    expect(Object.keys(library).sort()).toEqual([
      'Pod',
      '_.example.com/Gadget',
      '_.example.com/_',
      'apps/Deployment',
      'example.com/Widget',
    ])
    expect(library['apps/Deployment']).toEqual({
      discoveryLua: 'return {}',
      actions: { pause: 'return obj' },
    })
  })

  it.each<[string, string, string | undefined]>([
    ['example.com/v1', 'Widget', 'own'],
    ['a.example.com/v1', 'Widget', 'any group below'],
    ['a.b.example.com/v1', 'Thing', 'any group below'],
    ['a.example.com/v1', 'Gadget', 'later in byte order'],
    ['v1', 'Pod', 'core'],
    ['example.com/v1', 'Thing', undefined],
    ['apps/v1', 'Deployment', 'Deployment is paused'],
  ])('%s %s', (apiVersion, kind, message) => {
    const options = { health: { library, unknown: 'none' as const } }
    expect(assessHealth(object(apiVersion, kind), options).health?.message).toBe(message)
  })

  it('opens the libraries for scripts of the folder, and gives them the time', () => {
    const health = {
      library: readScriptLibrary(
        memoryTree({
          'e/W/health.lua': `return {status = 'Healthy', message = string.upper(os.date('!%Y'))}`,
        }),
      ),
      unknown: 'none' as const,
    }
    const clock = (): number => Date.UTC(2031, 1, 1)
    expect(assessHealth(object('e/v1', 'W'), { health, clock }).health?.message).toBe('2031')
  })

  it("gives way to the user's own override", () => {
    const options = {
      health: { library, unknown: 'none' as const },
      overrides: { 'example.com/Widget': { healthLua: says('override') } },
    }
    expect(assessHealth(object('example.com/v1', 'Widget'), options).health?.message).toBe(
      'override',
    )
  })
})
