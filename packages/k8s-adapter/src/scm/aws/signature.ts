import { createHash, createHmac } from 'node:crypto'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  /** Milliseconds since the epoch; undefined: they stay. */
  readonly expiresAt?: number
}

export interface AwsRequest {
  readonly url: string
  readonly service: string
  readonly region: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/**
 * Headers of a POST that is signed with AWS Signature Version 4.
 *
 * Source: AWS General Reference, Signature Version 4
 */
export function signed(
  request: AwsRequest,
  credentials: AwsCredentials,
  nowMs: number,
): { readonly [name: string]: string } {
  const url = new URL(request.url)
  const at = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = at.slice(0, 8)
  const all: { readonly [name: string]: string } = {
    ...request.headers,
    host: url.host,
    'x-amz-date': at,
    ...(credentials.sessionToken === undefined
      ? {}
      : { 'x-amz-security-token': credentials.sessionToken }),
  }
  const names = Object.keys(all).sort()
  const canonical = [
    'POST',
    url.pathname,
    '',
    ...names.map((name) => `${name}:${all[name]!.trim()}`),
    '',
    names.join(';'),
    sha256(request.body),
  ].join('\n')
  const scope = `${day}/${request.region}/${request.service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
  let key: Buffer = Buffer.from(`AWS4${credentials.secretAccessKey}`)
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest()
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
