import { describe, expect, it } from 'vitest'
import type { ResourceOverride } from '../argo/index.ts'
import type { Json } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { type ActionOptions, discoverActions, runAction } from './index.ts'

const widget: Manifest = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'b', labels: {} },
  spec: { paused: false, parts: [{ size: {} }], none: [] },
}
const scripts = {
  discoveryLua: `return {pause = {disabled = obj.spec.paused, iconClass = 'i'}, scale = {params = {{name = 'n'}}}, poke = {}}`,
  actions: {
    pause: 'obj.spec.paused = true return obj',
    scale: 'obj.spec.n = tonumber(actionParams["n"]) return obj',
    create: `local os = require('os')
      local made = {apiVersion = 'v1', kind = 'Note', metadata = {name = os.date('!%Y-%m-%d')}}
      return {{operation = 'create', resource = made}, {operation = 'patch', resource = obj}}`,
    odd: `return {{operation = 'delete', resource = obj}}`,
    bare: `return {{operation = 'create', resource = {apiVersion = 'v1'}}}`,
    text: `return 'x'`,
    long: 'while true do end',
    strings: `return string.upper('x')`,
  },
}
const options: ActionOptions = {
  health: { library: { 'example.com/Widget': scripts }, unknown: 'none' },
  clock: () => Date.UTC(2030, 4, 6),
}
const withUser = (actions: string): ActionOptions => {
  const override: ResourceOverride = { actions }
  return { ...options, overrides: { 'example.com/Widget': override } }
}

describe('discoverActions', () => {
  const shared = [
    { name: 'pause', disabled: false, iconClass: 'i' },
    { name: 'poke', disabled: false },
    { name: 'scale', disabled: false, params: [{ name: 'n' }] },
  ]
  it.each<[string, ActionOptions, Json]>([
    ['of the library', options, shared],
    ['none where nobody wrote a script', {}, []],
    [
      "the user's instead",
      withUser("discovery.lua: return {stop = {displayName = 'Stop'}}"),
      [{ name: 'stop', disabled: false, displayName: 'Stop' }],
    ],
    [
      'both, the first definition of a name',
      withUser('mergeBuiltinActions: true\ndiscovery.lua: return {poke = {disabled = true}}'),
      [shared[0]!, { name: 'poke', disabled: true }, shared[2]!],
    ],
  ])('%s', (_, given, expected) => {
    expect(discoverActions(widget, given)).toEqual(expected)
  })
})

describe('runAction', () => {
  it('keeps empty maps maps', () => {
    const [one] = runAction(widget, 'pause', {}, options)
    expect(one).toEqual({
      operation: 'patch',
      resource: { ...widget, spec: { paused: true, parts: [{ size: {} }], none: [] } },
    })
  })

  it('hands over parameters as texts', () => {
    const [one] = runAction(widget, 'scale', { n: '3' }, options)
    expect(one?.resource['spec']).toMatchObject({ n: 3 })
  })

  it('creates and patches', () => {
    const made = runAction(widget, 'create', {}, options)
    expect(made.map(({ operation }) => operation)).toEqual(['create', 'patch'])
    expect(made[0]?.resource['metadata']).toEqual({ name: '2030-05-06' })
  })

  it("takes the user's definition first", () => {
    const text = 'definitions: [{name: pause, action.lua: "obj.spec.paused = 1 return obj"}]'
    expect(runAction(widget, 'pause', {}, withUser(text))[0]?.resource['spec']).toMatchObject({
      paused: 1,
    })
  })

  it.each<[string, string]>([
    ['absent', 'built-in script does not exist'],
    ['odd', 'unsupported operation: "delete"'],
    ['bare', `Object 'Kind' is missing in '{"apiVersion":"v1"}'`],
    ['text', 'expect table output from Lua script, not string'],
    ['long', 'Lua script takes more than 2000000 steps'],
    ['strings', `<string>:1: attempt to index a non-table object(nil) with key 'upper'`],
  ])('%s fails', (name, message) => {
    expect(() => runAction(widget, name, {}, options)).toThrow(message)
  })
})
