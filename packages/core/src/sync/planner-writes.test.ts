// The subjects of gitops-engine's own tables (argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context_test.go) as questions to
// our planner: how targets are written. What runs over several beats is in corpus/sync.
import { describe, expect, it } from 'vitest'
import { app, ask, object, options, type Question } from '../../test/support/ask-planner.ts'
import type { JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { formatManner } from './notation.ts'

describe('how a target is written', () => {
  const csa = { managedFields: [{ manager: 'kubectl-client-side-apply', operation: 'Update' }] }
  const withFields = (fields: JsonObject): Manifest => {
    const live = object('ConfigMap', 'x')
    return { ...live, metadata: { ...(live['metadata'] as JsonObject), ...fields } }
  }

  it.each<[string, Question, string]>([
    ['plainly', {}, 'apply:'],
    ['plainly over what is there', { live: [object('ConfigMap', 'x')] }, 'apply:'],
    [
      'by creation, to replace what is not there',
      { operation: { sync: { syncOptions: ['Replace=true'] } } },
      'create:create',
    ],
    [
      'by replacing',
      { live: [object('ConfigMap', 'x')], operation: { sync: { syncOptions: ['Replace=true'] } } },
      'replace:replace',
    ],
    [
      'by replacing where the target says so',
      {
        targets: [object('ConfigMap', 'x', options('Replace=true'))],
        live: [object('ConfigMap', 'x')],
      },
      'replace:replace',
    ],
    [
      'by replacing where the live object says so',
      { live: [object('ConfigMap', 'x', options('Replace=true'))] },
      'replace:replace',
    ],
    [
      'by replacing although the target says no',
      {
        targets: [object('ConfigMap', 'x', options('Replace=false'))],
        live: [object('ConfigMap', 'x')],
        operation: { sync: { syncOptions: ['Replace=true'] } },
      },
      'replace:replace',
    ],
    [
      'not by what only looks like an option',
      {
        targets: [object('ConfigMap', 'x', options('Replace=True'))],
        live: [object('ConfigMap', 'x')],
      },
      'apply:',
    ],
    [
      'by an update of a namespace',
      {
        targets: [object('Namespace', 'x')],
        live: [object('Namespace', 'x')],
        operation: { sync: { syncOptions: ['Replace=true'] } },
      },
      'update:update',
    ],
    [
      'by the server',
      { operation: { sync: { syncOptions: ['ServerSideApply=true'] } } },
      'apply:server-side',
    ],
    [
      'by the server where the target says so',
      { targets: [object('ConfigMap', 'x', options('ServerSideApply=true'))] },
      'apply:server-side',
    ],
    [
      'not by the server where the target says no',
      {
        targets: [object('ConfigMap', 'x', options('ServerSideApply=false'))],
        operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
      },
      'apply:',
    ],
    [
      'not by the server where only the live object says so',
      { live: [object('ConfigMap', 'x', options('ServerSideApply=true'))] },
      'apply:',
    ],
    [
      'by replacing rather than by the server',
      {
        live: [object('ConfigMap', 'x')],
        operation: { sync: { syncOptions: ['Replace=true', 'ServerSideApply=true'] } },
      },
      'replace:replace',
    ],
    [
      'by force',
      { operation: { sync: { syncStrategy: { hook: { force: true } } } } },
      'apply:force',
    ],
    [
      'by force without hooks',
      { operation: { sync: { syncStrategy: { apply: { force: true } } } } },
      'apply:force',
    ],
    [
      'by force where the target says so',
      { targets: [object('ConfigMap', 'x', options('Force=true'))] },
      'apply:force',
    ],
    [
      'by force where the live object says so',
      { live: [object('ConfigMap', 'x', options('Force=true'))] },
      'apply:force',
    ],
    [
      'not by force where only the operation lists it as an option',
      { operation: { sync: { syncOptions: ['Force=true'] } } },
      'apply:',
    ],
    [
      'by replacing with force',
      {
        targets: [object('ConfigMap', 'x', options('Force=true,Replace=true'))],
        live: [object('ConfigMap', 'x')],
      },
      'replace:replace force',
    ],
    [
      'without validation',
      { operation: { sync: { syncOptions: ['Validate=false'] } } },
      'apply:no-validate',
    ],
    [
      'without validation where the target says so',
      { targets: [object('ConfigMap', 'x', options('Validate=false'))] },
      'apply:no-validate',
    ],
    [
      'taking fields over from kubectl',
      { live: [withFields(csa)], operation: { sync: { syncOptions: ['ServerSideApply=true'] } } },
      'apply:server-side migrate-from=kubectl-client-side-apply',
    ],
    [
      'not taking over what kubectl has applied on the server',
      {
        live: [
          withFields({
            managedFields: [{ manager: 'kubectl-client-side-apply', operation: 'Apply' }],
          }),
        ],
        operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
      },
      'apply:server-side',
    ],
    [
      'not taking over what nobody owns',
      {
        live: [
          withFields({ managedFields: [{ manager: 'argocd-controller', operation: 'Apply' }] }),
        ],
        operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
      },
      'apply:server-side',
    ],
    ['not taking over on the client side', { live: [withFields(csa)] }, 'apply:'],
    [
      'not taking over where it is switched off',
      {
        live: [withFields(csa)],
        operation: {
          sync: { syncOptions: ['ServerSideApply=true', 'ClientSideApplyMigration=false'] },
        },
      },
      'apply:server-side',
    ],
  ])('%s', (_name, question, want) => {
    const { writes } = ask({ targets: [object('ConfigMap', 'x')], ...question })
    expect(writes.map((request) => `${request.verb}:${formatManner(request)}`)).toEqual([want])
  })

  it('takes fields over from the manager that the Application names', () => {
    const live = withFields({ managedFields: [{ manager: 'other', operation: 'Update' }] })
    const key = 'argocd.argoproj.io/client-side-apply-migration-manager'
    const named = { ...app, metadata: { ...app.metadata, annotations: { [key]: 'other' } } }
    const { writes } = ask({
      targets: [object('ConfigMap', 'x')],
      live: [live],
      operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
      world: { app: named },
    })
    expect(writes.map(formatManner)).toEqual(['server-side migrate-from=other'])
  })

  it('is refused by force on the server side, before anybody is asked', () => {
    const { writes, end } = ask({
      targets: [object('ConfigMap', 'x', options('Force=true,ServerSideApply=true'))],
    })
    expect(writes).toEqual([])
    expect(end.message).toBe(
      'one or more objects failed to apply, reason: error validating options: --force cannot be used with --server-side',
    )
  })

  it('tries on the client side what the server will apply', () => {
    const { lines } = ask({
      targets: [object('ConfigMap', 'x')],
      operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
    })
    expect(lines).toEqual([
      'dryRun   Sync/0 resource ConfigMap app/x',
      'apply    Sync/0 resource ConfigMap app/x [server-side]',
    ])
  })
})
