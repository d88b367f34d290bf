import { escapeLabel } from './labels.ts'

/** What metrics tell of an ApplicationSet. */
export interface MeasuredSet {
  readonly namespace: string
  readonly name: string
  /** Why its Applications are up to date or not; undefined while nothing is known. */
  readonly resourcesReason: string | undefined
  readonly applications: number
  readonly labels: { readonly [key: string]: string }
}

/** Seconds of reconciles, as Prometheus' default buckets count them. */
export class ReconcileTimes {
  private readonly sets = new Map<string, { readonly counts: number[]; sum: number }>()

  /** `key` is `namespace/name`. */
  observe(key: string, seconds: number): void {
    const known = this.sets.get(key) ?? { counts: buckets.map(() => 0).concat(0), sum: 0 }
    const index = buckets.findIndex((limit) => seconds <= limit)
    const at = index === -1 ? buckets.length : index
    known.counts[at] = (known.counts[at] ?? 0) + 1
    known.sum += seconds
    this.sets.set(key, known)
  }

  forget(key: string): void {
    this.sets.delete(key)
  }

  lines(): readonly string[] {
    const name = 'argocd_appset_reconcile'
    const out = [
      `# HELP ${name} Application reconciliation performance in seconds.`,
      `# TYPE ${name} histogram`,
    ]
    for (const [key, { counts, sum }] of this.sets) {
      const slash = key.indexOf('/')
      const labels = labelsOf(key.slice(0, slash), key.slice(slash + 1))
      let total = 0
      for (const [index, count] of counts.entries()) {
        total += count
        out.push(`${name}_bucket{${labels},le="${buckets[index] ?? '+Inf'}"} ${total}`)
      }
      out.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`)
    }
    return out
  }
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] // client_golang DefBuckets

/**
 * Sets as metrics. `shown` are labels of theirs that become labels there.
 *
 * Source: argo-cd v3.5.1 applicationset/metrics/metrics.go, util/metrics NormalizeLabels
 */
export function setMetrics(
  sets: Iterable<MeasuredSet>,
  shown: readonly string[],
): readonly string[] {
  const info = [
    '# HELP argocd_appset_info Information about applicationset',
    '# TYPE argocd_appset_info gauge',
  ]
  const owned = [
    '# HELP argocd_appset_owned_applications Number of applications owned by the applicationset',
    '# TYPE argocd_appset_owned_applications gauge',
  ]
  const labelled = [
    '# HELP argocd_appset_labels Applicationset labels translated to Prometheus labels',
    '# TYPE argocd_appset_labels gauge',
  ]
  for (const { namespace, name, resourcesReason, applications, labels: own } of sets) {
    const labels = labelsOf(namespace, name)
    const reason = escapeLabel(resourcesReason ?? 'Unknown')
    info.push(`argocd_appset_info{${labels},resource_update_status="${reason}"} 1`)
    owned.push(`argocd_appset_owned_applications{${labels}} ${applications}`)
    const more = shown.map(
      (key) => `,label_${key.replace(/[^a-zA-Z0-9_]/g, '_')}="${escapeLabel(own[key] ?? '')}"`,
    )
    labelled.push(`argocd_appset_labels{${labels}${more.join('')}} 1`)
  }
  return [...info, ...owned, ...(shown.length > 0 ? labelled : [])]
}

/** Source: argo-cd v3.5.1 server/metrics, util/webhook: argocd_webhook_requests_total */
export function webhookMetrics(requests: ReadonlyMap<string, number>): readonly string[] {
  const out = [
    '# HELP argocd_webhook_requests_total Number of webhook requests by repo.',
    '# TYPE argocd_webhook_requests_total counter',
  ]
  for (const [repository, count] of requests) {
    out.push(`argocd_webhook_requests_total{repo="${escapeLabel(repository)}"} ${count}`)
  }
  return out
}

function labelsOf(namespace: string, name: string): string {
  return `namespace="${escapeLabel(namespace)}",name="${escapeLabel(name)}"`
}
