import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Api, isSuccess, objectIn } from '../api.ts'
import { providerError } from '../objects.ts'
import { query } from '../provider.ts'
import { type AwsCredentials, signed } from './signature.ts'

export interface AwsWorld {
  readonly environment: { readonly [name: string]: string | undefined }
  readonly region: string
  /** Speaks to any host: URLs are given whole. */
  readonly api: Api
  readonly now: () => number
}

const metadata = 'http://169.254.169.254/latest'
/** Where there is none nobody answers. */
const metadataMs = 3_000
const containers = 'http://169.254.170.2'

/** Where a service is, of a region or where the environment says. */
export function endpointOf(
  service: { readonly host: string; readonly variable: string },
  { environment, region }: Pick<AwsWorld, 'environment' | 'region'>,
): string {
  const own = environment[`AWS_ENDPOINT_URL_${service.variable}`] || environment['AWS_ENDPOINT_URL']
  if (own) return own.endsWith('/') ? own : `${own}/`
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return `https://${service.host}.${region}.${domain}/`
}

/**
 * The credentials of the process: of the environment, a web identity (EKS), a profile, a container or a machine.
 *
 * Source: aws-sdk-go-v2 config, the order of resolveCredentialChain
 */
export async function processCredentials(
  world: AwsWorld,
  signal?: AbortSignal,
): Promise<AwsCredentials> {
  const { environment } = world
  const id = environment['AWS_ACCESS_KEY_ID'] || environment['AWS_ACCESS_KEY']
  const secret = environment['AWS_SECRET_ACCESS_KEY'] || environment['AWS_SECRET_KEY']
  if (id && secret) {
    const token = environment['AWS_SESSION_TOKEN']
    return {
      accessKeyId: id,
      secretAccessKey: secret,
      ...(token ? { sessionToken: token } : {}),
    }
  }
  const file = environment['AWS_WEB_IDENTITY_TOKEN_FILE']
  const role = environment['AWS_ROLE_ARN']
  if (file && role) {
    return assume(
      world,
      {
        Action: 'AssumeRoleWithWebIdentity',
        RoleArn: role,
        RoleSessionName: environment['AWS_ROLE_SESSION_NAME'] || 'litecd',
        WebIdentityToken: readSmall(file),
      },
      undefined,
      signal,
    )
  }
  const profile = profileCredentials(environment)
  if (profile !== undefined) return profile
  const relative = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']
  const full = environment['AWS_CONTAINER_CREDENTIALS_FULL_URI']
  if (relative || full) {
    const tokenFile = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']
    const token = tokenFile
      ? readSmall(tokenFile)
      : environment['AWS_CONTAINER_AUTHORIZATION_TOKEN']
    const url = relative ? containers + relative : full!
    return fromJson(world, url, token ? { authorization: token } : {}, signal)
  }
  if (environment['AWS_EC2_METADATA_DISABLED']?.toLowerCase() !== 'true') {
    return machineCredentials(world, signal)
  }
  throw providerError('failed to retrieve credentials: there are none in the environment')
}

/** Credentials of a role. */
export async function roleCredentials(
  world: AwsWorld,
  role: string,
  own: AwsCredentials,
  signal?: AbortSignal,
): Promise<AwsCredentials> {
  return assume(
    world,
    { Action: 'AssumeRole', RoleArn: role, RoleSessionName: 'litecd', DurationSeconds: 900 },
    own,
    signal,
  )
}

