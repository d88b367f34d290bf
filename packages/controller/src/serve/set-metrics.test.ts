import { expect, it } from 'vitest'
import { ReconcileTimes, setMetrics, webhookMetrics } from './set-metrics.ts'

it('tells of sets', () => {
  const sets = [
    {
      namespace: 'argocd',
      name: 'a',
      resourcesReason: 'ApplicationSetUpToDate',
      applications: 3,
      labels: { 'a.b/c': 'x' },
    },
    { namespace: 'team', name: 'b', resourcesReason: undefined, applications: 0, labels: {} },
  ]
  const lines = (shown: string[]) => setMetrics(sets, shown).filter((line) => !line.startsWith('#'))
  expect(lines(['a.b/c']).slice(4)).toEqual([
    'argocd_appset_labels{namespace="argocd",name="a",label_a_b_c="x"} 1',
    'argocd_appset_labels{namespace="team",name="b",label_a_b_c=""} 1',
  ])
  expect(lines([])).toEqual([
    'argocd_appset_info{namespace="argocd",name="a",resource_update_status="ApplicationSetUpToDate"} 1',
    'argocd_appset_info{namespace="team",name="b",resource_update_status="Unknown"} 1',
    'argocd_appset_owned_applications{namespace="argocd",name="a"} 3',
    'argocd_appset_owned_applications{namespace="team",name="b"} 0',
  ])
})

it('counts reconciles by their seconds', () => {
  const times = new ReconcileTimes()
  for (const seconds of [0.001, 0.3, 20]) times.observe('argocd/a', seconds)
  times.observe('argocd/gone', 1)
  times.forget('argocd/gone')
  const lines = times.lines().filter((line) => !line.startsWith('#'))
  expect(lines).toHaveLength(14)
  const labels = 'namespace="argocd",name="a"'
  expect(lines[0]).toBe(`argocd_appset_reconcile_bucket{${labels},le="0.005"} 1`)
  expect(lines).toContain(`argocd_appset_reconcile_bucket{${labels},le="0.5"} 2`)
  expect(lines).toContain(`argocd_appset_reconcile_bucket{${labels},le="10"} 2`)
  expect(lines.slice(-3)).toEqual([
    `argocd_appset_reconcile_bucket{${labels},le="+Inf"} 3`,
    `argocd_appset_reconcile_sum{${labels}} 20.301`,
    `argocd_appset_reconcile_count{${labels}} 3`,
  ])
})

it('counts webhooks by repository', () => {
  expect(webhookMetrics(new Map([['https://x/"y', 2]])).at(-1)).toBe(
    'argocd_webhook_requests_total{repo="https://x/\\"y"} 2',
  )
})
