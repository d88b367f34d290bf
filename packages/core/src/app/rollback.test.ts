import { describe, expect, it } from 'vitest'
import type {
  Application,
  AppProject,
  Operation,
  OperationPhase,
  OperationState,
} from '../argo/index.ts'
import { decideRollback, type RollbackDecision } from './rollback.ts'

const now = Date.parse('2026-01-02T03:04:05Z')
const source = { repoURL: 'https://git.example.com/shop.git', path: 'app', targetRevision: 'main' }
const project: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default' },
  spec: {},
}

interface Look {
  readonly revision?: string
  readonly health?: string
  readonly operation?: Operation
  readonly project?: AppProject
  readonly loaded?: boolean
}

/** An Application over several looks: what one look stores the next one sees. */
class Story {
  app: Application

  constructor(
    annotations: { readonly [key: string]: string } = { 'litecd.dev/auto-rollback': 'true' },
  ) {
    this.app = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop', namespace: 'argocd', annotations },
      spec: {
        project: 'default',
        source,
        destination: {},
        syncPolicy: { automated: { prune: true }, syncOptions: ['PruneLast=true'] },
      },
    }
  }

  /** An operation that has ended. A successful whole one is in the history. */
  synced(
    revision: string,
    phase: OperationPhase,
    rest: { readonly operation?: Operation; readonly message?: string } = {},
  ): this {
    const operation = rest.operation ?? { sync: { revision }, initiatedBy: { automated: true } }
    const state: OperationState = {
      operation,
      phase,
      message: rest.message ?? 'the message',
      startedAt: '2026-01-02T03:00:00Z',
      finishedAt: '2026-01-02T03:01:00Z',
      syncResult: { revision, source },
    }
    const history = this.app.status?.history ?? []
    const id = history.length
    const entry = { id, revision, source, deployedAt: '2026-01-02T03:01:00Z' }
    const partial = (operation.sync?.resources?.length ?? 0) > 0
    this.app = {
      ...this.app,
      status: {
        operationState: state,
        history: phase === 'Succeeded' && !partial ? [...history, entry] : history,
      },
    }
    return this
  }

  look(revision: string, health: string, more: Look = {}): RollbackDecision {
    const app = more.operation === undefined ? this.app : { ...this.app, operation: more.operation }
    const decision = decideRollback(app, more.project ?? project, {
      health,
      revisions: [revision],
      loaded: more.loaded ?? true,
      settings: { autoRollback: false },
      now,
    })
    const annotations = { ...this.app.metadata.annotations, ...decision.annotations }
    this.app = { ...this.app, metadata: { ...this.app.metadata, annotations } }
    return decision
  }

  /** Up to a Healthy `good`. */
  well(): this {
    this.synced('good', 'Succeeded').look('good', 'Healthy')
    return this
  }

  /** Up to the rollback from `bad`, which has succeeded. */
  rolledBack(): this {
    const { operation } = this.well().synced('bad', 'Failed').look('bad', 'Healthy')
    return this.synced('good', 'Succeeded', { operation: operation! })
  }
}

const idle = { holds: false, conditions: [], events: [] }