async function assume(
  world: AwsWorld,
  parameters: { readonly [name: string]: string | number },
  own: AwsCredentials | undefined,
  signal?: AbortSignal,
): Promise<AwsCredentials> {
  const url = endpointOf({ host: 'sts', variable: 'STS' }, world)
  const body = query({ ...parameters, Version: '2011-06-15' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await world.api.exchange(url, {
    method: 'POST',
    body,
    signal,
    headers:
      own === undefined
        ? headers
        : signed({ url, service: 'sts', region: world.region, headers, body }, own, world.now()),
  })
  const part = (name: string): string | undefined =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(answer.body)?.[1]
  if (!isSuccess(answer)) {
    throw world.api.refusal(
      answer,
      `operation error STS: ${parameters['Action']}, https response error StatusCode: ${answer.status}, RequestID: ${part('RequestId') ?? ''}, api error ${part('Code') ?? 'UnknownError'}: ${part('Message') ?? ''}`,
    )
  }
  return credentialsOf(world, {
    id: part('AccessKeyId'),
    secret: part('SecretAccessKey'),
    token: part('SessionToken'),
    expires: part('Expiration'),
  })
}

function profileCredentials(environment: AwsWorld['environment']): AwsCredentials | undefined {
  const path =
    environment['AWS_SHARED_CREDENTIALS_FILE'] ||
    join(environment['HOME'] || homedir(), '.aws', 'credentials')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined // there need not be one
  }
  const wanted = environment['AWS_PROFILE'] || 'default'
  const values: { [key: string]: string } = {}
  let profile = ''
  for (const line of text.split('\n')) {
    const section = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line)
    if (section !== null) profile = section[1]!
    const pair = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/.exec(line)
    if (pair !== null && profile === wanted) values[pair[1]!.toLowerCase()] = pair[2]!
  }
  const id = values['aws_access_key_id']
  const secret = values['aws_secret_access_key']
  const token = values['aws_session_token']
  if (!id || !secret) return undefined
  return { accessKeyId: id, secretAccessKey: secret, ...(token ? { sessionToken: token } : {}) }
}

async function fromJson(
  world: AwsWorld,
  url: string,
  headers: { readonly [name: string]: string },
  signal?: AbortSignal,
): Promise<AwsCredentials> {
  const answer = await world.api.exchange(url, { headers, signal, timeoutMs: metadataMs })
  if (!isSuccess(answer)) throw world.api.refusal(answer)
  const told = objectIn(answer.body)
  const text = (name: string): string | undefined =>
    typeof told[name] === 'string' ? told[name] : undefined
  return credentialsOf(world, {
    id: text('AccessKeyId'),
    secret: text('SecretAccessKey'),
    token: text('Token'),
    expires: text('Expiration'),
  })
}

async function machineCredentials(world: AwsWorld, signal?: AbortSignal): Promise<AwsCredentials> {
  const fetched = async (
    path: string,
    headers: { readonly [name: string]: string },
  ): Promise<string> => {
    const answer = await world.api.exchange(metadata + path, {
      headers,
      signal,
      timeoutMs: metadataMs,
    })
    if (!isSuccess(answer)) throw world.api.refusal(answer)
    return answer.body.trim()
  }
  const session = await world.api.exchange(`${metadata}/api/token`, {
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' },
    signal,
    timeoutMs: metadataMs,
  })
  if (!isSuccess(session)) throw world.api.refusal(session)
  const headers = { 'x-aws-ec2-metadata-token': session.body.trim() }
  const role = await fetched('/meta-data/iam/security-credentials/', headers)
  return fromJson(
    world,
    `${metadata}/meta-data/iam/security-credentials/${role.split('\n')[0]}`,
    headers,
    signal,
  )
}

function credentialsOf(
  { api }: AwsWorld,
  told: {
    readonly id: string | undefined
    readonly secret: string | undefined
    readonly token: string | undefined
    readonly expires: string | undefined
  },
): AwsCredentials {
  const { id, secret, token, expires } = told
  if (!id || !secret) throw api.error('SOURCE_CORRUPT', 'the answer holds no credentials')
  const expiresAt = Date.parse(expires ?? '')
  return {
    accessKeyId: id,
    secretAccessKey: secret,
    ...(token ? { sessionToken: token } : {}),
    ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
  }
}

function readSmall(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw providerError(`unable to read file at ${path}: ${(error as Error).message}`)
  }
}
