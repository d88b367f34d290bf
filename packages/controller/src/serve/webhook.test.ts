import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import type { WebhookEvent } from '@litecd/core/argo'
import { afterEach, describe, expect, it } from 'vitest'
import { listenForWebhooks, type WebhookServer } from './webhook.ts'
import type { WebhookSecrets } from './webhook-verify.ts'

const noSecrets: WebhookSecrets = {
  github: '',
  gitlab: '',
  bitbucketUuid: '',
  bitbucketServer: '',
  gogs: '',
  azureUsername: '',
  azurePassword: '',
}
const allSecrets: WebhookSecrets = {
  github: 's1',
  gitlab: 's2',
  bitbucketUuid: 's3',
  bitbucketServer: 's4',
  gogs: 's5',
  azureUsername: 'user',
  azurePassword: 'pass:word',
}

let server: WebhookServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

async function listen(secrets = noSecrets, maxPayloadMb = 1) {
  const events: WebhookEvent[] = []
  const refused: string[] = []
  server = await listenForWebhooks({
    host: '127.0.0.1',
    port: 0,
    secrets: async () => secrets,
    maxPayloadMb: () => maxPayloadMb,
    onEvent: (event) => events.push(event),
    onRefused: (why) => refused.push(why),
  })
  const { url } = server
  const send = async (
    headers: Record<string, string>,
    body?: string,
    more: { method?: string; path?: string } = {},
  ): Promise<string> => {
    const method = more.method ?? 'POST'
    const response = await fetch(`${url}${more.path ?? '/api/webhook'}`, {
      method,
      headers,
      ...(body === undefined || method === 'GET' ? {} : { body }),
    })
    return `${response.status} ${await response.text()}`.trim()
  }
  return { events, refused, send, url }
}

const hmac = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const push = '{"ref": "refs/heads/main", "repository": {"html_url": "https://x/y"}}'
const failed = 'Webhook processing failed'

