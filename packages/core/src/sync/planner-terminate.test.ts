// The subjects of gitops-engine's own tables (argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context_test.go) as questions to
// our planner: how a sync ends before its time. What runs over several beats is in corpus/sync.
import { describe, expect, it } from 'vitest'
import { ask, hook, object, type Question } from '../../test/support/ask-planner.ts'
import { getPath, type JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import type { SyncWorld } from './types.ts'

describe('the end of a sync before its time', () => {
  const row = (name: string, hookPhase: 'Running' | 'Succeeded') => ({
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    namespace: 'app',
    name,
    status: 'Synced' as const,
    hookPhase,
    hookType: 'Sync' as const,
    syncPhase: 'Sync' as const,
  })
  const job = (policy: string): Manifest => {
    const made = object('Job', 'h', hook('Sync', policy))
    const finalizers = ['argocd.argoproj.io/hook-finalizer']
    return { ...made, metadata: { ...(made['metadata'] as JsonObject), finalizers } }
  }
  const health = (status: 'Progressing' | 'Healthy' | 'Degraded'): Partial<SyncWorld> => ({
    assess: () => ({ health: { status, message: status.toLowerCase() } }),
  })
  const refuse =
    (verb: string): NonNullable<Question['answer']> =>
    (_step, request) =>
      request.verb === verb ? { error: { message: 'no', status: 500, reason: '' } } : undefined

  it.each<[string, Question, readonly string[], string, object]>([
    [
      'deletes what runs',
      { live: [job('BeforeHookCreation')], world: health('Progressing') },
      ['release', 'delete'],
      'Failed',
      { hookPhase: 'Failed', message: 'Terminated' },
    ],
    [
      'keeps what has ended well meanwhile',
      { live: [job('HookSucceeded')], world: health('Healthy') },
      ['release'],
      'Failed',
      { hookPhase: 'Succeeded', message: 'healthy' },
    ],
    [
      'deletes what has ended and is to be deleted on failure',
      { live: [job('HookFailed')], world: health('Healthy') },
      ['release', 'delete'],
      'Failed',
      { hookPhase: 'Succeeded', message: 'healthy' },
    ],
    [
      'knows what has failed meanwhile',
      { live: [job('BeforeHookCreation')], world: health('Degraded') },
      ['release'],
      'Failed',
      { hookPhase: 'Failed', message: 'degraded' },
    ],
    [
      'takes what is gone for ended',
      { live: [] },
      ['read'],
      'Failed',
      { hookPhase: 'Succeeded', message: 'Terminated' },
    ],
    [
      'says when a hook is not let go',
      {
        live: [job('BeforeHookCreation')],
        world: health('Progressing'),
        answer: refuse('release'),
      },
      ['release'],
      'Error',
      { hookPhase: 'Error' },
    ],
    [
      'says when a hook is not deleted',
      { live: [job('BeforeHookCreation')], world: health('Progressing'), answer: refuse('delete') },
      ['release', 'delete'],
      'Error',
      { hookPhase: 'Failed' },
    ],
  ])('%s', (_name, question, kinds, phase, result) => {
    const { steps, end } = ask({
      targets: [object('Job', 'h', hook('Sync', policyOf(question.live?.[0])))],
      rows: [row('h', 'Running')],
      phase: 'Terminating',
      ...question,
    })
    expect(steps.map(({ kind }) => kind)).toEqual(kinds)
    expect(end).toMatchObject({
      phase,
      message: phase === 'Failed' ? 'Operation terminated' : 'Operation termination had errors',
      resources: [result],
    })
  })

  it('leaves other objects as they are', () => {
    const { steps, end } = ask({
      targets: [object('ConfigMap', 'a')],
      live: [object('ConfigMap', 'a')],
      rows: [{ ...row('a', 'Running'), group: '', kind: 'ConfigMap' }],
      phase: 'Terminating',
    })
    expect(steps).toEqual([])
    expect(end.resources).toMatchObject([{ hookPhase: 'Running' }])
  })
})

function policyOf(live: Manifest | undefined): string | undefined {
  const value =
    live && getPath(live, 'metadata', 'annotations', 'argocd.argoproj.io/hook-delete-policy')
  return typeof value === 'string' ? value : undefined
}
