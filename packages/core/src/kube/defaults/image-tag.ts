const domain =
  /^(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\[[a-fA-F0-9:]+\])(?::\d+)?$/
const path = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/
const tag = /^\w[\w.-]{0,127}$/
const digestLengths: { readonly [algorithm: string]: number } = {
  sha256: 64,
  sha384: 96,
  sha512: 128,
}

/**
 * The tag of an image as Kubernetes sees it: `latest` when there is neither tag nor digest, '' for a digest alone and for
 * a name that is no image reference.
 *
 * Source: k8s.io/kubernetes v1.36.1 pkg/util/parsers; github.com/distribution/reference
 */
export function imageTag(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) return ''
  const slash = image.indexOf('/')
  const first = image.slice(0, slash)
  const hasDomain =
    slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first)
  const host = hasDomain ? first : 'docker.io'
  const rest = hasDomain ? image.slice(slash + 1) : image
  const match = /^([^:@]*)(?::([^@]*))?(?:@(.*))?$/.exec(rest)
  if (match === null || !domain.test(host)) return ''
  const [, name = '', version, digest] = match
  if (!path.test(name) || name.length > 255) return ''
  if (version !== undefined && !tag.test(version)) return ''
  if (digest !== undefined && !isDigest(digest)) return ''
  return version ?? (digest === undefined ? 'latest' : '')
}

function isDigest(text: string): boolean {
  const [algorithm = '', hex = ''] = text.split(':')
  const known = Object.hasOwn(digestLengths, algorithm) && digestLengths[algorithm] === hex.length
  return known && text === `${algorithm}:${hex}` && /^[a-f0-9]+$/.test(hex)
}
