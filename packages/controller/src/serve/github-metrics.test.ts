import { expect, it } from 'vitest'
import { GithubMetrics } from './github-metrics.ts'

const call = {
  provider: 'github',
  set: { namespace: 'team', name: 'set' },
  method: 'GET',
  path: '/api/v3/orgs/acme/repos',
  status: 200,
  seconds: 0.02,
  limits: {
    'x-ratelimit-remaining': '59',
    'x-ratelimit-limit': '60',
    'x-ratelimit-reset': '1090',
    'x-ratelimit-used': '1',
    'x-ratelimit-resource': 'core',
  },
}

it('counts requests to GitHub and tells what it says about its limits', () => {
  const metrics = new GithubMetrics(() => 1_000_000)
  expect(metrics.lines()).toEqual([])
  metrics.observe(call)
  metrics.observe({ ...call, status: 403, seconds: 20, limits: {} })
  const place = 'endpoint="/api/v3/orgs/acme/repos",appset_namespace="team",appset_name="set"'
  const lines = metrics.lines()
  expect(lines).toContain(`argocd_github_api_requests_total{method="GET",${place},status="200"} 1`)
  expect(lines).toContain(`argocd_github_api_requests_total{method="GET",${place},status="403"} 1`)
  const duration = 'argocd_github_api_request_duration_seconds'
  expect(lines).toContain(`${duration}_bucket{method="GET",${place},le="0.025"} 1`)
  expect(lines).toContain(`${duration}_bucket{method="GET",${place},le="+Inf"} 2`)
  expect(lines).toContain(`${duration}_count{method="GET",${place}} 2`)
  for (const [metric, value] of [
    ['remaining', 59],
    ['limit', 60],
    ['reset_seconds', 90],
    ['used', 1],
  ]) {
    expect(lines).toContain(
      `argocd_github_api_rate_limit_${metric}{${place},resource="core"} ${value}`,
    )
  }
})

it('does not grow without end', () => {
  const metrics = new GithubMetrics()
  for (let index = 0; index < 5_000; index++) metrics.observe({ ...call, path: `/${index}` })
  const counted = metrics
    .lines()
    .filter((line) => line.startsWith('argocd_github_api_requests_total{'))
  expect(counted).toHaveLength(2_000)
})
