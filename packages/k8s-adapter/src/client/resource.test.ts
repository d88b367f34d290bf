import { describe, expect, it } from 'vitest'
import { configMaps, resourcePath } from './resource.ts'

describe('resourcePath', () => {
  it('leads to one object, or to all without a name', () => {
    expect(resourcePath(configMaps, { namespace: 'a', name: 'b:c' })).toBe(
      '/api/v1/namespaces/a/configmaps/b%3Ac',
    )
    expect(resourcePath(configMaps, { namespace: 'a' })).toBe('/api/v1/namespaces/a/configmaps')
  })

  it.each([
    ['', 'resource name may not be empty'],
    ['.', "may not be '.'"],
    ['..', "may not be '..'"],
    ['a/b', "may not contain '/'"],
    ['a%2fb', "may not contain '%'"],
  ])('refuses the name %j, which would lead elsewhere', (name, message) => {
    expect(() => resourcePath(configMaps, { namespace: 'a', name })).toThrow(message)
  })

  it('refuses such namespaces', () => {
    expect(() => resourcePath(configMaps, { namespace: '..', name: 'a' })).toThrow(
      'invalid namespace',
    )
  })
})