describe('decideRollback', () => {
  it('goes back after a sync that has failed', () => {
    const decision = new Story().well().synced('bad', 'Failed').look('bad', 'Healthy')
    expect(decision).toMatchObject({
      holds: true,
      operation: {
        sync: {
          revision: 'good',
          source,
          prune: true,
          syncOptions: ['PruneLast=true'],
          syncStrategy: { apply: {} },
        },
        initiatedBy: { automated: true },
        info: [{ name: 'Reason', value: 'litecd.dev/auto-rollback' }],
        retry: { limit: 5 },
      },
      conditions: [
        {
          type: 'RolledBackWarning',
          message:
            'Revision bad was rolled back to good because its sync failed: the message. It is not synced automatically again; the next commit is',
        },
      ],
      events: [
        {
          type: 'Warning',
          reason: 'OperationStarted',
          message: "Initiated rollback from 'bad' to 'good': its sync failed: the message",
        },
      ],
    })
  })

  it('goes back after a sync that has made it Degraded', () => {
    const story = new Story().well().synced('bad', 'Succeeded')
    expect(story.look('bad', 'Progressing')).toEqual(idle)
    expect(story.look('bad', 'Degraded')).toMatchObject({
      operation: { sync: { revision: 'good' } },
      events: [{ message: "Initiated rollback from 'bad' to 'good': its sync made it Degraded" }],
    })
  })

  it('stays when what was Healthy becomes Degraded later', () => {
    expect(new Story().well().look('good', 'Degraded')).toEqual(idle)
  })

  it('stays where it was brought, until the next commit', () => {
    const story = new Story().rolledBack()
    for (const health of ['Progressing', 'Missing', 'Healthy', 'Degraded']) {
      const { holds, operation, conditions } = story.look('bad', health)
      expect({ holds, operation, types: conditions.map(({ type }) => type) }).toEqual({
        holds: true,
        operation: undefined,
        types: ['RolledBackWarning'],
      })
    }
    expect(story.look('next', 'Healthy')).toEqual(idle)
  })

  it('forgets the bad revision once another is Healthy', () => {
    const story = new Story().rolledBack().synced('next', 'Succeeded')
    story.look('next', 'Healthy')
    expect(story.look('bad', 'Healthy')).toEqual(idle)
  })

  it('goes back to the same revision when the next commit fails too', () => {
    const story = new Story().rolledBack().synced('worse', 'Error')
    expect(story.look('worse', 'Healthy').operation?.sync?.revision).toBe('good')
    expect(story.look('bad', 'Healthy').holds).toBe(false)
  })

  it('syncs a bad revision with other parameters', () => {
    const story = new Story().rolledBack()
    const other = { ...source, helm: { parameters: [{ name: 'a', value: 'b' }] } }
    story.app = { ...story.app, spec: { ...story.app.spec, source: other } }
    expect(story.look('bad', 'Healthy').holds).toBe(false)
  })

  it('begins again when the process died before the operation began', () => {
    const story = new Story().well().synced('bad', 'Failed')
    const { annotations, ...first } = story.look('bad', 'Healthy')
    expect(annotations).toBeDefined()
    expect(story.look('bad', 'Healthy')).toEqual(first)
  })

  it('says that a rollback has failed and does not try it again', () => {
    const story = new Story().well().synced('bad', 'Failed')
    const { operation } = story.look('bad', 'Healthy')
    const decision = story
      .synced('good', 'Failed', { operation: operation!, message: 'no luck' })
      .look('bad', 'Healthy')
    expect(decision.operation).toBeUndefined()
    expect(decision.conditions[0]?.message).toContain('The rollback failed: no luck')
  })

  it('lets somebody sync the bad revision by hand', () => {
    const operation = { sync: { revision: 'bad' }, initiatedBy: { username: 'admin' } }
    const story = new Story().rolledBack().synced('bad', 'Succeeded', { operation })
    expect(story.look('bad', 'Progressing')).toEqual(idle)
    expect(story.look('bad', 'Healthy')).toMatchObject({ holds: false, conditions: [] })
    expect(story.look('bad', 'Degraded')).toEqual(idle)
  })

  it.each<[string, (story: Story) => RollbackDecision]>([
    [
      'it is not asked for',
      () => new Story({}).well().synced('bad', 'Failed').look('bad', 'Healthy'),
    ],
    [
      'sources could not be loaded',
      (story) => story.well().synced('bad', 'Failed').look('bad', 'Healthy', { loaded: false }),
    ],
    [
      'another operation waits',
      (story) =>
        story
          .well()
          .synced('bad', 'Failed')
          .look('bad', 'Healthy', { operation: { sync: {} } }),
    ],
    [
      'somebody terminated the sync',
      (story) =>
        story
          .well()
          .synced('bad', 'Failed', { message: 'Operation terminated' })
          .look('bad', 'Healthy'),
    ],
    [
      'it was a dry run',
      (story) =>
        story
          .well()
          .synced('bad', 'Failed', { operation: { sync: { dryRun: true } } })
          .look('bad', 'Healthy'),
    ],
    [
      'it was a partial sync',
      (story) =>
        story
          .well()
          .synced('bad', 'Failed', {
            operation: { sync: { resources: [{ kind: 'A', name: 'b' }] } },
          })
          .look('bad', 'Healthy'),
    ],
    [
      'the sync is under way',
      (story) => story.well().synced('bad', 'Running').look('bad', 'Degraded'),
    ],
    ['nothing was ever synced', (story) => story.look('bad', 'Degraded')],
  ])('does nothing when %s', (_name, play) => {
    expect(play(new Story())).toEqual(idle)
  })

  it('is rolled back by the sync timeout', () => {
    const message = 'Operation terminated, triggered by controller sync timeout'
    const decision = new Story().well().synced('bad', 'Failed', { message }).look('bad', 'Healthy')
    expect(decision.operation).toBeDefined()
  })

  it('says when there is nothing to go back to', () => {
    const decision = new Story().synced('first', 'Failed').look('first', 'Missing')
    expect(decision).toEqual({
      holds: false,
      events: [],
      conditions: [
        {
          type: 'RolledBackWarning',
          message:
            'Revision first is not rolled back although its sync failed: the message: no other revision in the history is known to have been Healthy',
        },
      ],
    })
  })

  it('waits for a closed window', () => {
    const window = { kind: 'deny', schedule: '* * * * *', duration: '24h', applications: ['*'] }
    const closed = { ...project, spec: { syncWindows: [window] } } as AppProject
    const story = new Story().well().synced('bad', 'Failed')
    const waiting = story.look('bad', 'Healthy', { project: closed })
    expect({ holds: waiting.holds, operation: waiting.operation }).toEqual({ holds: true })
    expect(waiting.conditions[0]?.message).toContain('a sync window is closed')
    expect(story.look('bad', 'Healthy').operation).toBeDefined()
  })

  it('follows several sources', () => {
    const sources = [source, { ...source, path: 'other' }]
    const story = new Story()
    const { source: _one, ...spec } = story.app.spec
    const entry = { id: 0, deployedAt: '', source: { repoURL: '' }, sources, revisions: ['a', 'b'] }
    const at = (revisions: readonly string[], phase: OperationPhase): OperationState => ({
      operation: { sync: { revisions, sources } },
      phase,
      startedAt: '2026-01-02T03:00:00Z',
      syncResult: { revisions, sources },
    })
    const look = (state: OperationState, revisions: readonly string[]): RollbackDecision => {
      const app = {
        ...story.app,
        spec: { ...spec, sources },
        status: { operationState: state, history: [entry] },
      }
      const input = {
        health: 'Healthy',
        revisions,
        loaded: true,
        settings: { autoRollback: false },
        now,
      }
      const decision = decideRollback(app, project, input)
      const annotations = { ...story.app.metadata.annotations, ...decision.annotations }
      story.app = { ...story.app, metadata: { ...story.app.metadata, annotations } }
      return decision
    }
    look(at(['a', 'b'], 'Succeeded'), ['a', 'b'])
    expect(look(at(['a', 'c'], 'Failed'), ['a', 'c']).operation?.sync).toMatchObject({
      sources,
      revisions: ['a', 'b'],
    })
  })

  it('goes on saying what it said while sources cannot be loaded', () => {
    const story = new Story().rolledBack()
    const { conditions } = story.look('bad', 'Healthy')
    story.app = { ...story.app, status: { ...story.app.status, conditions } }
    expect(story.look('', 'Unknown', { loaded: false })).toEqual({ ...idle, conditions })
  })

  it('takes a memory that cannot be read for none', () => {
    for (const text of [
      '',
      '{',
      '[]',
      '{"bad": 1, "healthy": {"revisions": [1], "sources": ""}}',
    ]) {
      const story = new Story({
        'litecd.dev/auto-rollback': 'true',
        'litecd.dev/rollback-state': text,
      })
      expect(story.synced('bad', 'Failed').look('bad', 'Healthy').operation).toBeUndefined()
    }
  })
})
