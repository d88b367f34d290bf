import { describe, expect, it } from 'vitest'
import { formatPath, type PathStep, parsePath, positionsOf } from './path.ts'

describe('paths', () => {
  it.each<[string, readonly PathStep[]]>([
    ['spec.replicas', ['spec', 'replicas']],
    ['spec.containers[name=web].image', ['spec', 'containers', { name: 'web' }, 'image']],
    [
      'spec.ports[port=80,protocol=TCP].nodePort',
      ['spec', 'ports', { port: 80, protocol: 'TCP' }, 'nodePort'],
    ],
    ['spec.args[value=--v]', ['spec', 'args', { value: '--v' }]],
    ['data["app.yaml"]', ['data', 'app.yaml']],
    ['metadata.annotations["a]b"]', ['metadata', 'annotations', 'a]b']],
    ['spec.rules[0].http', ['spec', 'rules', 0, 'http']],
  ])('%s is read as it is written', (text, steps) => {
    expect(parsePath(text)).toEqual(steps)
    expect(formatPath(steps)).toBe(text)
  })

  it.each<[string, readonly PathStep[]]>([
    ['/spec/rules/0/host', ['spec', 'rules', 0, 'host']],
    ['/metadata/annotations/a~1b', ['metadata', 'annotations', 'a/b']],
    ['.spec.replicas', ['spec', 'replicas']],
    ['', []],
  ])('%s is read too', (text, steps) => {
    expect(parsePath(text)).toEqual(steps)
  })

  it.each([
    ['spec..replicas', 6],
    ['spec.', 5],
    ['spec[name=web', 5],
    ['spec]', 5],
  ])('%s is none', (text, at) => {
    expect(() => parsePath(text)).toThrow(`not a path from character ${at} on`)
  })

  it('leads to positions where it leads somewhere', () => {
    const manifest = {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { containers: [{ name: 'a' }, { name: 'b', args: ['x', 'y'] }] },
    }
    const at = (text: string) => positionsOf(manifest, parsePath(text))
    expect(at('spec.containers[name=b].args[value=y]')).toEqual([
      'spec',
      'containers',
      1,
      'args',
      1,
    ])
    expect(at('spec.containers[name=c]')).toBeUndefined()
    expect(at('spec.containers.name')).toBeUndefined()
  })
})
