import { describe, expect, it } from 'vitest'
import { type Application, type AppProject, defaultSettings } from '../argo/index.ts'
import { SourceError } from '../errors/index.ts'
import { memoryTree } from '../files/index.ts'
import { renderApplication } from './render.ts'

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: {
    project: 'team',
    destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
    source: { repoURL: 'https://git.example.com/x', path: 'web' },
  },
}
const repository = 'https://charts.example.com/stable'
const tree = memoryTree({
  'web/Chart.yaml': `apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: lib, version: 1.x, repository: '${repository}'}]\n`,
})

async function failureWith(sourceRepos: readonly string[]): Promise<string> {
  const project: AppProject = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'team', namespace: 'argocd' },
    spec: { sourceRepos },
  }
  const outcome = await renderApplication(
    app,
    {
      sources: {
        resolve: async (request) => {
          if (request.type !== 'helm') return 'a'.repeat(40)
          const reason = `looks like "${request.url}" is not a valid chart repository or cannot be reached: no`
          throw new SourceError('SOURCE_UNREACHABLE', reason, { data: { stage: 'index', reason } })
        },
        fetch: async () => tree,
      },
    },
    { settings: defaultSettings, facts: { kubeVersion: 'v1.36.1', apiVersions: [] }, project },
  )
  return 'failure' in outcome ? outcome.failure.message : ''
}

describe('repositories of chart dependencies', () => {
  const start = 'failed to generate manifest for source 1 of 1: rpc error: code = '

  it.each([
    [['https://git.example.com/*']],
    [['*', '!https://charts.example.com/*']],
    [['https://charts.example.com/s']],
  ])('are held against the project when they cannot be reached: %j', async (sourceRepos) => {
    expect(await failureWith(sourceRepos)).toBe(
      `${start}PermissionDenied desc = helm repos ${repository} are not permitted in project 'team'`,
    )
  })

  it.each([[['*']], [['https://charts.example.com/*']]])(
    'tell why they cannot be reached where %j permits them',
    async (sourceRepos) => {
      expect(await failureWith(sourceRepos)).toContain(
        `${start}Unknown desc = error building helm chart dependencies: failed to add helm repository`,
      )
    },
  )
})
