import type { Application } from '@litecd/core/argo'
import type { JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { describe, expect, it } from 'vitest'
import { concernsOwner, concernsSetItself } from './set-changes.ts'

describe('concernsOwner', () => {
  const app = (metadata: JsonObject, status: JsonObject = {}, spec: JsonObject = {}): Application =>
    ({ metadata: { name: 'a', ...metadata }, spec, status }) as unknown as Application
  const operation = (phase: string, startedAt: string): JsonObject => ({
    operationState: { phase, startedAt },
  })

  // the table of Argo CD v3.5.1 TestApplicationOwnsHandler; the last column is without progressive syncs
  it.each<[string, Application, Application, string | undefined, (string | undefined)?]>([
    ['compared again', app({}, { reconciledAt: 'x' }), app({}, { reconciledAt: 'y' }), undefined],
    ['another version', app({ resourceVersion: '1' }), app({ resourceVersion: '2' }), undefined],
    ['another generation', app({ generation: 1 }), app({ generation: 2 }), undefined],
    [
      'another health',
      app({}, { health: { status: 'Unknown' } }),
      app({}, { health: { status: 'Healthy' } }),
      'progress',
    ],
    [
      'another sync status',
      app({}, { sync: { status: 'OutOfSync' } }),
      app({}, { sync: { status: 'Synced' } }),
      'progress',
    ],
    [
      'another phase',
      app({}, operation('Running', 'x')),
      app({}, operation('Succeeded', 'x')),
      'progress',
    ],
    [
      'another operation',
      app({}, operation('Running', 'x')),
      app({}, operation('Running', 'y')),
      'progress',
    ],
    ['the first operation', app({}), app({}, operation('Running', 'x')), 'progress'],
    [
      'another project',
      app({}, {}, { project: 'a' }),
      app({}, {}, { project: 'b' }),
      'written',
      'written',
    ],
    [
      'another destination',
      app({}, {}, { destination: { server: 'a' } }),
      app({}, {}, { destination: { server: 'b' } }),
      'written',
      'written',
    ],
    ['other labels', app({ labels: { a: 'b' } }), app({ labels: {} }), 'written', 'written'],
    ['no labels', app({ labels: {} }), app({}), undefined],
    [
      'other annotations',
      app({ annotations: { a: 'b' } }),
      app({ annotations: { b: 'a' } }),
      'written',
      'written',
    ],
    ['no annotations', app({ annotations: {} }), app({}), undefined],
    [
      'other finalizers',
      app({ finalizers: ['a'] }),
      app({ finalizers: ['b'] }),
      'written',
      'written',
    ],
    ['no finalizers', app({ finalizers: [] }), app({}), undefined],
  ])('%s', (_, before, now, want, without = undefined) => {
    expect(concernsOwner(before, now, true)).toBe(want)
    expect(concernsOwner(before, now, false)).toBe(without)
  })
})

describe('concernsSetItself', () => {
  const set = (metadata: JsonObject, status: JsonObject = {}, spec: JsonObject = {}): Manifest => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata,
    spec,
    status,
  })
  const refresh = { 'argocd.argoproj.io/application-set-refresh': 'true' }
  const entry = (status: string): JsonObject => ({ applicationStatus: [{ status }] })

  // the tables of Argo CD v3.5.1 TestApplicationSetOwnsHandlerUpdate and TestShouldRequeueForApplicationSet
  it.each<[string, Manifest, Manifest, boolean, boolean?]>([
    ['nothing', set({ labels: { a: 'b' } }), set({ labels: { a: 'b' } }), false],
    ['another spec', set({}), set({}, {}, { generators: [] }), true],
    ['other annotations', set({ annotations: { a: 'b' } }), set({ annotations: { a: 'c' } }), true],
    ['other labels', set({ labels: { a: 'b' } }), set({ labels: { a: 'c' } }), true],
    ['other finalizers', set({ finalizers: ['a'] }), set({ finalizers: ['b'] }), true],
    ['a refresh is asked for', set({}), set({ annotations: refresh }), true],
    ['a refresh is done', set({ annotations: refresh }), set({}), false],
    [
      'a refresh is still asked for',
      set({ annotations: refresh }),
      set({ annotations: refresh }),
      false,
    ],
    ['it is being deleted', set({}), set({ deletionTimestamp: 'x' }), true],
    ['other conditions', set({}, { conditions: [] }), set({}, { conditions: [{}] }), false],
    ['other resources', set({}, { resources: [] }), set({}, { resources: [{}] }), false],
    ['progress', set({}, entry('Waiting')), set({}, entry('Pending')), true, false],
    ['the first progress', set({}), set({}, entry('Waiting')), true, false],
    ['an empty list is none', set({}), set({}, { applicationStatus: [] }), false],
  ])('%s', (_, before, now, want, without = want) => {
    expect(concernsSetItself(before, now, true)).toBe(want)
    expect(concernsSetItself(before, now, false)).toBe(without)
  })
})
