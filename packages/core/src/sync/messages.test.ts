import { describe, expect, it } from 'vitest'
import type { SyncResultResource } from '../argo/index.ts'
import type { Manifest } from '../kube/index.ts'
import {
  cleanError,
  explainRow,
  failureMessage,
  invalidMessage,
  waitingMessage,
} from './messages.ts'
import { makeTask, type Task } from './task.ts'

function object(kind: string, name: string, annotations = {}): Manifest {
  const apiVersion = kind === 'Job' ? 'batch/v1' : 'v1'
  return { apiVersion, kind, metadata: { name, namespace: 'app', annotations } }
}

const resource = (name: string): Task => makeTask('Sync', object('ConfigMap', name), undefined)
const hook = (name: string): Task =>
  makeTask('PreSync', object('Job', name, { 'argocd.argoproj.io/hook': 'PreSync' }), undefined)
const prune = (name: string, options = ''): Task =>
  makeTask(
    'Sync',
    undefined,
    object('Secret', name, { 'argocd.argoproj.io/sync-options': options }),
  )

describe('waitingMessage', () => {
  const context = { pruneConfirmed: false, defaultPrune: undefined }

  it.each<[readonly Task[], boolean, string]>([
    [[], false, ''],
    [[resource('a')], false, 'waiting for healthy state of /ConfigMap/a'],
    [
      [resource('a'), resource('b')],
      false,
      'waiting for healthy state of /ConfigMap/a and 1 more resources',
    ],
    [[hook('h'), hook('i')], false, 'waiting for completion of hook batch/Job/h and 1 more hooks'],
    [
      [resource('a'), hook('h')],
      false,
      'waiting for completion of hook batch/Job/h and 1 more resources',
    ],
    [[prune('p')], true, 'waiting for deletion of /Secret/p'],
    [[hook('h')], true, 'waiting for deletion of hook batch/Job/h'],
    [
      [hook('h'), prune('p'), prune('q', 'Prune=confirm'), prune('r', 'Prune=confirm')],
      true,
      'waiting for pruning confirmation of /Secret/q and 1 more resources',
    ],
  ])('%#', (tasks, deletion, want) => expect(waitingMessage(tasks, deletion, context)).toBe(want))

  it('says nothing of confirmation once there is one', () => {
    const confirmed = { pruneConfirmed: true, defaultPrune: 'confirm' }
    expect(waitingMessage([prune('p')], true, confirmed)).toBe('waiting for deletion of /Secret/p')
    const unconfirmed = { pruneConfirmed: false, defaultPrune: 'confirm' }
    expect(waitingMessage([prune('p')], true, unconfirmed)).toBe(
      'waiting for pruning confirmation of /Secret/p',
    )
  })
})

describe('failureMessage', () => {
  it('tells each reason once', () => {
    const failed = ['no', 'never', 'no'].map((message, i) => ({ ...resource(`r${i}`), message }))
    expect(failureMessage('it failed', failed)).toBe('it failed, reason: no,never')
    expect(failureMessage('it failed', [])).toBe('it failed')
  })
})

function row(changes: Partial<SyncResultResource> = {}): SyncResultResource {
  return {
    group: 'apps',
    version: 'v9',
    kind: 'Deployment',
    namespace: 'app',
    name: 'web',
    ...changes,
  }
}

describe('invalidMessage', () => {
  it('sorts the reasons by bytes', () => {
    const rows = ['b', 'a', 'b', ''].map((message) => row({ status: 'SyncFailed', message }))
    expect(invalidMessage([...rows, row({ message: 'fine' })])).toBe(
      'one or more synchronization tasks are not valid: a; b',
    )
    expect(invalidMessage([])).toBe('one or more synchronization tasks are not valid')
  })
})

describe('cleanError', () => {
  it.each([
    ['error when creating "web.yaml": no ', 'no'],
    [
      'error: error validating "web.yaml": no; if you choose to ignore these errors, turn validation off with --validate=false',
      'no',
    ],
    [
      'error when applying patch:\n{"a":\n1}\nto:\nResource\nfor: "web.yaml": error when patching "web.yaml": no',
      'error when patching "web.yaml": no',
    ],
    ['cannot apply map[a:b c:[d]] here', 'cannot apply  here'],
    ['error when patching "web.yaml": no', 'error when patching "web.yaml": no'],
  ])('%j', (text, want) => expect(cleanError(text)).toBe(want))
})

describe('explainRow', () => {
  const facts = {
    kubeVersion: '',
    apiVersions: ['apps/v1', 'apps/v1/Deployment', 'apps/v1beta2/Deployment', 'v1', 'v1/Pod'],
    scopeOf: () => undefined,
  }
  const notServed = 'failed to discover: the server could not find the requested resource'

  // recorded: corpus/argocd/sync/missing-kind
  it.each([
    [
      row({ message: notServed }),
      'The Kubernetes API could not find version "v9" of apps/Deployment for requested resource app/web. Version "v1" of apps/Deployment is installed on the destination cluster.',
    ],
    [
      row({
        group: 'nowhere.example.com',
        version: 'v1',
        kind: 'Gadget',
        name: 'g',
        message: notServed,
      }),
      'The Kubernetes API could not find nowhere.example.com/Gadget for requested resource app/g. Make sure the "Gadget" CRD is installed on the destination cluster.',
    ],
    [
      row({ group: 'extensions', version: 'v1beta1', message: notServed }),
      'The Kubernetes API could not find version "v1beta1" of extensions/Deployment for requested resource app/web. Version "v1" of apps/Deployment is installed on the destination cluster.',
    ],
  ])('%#', (given, message) => expect(explainRow(given, facts).message).toBe(message))

  it('helps with objects that are too large for client-side apply', () => {
    const message = 'x: metadata.annotations: Too long: must have at most 262144 bytes'
    expect(explainRow(row({ message }), facts).message).toMatch(
      /^x: .* \n -Additional Info: This error/,
    )
    expect(explainRow(row({ message: 'fine' }), facts)).toEqual(row({ message: 'fine' }))
  })
})
