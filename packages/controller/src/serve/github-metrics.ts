import type { ApiCall } from '@litecd/k8s-adapter/scm'
import { escapeLabel } from './labels.ts'

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] // client_golang DefBuckets
/** Paths name repositories and branches, so there may be many; the oldest go. */
const maxSeries = 2_000

interface Times {
  readonly counts: number[]
  sum: number
}

const limits: readonly (readonly [metric: string, header: string, help: string])[] = [
  [
    'remaining',
    'x-ratelimit-remaining',
    'The number of requests remaining in the current rate limit window',
  ],
  ['limit', 'x-ratelimit-limit', 'The maximum number of requests that you can make per hour'],
  [
    'reset_seconds',
    'x-ratelimit-reset',
    'The time left till the current rate limit window resets, in seconds',
  ],
  ['used', 'x-ratelimit-used', 'The number of requests used in the current rate limit window'],
]

/**
 * Requests to GitHub on behalf of ApplicationSets, and what GitHub says about its limits.
 *
 * Source: argo-cd v3.5.1 applicationset/services/github_metrics.go
 */
export class GithubMetrics {
  private readonly now: () => number
  private readonly requests = new Map<string, number>()
  private readonly times = new Map<string, Times>()
  private readonly gauges = new Map<string, Map<string, number>>()

  constructor(now: () => number = Date.now) {
    this.now = now
  }

  observe({ method, path, status, seconds, set, limits: told }: ApiCall): void {
    const place = `endpoint="${escapeLabel(path)}",appset_namespace="${escapeLabel(set.namespace)}",appset_name="${escapeLabel(set.name)}"`
    const request = `method="${method}",${place}`
    const counted = `${request},status="${status}"`
    keep(this.requests, counted, (this.requests.get(counted) ?? 0) + 1)
    const times = this.times.get(request) ?? { counts: buckets.map(() => 0).concat(0), sum: 0 }
    const index = buckets.findIndex((limit) => seconds <= limit)
    const at = index === -1 ? buckets.length : index
    times.counts[at] = (times.counts[at] ?? 0) + 1
    times.sum += seconds
    keep(this.times, request, times)
    const labels = `${place},resource="${escapeLabel(told['x-ratelimit-resource'] ?? '')}"`
    for (const [metric, header] of limits) {
      const value = told[header]
      if (value === undefined || !/^\d+$/.test(value)) continue
      const series = this.gauges.get(metric) ?? new Map<string, number>()
      this.gauges.set(metric, series)
      const number = Number(value)
      keep(
        series,
        labels,
        metric === 'reset_seconds' ? number - Math.floor(this.now() / 1000) : number,
      )
    }
  }

  lines(): readonly string[] {
    if (this.requests.size === 0) return []
    const out: string[] = []
    const begin = (name: string, help: string, type: string): void => {
      out.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
    }
    const total = 'argocd_github_api_requests_total'
    begin(total, 'Total number of GitHub API requests', 'counter')
    for (const [labels, count] of this.requests) out.push(`${total}{${labels}} ${count}`)
    const duration = 'argocd_github_api_request_duration_seconds'
    begin(duration, 'GitHub API request duration in seconds', 'histogram')
    for (const [labels, { counts, sum }] of this.times) {
      let below = 0
      for (const [index, count] of counts.entries()) {
        below += count
        out.push(`${duration}_bucket{${labels},le="${buckets[index] ?? '+Inf'}"} ${below}`)
      }
      out.push(`${duration}_sum{${labels}} ${sum}`, `${duration}_count{${labels}} ${below}`)
    }
    for (const [metric, , help] of limits) {
      const series = this.gauges.get(metric)
      if (series === undefined) continue
      const name = `argocd_github_api_rate_limit_${metric}`
      begin(name, help, 'gauge')
      for (const [labels, value] of series) out.push(`${name}{${labels}} ${value}`)
    }
    return out
  }
}

function keep<T>(series: Map<string, T>, labels: string, value: T): void {
  series.delete(labels)
  series.set(labels, value)
  if (series.size > maxSeries) series.delete(series.keys().next().value!)
}
