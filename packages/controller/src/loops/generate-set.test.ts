import type { ProviderReader, ProviderRequest } from '@litecd/core/adapters'
import { type ApplicationSet, readAppsetSettings } from '@litecd/core/appset'
import { SourceError } from '@litecd/core/errors'
import type { JsonObject } from '@litecd/core/json'
import { describe, expect, it } from 'vitest'
import { generateSet } from './generate-set.ts'

const setOf = (generators: readonly JsonObject[]): ApplicationSet =>
  ({
    metadata: { name: 'set', namespace: 'argocd' },
    spec: {
      goTemplate: true,
      generators,
      template: { metadata: { name: 'x-{{ .repository }}' }, spec: { project: 'default' } },
    },
  }) as never

interface Asked {
  readonly requests: ProviderRequest[]
  most: number
}

/** Answers with this many repositories, and remembers how it was asked. */
function world(
  count: number,
  params: { readonly [key: string]: string } = {},
): { readonly asked: Asked; run(generators: readonly JsonObject[]): Promise<readonly string[]> } {
  const asked: Asked = { requests: [], most: 0 }
  let now = 0
  const answer = async (request: ProviderRequest): Promise<unknown> => {
    asked.requests.push(request)
    now += 1
    asked.most = Math.max(asked.most, now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    if (request.ask === 'branches') return [{ name: 'main', sha: 'abc' }]
    if (request.ask !== 'repositories') throw new SourceError('SOURCE_REFUSED', 'not that')
    return Array.from({ length: count }, (_, index) => ({
      organization: 'acme',
      repository: `r${index}`,
      id: index,
      cloneUrls: { ssh: 'x' },
      branch: 'main',
      labels: [],
    }))
  }
  return {
    asked,
    run: async (generators) => {
      const applications = await generateSet(setOf(generators), {
        argo: { project: () => undefined, clusterFacts: () => [], verifiesCommits: () => true },
        sources: {} as never,
        providers: { read: answer } as ProviderReader,
        settings: () => readAppsetSettings(params, {}),
      })
      return applications.map(({ metadata }) => metadata.name)
    },
  }
}

const scm = (api?: string): JsonObject => ({
  scmProvider: { github: { organization: 'acme', ...(api === undefined ? {} : { api }) } },
})

describe('generating a set with providers', () => {
  it('asks for every fact once, some at the same time', async () => {
    const { asked, run } = world(20)
    expect(await run([scm(), scm()])).toHaveLength(40)
    expect(asked.requests).toHaveLength(21)
    expect(asked.most).toBe(4)
  })

  it('does not ask hosts that are not allowed', async () => {
    const hosts = { 'applicationsetcontroller.allowed.scm.providers': 'https://good' }
    const { asked, run } = world(1, hosts)
    await expect(run([scm('https://bad')])).rejects.toMatchObject({
      code: 'APPSET_FAILED',
      message:
        'scm provider not allowed: scm provider "https://bad" not allowed, must use one of the following: https://good',
    })
    expect(asked.requests).toEqual([])
    expect(await run([scm('https://good')])).toEqual(['x-r0'])
  })

  it('asks nobody where providers are switched off', async () => {
    const { asked, run } = world(1, { 'applicationsetcontroller.enable.scm.providers': 'false' })
    await expect(run([scm()])).rejects.toThrow('scm providers are disabled')
    expect(asked.requests).toEqual([])
  })

  it('fails with what the provider says', async () => {
    const { run } = world(1)
    await expect(run([{ plugin: { configMapRef: { name: 'x' } } }])).rejects.toMatchObject({
      code: 'APPSET_FAILED',
      message: 'not that',
    })
  })
})
