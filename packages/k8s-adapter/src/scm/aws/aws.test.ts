import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnswerMemory, Api, defaultScmLimits } from '../api.ts'
import { endpointOf, processCredentials, roleCredentials } from './credentials.ts'
import { type AwsCredentials, signed } from './signature.ts'

const example = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const at = Date.parse('2015-08-30T12:36:00Z')

describe('signatures', () => {
  // The test suite that AWS publishes for Signature Version 4: post-vanilla and post-x-www-form-urlencoded.
  it.each([
    [{}, '', 'host;x-amz-date', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      { 'content-type': 'application/x-www-form-urlencoded' },
      'Param1=value1',
      'content-type;host;x-amz-date',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('of %j %s', (headers, body, names, signature) => {
    const request = {
      url: 'https://example.amazonaws.com/',
      service: 'service',
      region: 'us-east-1',
    }
    expect(signed({ ...request, headers, body }, example, at)['authorization']).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    )
  })

  it('hold the token of a session', () => {
    const request = {
      url: 'https://x.example.com/',
      service: 's',
      region: 'r',
      headers: {},
      body: '',
    }
    const headers = signed(request, { ...example, sessionToken: 'T' }, at)
    expect(headers['x-amz-security-token']).toBe('T')
    expect(headers['authorization']).toContain(
      'SignedHeaders=host;x-amz-date;x-amz-security-token,',
    )
  })
})

describe('where services are', () => {
  const codecommit = { host: 'codecommit', variable: 'CODECOMMIT' }
  it.each([
    ['eu-central-1', {}, 'https://codecommit.eu-central-1.amazonaws.com/'],
    ['cn-north-1', {}, 'https://codecommit.cn-north-1.amazonaws.com.cn/'],
    ['eu-central-1', { AWS_ENDPOINT_URL: 'http://all' }, 'http://all/'],
    [
      'eu-central-1',
      { AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_CODECOMMIT: 'http://one/' },
      'http://one/',
    ],
  ])('%s %j', (region, environment, want) => {
    expect(endpointOf(codecommit, { region, environment })).toBe(want)
  })
})

describe('credentials', () => {
  let folder: string
  let server: Server
  let url: string
  const asked: { url: string; body: string; headers: NodeJS.Dict<string | string[]> }[] = []
  let status = 200

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'litecd-aws-'))
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        asked.push({ url: request.url ?? '', body, headers: request.headers })
        const action = new URLSearchParams(body).get('Action')
        response.statusCode = status
        if (status !== 200) {
          response.end(
            '<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you</Message></Error><RequestId>r-9</RequestId></ErrorResponse>',
          )
        } else if (action === null) {
          response.end(
            '{"AccessKeyId": "C", "SecretAccessKey": "CS", "Token": "CT", "Expiration": "2030-01-01T00:00:00Z"}',
          )
        } else {
          response.end(
            `<${action}Response><Credentials><AccessKeyId>R</AccessKeyId><SecretAccessKey>RS</SecretAccessKey><SessionToken>RT</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration></Credentials></${action}Response>`,
          )
        }
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    writeFileSync(join(folder, 'token'), 'web-identity-token\n')
    writeFileSync(
      join(folder, 'credentials'),
      '[default]\naws_access_key_id = D\naws_secret_access_key = DS\n[other]\naws_access_key_id=O\naws_secret_access_key=OS\naws_session_token=OT\n',
    )
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  const api = new Api({
    base: '',
    secrets: [],
    limits: defaultScmLimits,
    memory: new AnswerMemory(),
    now: Date.now,
    sleep: async () => {},
    explain: ({ statusText }) => statusText,
  })
  const obtain = (environment: { readonly [name: string]: string }): Promise<AwsCredentials> =>
    processCredentials({
      environment: { HOME: '/nowhere', AWS_EC2_METADATA_DISABLED: 'true', ...environment },
      region: 'eu-central-1',
      api,
      now: Date.now,
    })
  const expiresAt = Date.parse('2030-01-01T00:00:00Z')

  it('of the environment', async () => {
    const keys = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S' }
    expect(await obtain(keys)).toEqual({ accessKeyId: 'A', secretAccessKey: 'S' })
    expect(await obtain({ ...keys, AWS_SESSION_TOKEN: 'T' })).toMatchObject({ sessionToken: 'T' })
  })

  it('of a web identity', async () => {
    asked.length = 0
    const got = await obtain({
      AWS_ENDPOINT_URL_STS: url,
      AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'token'),
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/a',
    })
    expect(got).toEqual({ accessKeyId: 'R', secretAccessKey: 'RS', sessionToken: 'RT', expiresAt })
    expect(Object.fromEntries(new URLSearchParams(asked[0]!.body))).toMatchObject({
      Action: 'AssumeRoleWithWebIdentity',
      RoleArn: 'arn:aws:iam::1:role/a',
      WebIdentityToken: 'web-identity-token',
    })
    expect(asked[0]!.headers['authorization']).toBeUndefined()
  })

  it('of a profile', async () => {
    const file = { AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials') }
    expect(await obtain(file)).toEqual({ accessKeyId: 'D', secretAccessKey: 'DS' })
    expect(await obtain({ ...file, AWS_PROFILE: 'other' })).toEqual({
      accessKeyId: 'O',
      secretAccessKey: 'OS',
      sessionToken: 'OT',
    })
  })

  it('of a container', async () => {
    asked.length = 0
    const got = await obtain({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/creds`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(folder, 'token'),
    })
    expect(got).toEqual({ accessKeyId: 'C', secretAccessKey: 'CS', sessionToken: 'CT', expiresAt })
    expect(asked[0]!.headers['authorization']).toBe('web-identity-token')
  })

  it('of nobody', async () => {
    await expect(obtain({})).rejects.toThrow('failed to retrieve credentials')
  })

  it('of a role that is refused', async () => {
    status = 403
    const world = { environment: { AWS_ENDPOINT_URL: url }, region: 'r', api, now: Date.now }
    await expect(roleCredentials(world, 'arn:x', example)).rejects.toThrow(
      'operation error STS: AssumeRole, https response error StatusCode: 403, RequestID: r-9, api error AccessDenied: not you',
    )
    status = 200
  })
})
