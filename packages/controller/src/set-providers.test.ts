import { readAppsetSettings } from '@litecd/core/appset'
import { describe, expect, it } from 'vitest'
import { createLogger } from './log/index.ts'
import { setProviders } from './set-providers.ts'

const open = (params: { readonly [key: string]: string }): unknown => {
  const client = {} as never // nothing is asked
  const log = createLogger('error', () => {})
  return setProviders(
    { client, namespace: 'argocd', environment: {}, log },
    readAppsetSettings(params, {}),
  )
}

describe('ApplicationSets of other namespaces', () => {
  const namespaces = { 'applicationsetcontroller.namespaces': 'argocd,team-*' }

  it('need a list of hosts, or none at all', () => {
    expect(() => open(namespaces)).toThrow(
      'When enabling applicationset in any namespace using applicationset-namespaces, you must either set --enable-scm-providers=false or specify --allowed-scm-providers',
    )
    const hosts = { 'applicationsetcontroller.allowed.scm.providers': 'https://git.example.com/' }
    expect(() => open({ ...namespaces, ...hosts })).not.toThrow()
    const off = { 'applicationsetcontroller.enable.scm.providers': 'false' }
    expect(() => open({ ...namespaces, ...off })).not.toThrow()
  })

  it('are not those of Argo CD itself', () => {
    expect(() => open({ 'applicationsetcontroller.namespaces': 'argocd' })).not.toThrow()
    expect(() => open({})).not.toThrow()
  })
})
