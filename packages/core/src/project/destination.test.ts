import { expect, it } from 'vitest'
import type { Destination } from '../argo/index.ts'
import { resolveDestination } from './destination.ts'

const clusters = [
  { server: 'https://127.0.0.1:6443', name: 'minikube' },
  { server: 'https://127.0.0.1:2443', name: 'dind' },
  { server: 'https://127.0.0.1:8443', name: 'dind' },
]

// Argo CD v3.5.1 TestGetDestinationCluster
it.each<[string, Destination, string]>([
  ['by server', { server: 'https://127.0.0.1:6443' }, 'https://127.0.0.1:6443'],
  ['by server with a slash', { server: 'https://127.0.0.1:6443/' }, 'https://127.0.0.1:6443'],
  ['by name', { name: 'minikube' }, 'https://127.0.0.1:6443'],
  [
    'both',
    { server: 'https://127.0.0.1:6443', name: 'minikube' },
    "application destination can't have both name and server defined: minikube https://127.0.0.1:6443",
  ],
  ['an unknown name', { name: 'gone' }, 'there are no clusters with this name: gone'],
  [
    'a name of two',
    { name: 'dind' },
    'there are 2 clusters with the same name: [https://127.0.0.1:2443 https://127.0.0.1:8443]',
  ],
  ['neither', { namespace: 'web' }, 'Destination server missing from app spec'],
  [
    'an unknown server',
    { server: 'https://gone/' },
    'error getting cluster by server "https://gone/": rpc error: code = NotFound desc = cluster "https://gone" not found',
  ],
])('%s', (_, destination, want) => {
  const resolved = resolveDestination(destination, clusters)
  expect('error' in resolved ? resolved.error : resolved.cluster.server).toBe(want)
})
