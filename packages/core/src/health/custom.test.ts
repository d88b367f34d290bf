import { describe, expect, it } from 'vitest'
import type { ResourceOverride } from '../argo/index.ts'
import type { Manifest } from '../kube/index.ts'
import { assessHealth } from './index.ts'

const pod: Manifest = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  status: { phase: 'Pending' },
}
const issuer: Manifest = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Issuer',
  metadata: { name: 'a' },
}

function lua(healthLua: string, useOpenLibs?: boolean): ResourceOverride {
  return { healthLua, ...(useOpenLibs === undefined ? {} : { useOpenLibs }) }
}
const says = (status: string): ResourceOverride =>
  lua(`return {status = "${status}", message = obj.kind}`)

describe('overrides', () => {
  it.each<[string, Manifest, { [key: string]: ResourceOverride }, string | undefined]>([
    ['an exact key', pod, { Pod: says('Degraded') }, 'Degraded'],
    [
      'an exact key before a glob',
      pod,
      { '*': says('Healthy'), Pod: says('Degraded') },
      'Degraded',
    ],
    ['a glob over a core kind', pod, { 'P*': says('Degraded') }, 'Degraded'],
    ['*/* never fits a core kind', pod, { '*/*': says('Degraded') }, 'Progressing'],
    ['* crosses the slash', issuer, { '*': says('Degraded') }, 'Degraded'],
    ['a glob in the group', issuer, { '*.io/Issuer': says('Degraded') }, 'Degraded'],
    ['before the library', issuer, { 'cert-manager.io/Issuer': says('Suspended') }, 'Suspended'],
    [
      'without a script the library decides',
      issuer,
      { 'cert-manager.io/Issuer': {} },
      'Progressing',
    ],
    ['an empty answer hides the built-in check', pod, { Pod: lua('return {}') }, undefined],
    ['no answer as well', pod, { Pod: lua('local x = 1') }, undefined],
    [
      'a wrong type as well',
      pod,
      { Pod: lua('return {status = "Healthy", message = {1}}') },
      undefined,
    ],
  ])('%s', (_, live, overrides, expected) => {
    expect(assessHealth(live, { overrides }).health?.status).toBe(expected)
  })

  it.each<[string, ResourceOverride, string, boolean]>([
    [
      'a status that is none',
      lua('return {status = "Fine"}'),
      'Lua returned an invalid health status',
      false,
    ],
    ['no status', lua('return {message = "x"}'), 'Lua returned an invalid health status', false],
    ['no table', lua('return "Healthy"'), 'expect table output from Lua script, not string', true],
    [
      'a failure',
      lua('\nreturn obj.spec.x'),
      "<string>:2: attempt to index a non-table object(nil) with key 'x'",
      true,
    ],
    [
      'closed libraries',
      lua('return string.lower("A")'),
      "<string>:1: attempt to index a non-table object(nil) with key 'lower'",
      true,
    ],
  ])('%s is Unknown', (_, override, message, isError) => {
    const { health, error } = assessHealth(pod, { overrides: { Pod: override } })
    expect(health).toEqual({ status: 'Unknown', message })
    expect(error).toBe(isError ? `failed to get resource health for /a: ${message}` : undefined)
  })

  it('opens the libraries when told to', () => {
    const override = lua('return {status = "Healthy", message = ("A"):lower()}', true)
    expect(assessHealth(pod, { overrides: { Pod: override } }).health).toEqual({
      status: 'Healthy',
      message: 'a',
    })
  })

  it('ends an endless script', () => {
    expect(assessHealth(pod, { overrides: { Pod: lua('while true do end') } }).error).toMatch(
      /takes more than .* steps/,
    )
  })
})