describe('signatures', () => {
  const azurePush = '{"eventType": "git.push"}'
  const refs = { 'x-event-key': 'repo:refs_changed' }
  const ghcr = { 'x-github-event': 'package' }

  it.each<[string, Record<string, string>, string, string]>([
    [
      'GitHub',
      { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hmac('s1', push)}` },
      push,
      '200',
    ],
    [
      'GitHub, without the name of the hash',
      { 'x-github-event': 'push', 'x-hub-signature-256': hmac('s1', push) },
      push,
      '200',
    ],
    [
      'GitHub, signed with another secret',
      { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hmac('s2', push)}` },
      push,
      `400 ${failed}`,
    ],
    [
      'GitHub, another body',
      { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hmac('s1', '{}')}` },
      push,
      `400 ${failed}`,
    ],
    ['GitHub, not signed', { 'x-github-event': 'push' }, push, `400 ${failed}`],
    ['GHCR', { ...ghcr, 'x-hub-signature-256': `sha256=${hmac('s1', '{}')}` }, '{}', '200'],
    [
      'GHCR, without the name of the hash',
      { ...ghcr, 'x-hub-signature-256': hmac('s1', '{}') },
      '{}',
      '401 Unauthorized',
    ],
    ['GHCR, not signed', ghcr, '{}', '401 Unauthorized'],
    ['GitLab', { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 's2' }, push, '200'],
    [
      'GitLab, a longer token',
      { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 's2s2' },
      push,
      `400 ${failed}`,
    ],
    ['GitLab, no token', { 'x-gitlab-event': 'Push Hook' }, push, `400 ${failed}`],
    ['Bitbucket', { 'x-hook-uuid': 's3', 'x-event-key': 'repo:push' }, push, '200'],
    [
      'Bitbucket, another hook',
      { 'x-hook-uuid': 'x', 'x-event-key': 'repo:push' },
      push,
      `400 ${failed}`,
    ],
    ['Bitbucket Server', { ...refs, 'x-hub-signature': `sha256=${hmac('s4', push)}` }, push, '200'],
    ['Bitbucket Server, cut short', { ...refs, 'x-hub-signature': 'sha' }, push, `400 ${failed}`],
    [
      'Bitbucket Server, a test needs no signature',
      { 'x-event-key': 'diagnostics:ping' },
      '{"test": true}',
      '200',
    ],
    ['Gogs', { 'x-gogs-event': 'push', 'x-gogs-signature': hmac('s5', push) }, push, '200'],
    [
      'Gogs, with the signature of GitHub',
      { 'x-gogs-event': 'push', 'x-hub-signature-256': `sha256=${hmac('s1', push)}` },
      push,
      `400 ${failed}`,
    ],
    [
      'Azure DevOps',
      { 'x-vss-activityid': '1', authorization: basic('user:pass:word') },
      azurePush,
      '200',
    ],
    [
      'Azure DevOps, another password',
      { 'x-vss-activityid': '1', authorization: basic('user:pass') },
      azurePush,
      `400 ${failed}`,
    ],
    ['Azure DevOps, nobody', { 'x-vss-activityid': '1' }, azurePush, `400 ${failed}`],
  ])('%s', async (_, headers, body, want) => {
    const { send, events } = await listen(allSecrets)
    expect(await send(headers, body)).toBe(want)
    expect(events).toHaveLength(want === '200' ? 1 : 0)
  })

  it('are not asked for where there is no secret', async () => {
    const { send } = await listen()
    expect(await send({ 'x-github-event': 'push' }, push)).toBe('200')
    expect(await send({ 'x-vss-activityid': '1' }, azurePush)).toBe('200')
    expect(await send({ 'x-gitlab-event': 'Push Hook' }, push)).toBe('200')
  })

  it('are told as wrong without a word about them', async () => {
    const { send, refused } = await listen(allSecrets)
    await send({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 'guess' }, push)
    expect(refused).toEqual(['gitlab: it is not signed as it should be'])
  })
})

describe('requests', () => {
  it.each<[string, Record<string, string>, string | undefined, object, string]>([
    ['of nobody known', { 'x-random-event': 'push' }, push, {}, '400 Unknown webhook event'],
    ['of nobody known, by GET', {}, undefined, { method: 'GET' }, '400 Unknown webhook event'],
    ['by GET', { 'x-github-event': 'push' }, undefined, { method: 'GET' }, `405 ${failed}`],
    ['by PUT', { 'x-gitlab-event': 'Push Hook' }, push, { method: 'PUT' }, `405 ${failed}`],
    ['for an event nobody asked for', { 'x-github-event': 'issues' }, '{}', {}, `400 ${failed}`],
    ['with no JSON', { 'x-github-event': 'push' }, 'payload=%7B%7D', {}, `400 ${failed}`],
    [
      'with JSON that is nested without end',
      { 'x-github-event': 'push' },
      '['.repeat(200_000),
      {},
      `400 ${failed}`,
    ],
    ['elsewhere', { 'x-github-event': 'push' }, push, { path: '/' }, '404 not found'],
    ['of a ping', { 'x-github-event': 'ping' }, '{}', {}, '200'],
  ])('%s', async (_, headers, body, more, want) => {
    const { send } = await listen()
    expect(await send(headers, body, more)).toBe(want)
  })

  const tooLarge = `400 ${failed}: payload must be valid JSON under 1 MB`

  it('with an empty body or one that is too large', async () => {
    const { send, events } = await listen()
    expect(await send({ 'x-github-event': 'push' }, '')).toBe(tooLarge)
    const large = JSON.stringify({ ref: 'x'.repeat(1024 * 1024) })
    expect(await send({ 'x-github-event': 'push' }, large)).toBe(tooLarge)
    expect(await send({ 'x-github-event': 'push' }, '{"ref": "x"}')).toBe('200')
    expect(events).toHaveLength(1)
  })

  it('that announce nothing and never end', async () => {
    const { url } = await listen()
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const chunk = 'x'.repeat(64 * 1024)
    const text = await new Promise<string>((resolve, reject) => {
      let got = ''
      socket.on('data', (data) => {
        got += String(data)
      })
      socket.on('close', () => resolve(got))
      socket.on('error', (error) => (got === '' ? reject(error) : resolve(got)))
      socket.write(
        'POST /api/webhook HTTP/1.1\r\nhost: x\r\nx-github-event: push\r\ntransfer-encoding: chunked\r\n\r\n',
      )
      const pour = (): void => {
        if (socket.writable) {
          socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
          setTimeout(pour, 1)
        }
      }
      pour()
    })
    expect(text).toContain('HTTP/1.1 400')
    expect(text).toContain('payload must be valid JSON under 1 MB')
  })
})
