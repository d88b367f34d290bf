import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Manifest, nameOf } from '@litecd/core/kube'
import { afterEach, describe, expect, it } from 'vitest'
import { KubeClient } from './client.ts'
import { Informer } from './informer.ts'
import { configMaps } from './resource.ts'

type Answer = (url: URL, response: ServerResponse) => void

let server: Server
let client: KubeClient

/** A server that answers requests with the script's lines in order, and fails on any request beyond its end. */
async function script(answers: readonly Answer[]): Promise<KubeClient> {
  const rest = [...answers]
  server = createServer((request, response) => {
    const answer = rest.shift()
    if (answer === undefined) {
      response.writeHead(599).end('unexpected request ' + request.url)
      return
    }
    answer(new URL(request.url!, 'http://x'), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = new KubeClient({ server: `http://127.0.0.1:${port}`, credentials: {} })
  return client
}

afterEach(() => {
  client.close()
  server.closeAllConnections()
  server.close()
})

const object = (name: string, resourceVersion: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'n', resourceVersion },
})
const event = (type: string, what: object): string => JSON.stringify({ type, object: what }) + '\n'
const bookmark = (resourceVersion: string, end = false): string =>
  event('BOOKMARK', {
    kind: 'ConfigMap',
    metadata: {
      resourceVersion,
      ...(end ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
  })
const status = (code: number, reason: string): object => ({
  kind: 'Status',
  status: 'Failure',
  message: reason,
  reason,
  code,
})

function json(response: ServerResponse, code: number, body: object, headers: object = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function until(check: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !check(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(check()).toBe(true)
}

describe('Informer', () => {
  it('resumes from the last bookmark, and loads anew after 410', async () => {
    const asked: string[] = []
    const note = (url: URL): void => {
      const { searchParams: query } = url
      asked.push(
        `${query.has('sendInitialEvents') ? 'stream' : 'watch'} ${query.get('resourceVersion') ?? ''}`.trim(),
      )
    }
    const names: string[] = []
    const informer = new Informer<string>(
      await script([
        (url, response) => {
          note(url)
          response.end(
            event('ADDED', object('a', '5')) +
              event('ADDED', object('b', '6')) +
              bookmark('9', true),
          )
        },
        (url, response) => {
          note(url)
          response.end(event('MODIFIED', object('a', '12')) + bookmark('20'))
        },
        (url, response) => {
          note(url)
          response.end(event('ERROR', status(410, 'Expired')))
        },
        (url, response) => {
          note(url)
          // `b` went while nobody looked, `a` is as it was.
          response.write(event('ADDED', object('a', '12')) + bookmark('30', true))
        },
      ]),
      configMaps,
      {
        keep: nameOf,
        onChange: ({ name, before, now }) => names.push(`${name} ${before} ${now}`),
      },
    )
    await until(() => asked.length === 4 && informer.size === 1)
    expect(asked).toEqual(['stream', 'watch 9', 'watch 20', 'stream'])
    expect(names).toEqual(['a undefined a', 'b undefined b', 'a a a', 'b b undefined'])
    expect(informer.error).toBeUndefined()
    informer.stop()
  })

  it('lists in pages where the server cannot stream', async () => {
    const page = (names: string[], token?: string): object => ({
      apiVersion: 'v1',
      kind: 'ConfigMapList',
      metadata: { resourceVersion: '7', ...(token === undefined ? {} : { continue: token }) },
      items: names.map((name) => ({ metadata: { name, namespace: 'n', resourceVersion: '3' } })),
    })
    const informer = new Informer<Manifest>(
      await script([
        (_, response) => json(response, 422, status(422, 'Invalid')),
        (_, response) => json(response, 200, page(['a'], 'next')),
        (url, response) => {
          expect(url.searchParams.get('continue')).toBe('next')
          json(response, 200, page(['b']))
        },
        (url, response) => {
          expect(url.searchParams.get('resourceVersion')).toBe('7')
          response.write(event('DELETED', object('a', '8')))
        },
      ]),
      configMaps,
      { keep: (one) => one },
    )
    await informer.whenSynced()
    expect([...informer.values()].map((one) => one.kind)).toEqual(['ConfigMap', 'ConfigMap'])
    await until(() => informer.size === 1)
    informer.stop()
  })

  it('waits as long as the server asks, and tells those who wait when it is refused', async () => {
    const errors: [string, number][] = []
    const informer = new Informer<string>(
      await script([
        (_, response) =>
          json(response, 429, status(429, 'TooManyRequests'), { 'retry-after': '0' }),
        (_, response) => json(response, 403, status(403, 'May not watch'), { 'retry-after': '0' }),
        (_, response) => json(response, 403, status(403, 'Forbidden'), { 'retry-after': '0' }),
        (_, response) => response.write(bookmark('1', true)),
      ]),
      configMaps,
      { keep: nameOf, onError: (error, delay) => errors.push([error.reason, delay]) },
    )
    await expect(informer.whenSynced()).rejects.toMatchObject({ reason: 'Forbidden' })
    await until(() => informer.synced)
    await informer.whenSynced()
    expect(errors).toEqual([
      ['TooManyRequests', 0],
      ['Forbidden', 0],
    ])
    informer.stop()
  })

  it('does not take a stream that breaks off for the whole', async () => {
    const informer = new Informer<string>(
      await script([
        (_, response) => response.end(event('ADDED', object('a', '5')) + bookmark('6', true)),
        (_, response) => response.end(event('ERROR', status(410, 'Expired'))),
        (_, response) => {
          response.write(event('ADDED', object('new', '7')))
          setTimeout(() => response.destroy(), 20)
        },
      ]),
      configMaps,
      { keep: nameOf },
    )
    await until(() => informer.error !== undefined)
    expect([...informer.values()]).toEqual(['a', 'new'])
    informer.stop()
  })

  it('ignores what a write answers when it has seen something newer', async () => {
    const informer = new Informer<string>(
      await script([
        (_, response) => response.write(event('ADDED', object('a', '100')) + bookmark('100', true)),
      ]),
      configMaps,
      { keep: (one) => String((one['metadata'] as { resourceVersion: string }).resourceVersion) },
    )
    await informer.whenSynced()
    informer.put(object('a', '99') as Manifest)
    expect(informer.get('n', 'a')).toBe('100')
    informer.put(object('a', '1000') as Manifest)
    expect(informer.get('n', 'a')).toBe('1000')
    informer.stop()
  })

  it('does not take back what the watch has shown to be deleted', async () => {
    const informer = new Informer<string>(
      await script([
        (_, response) =>
          response.write(
            event('ADDED', object('a', '5')) +
              bookmark('6', true) +
              event('DELETED', object('a', '9')),
          ),
      ]),
      configMaps,
      { keep: nameOf },
    )
    await informer.whenSynced()
    await until(() => informer.size === 0)
    informer.put(object('a', '8') as Manifest)
    expect([...informer.values()]).toEqual([])
    informer.put(object('a', '10') as Manifest)
    expect([...informer.values()]).toEqual(['a'])
    informer.stop()
  })
})
