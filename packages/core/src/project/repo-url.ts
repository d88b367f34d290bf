const sshUrl = /^(ssh:\/\/)?([^/:]*?)@[^@]+$/

/**
 * One spelling for the many of a repository URL: lower case, no `.git`, scp form as ssh. '' when it is no URL.
 *
 * Source: argo-cd v3.5.1 util/git/git.go NormalizeGitURL
 */
export function normalizeRepoUrl(url: string): string {
  let text = url.toWellFormed().trim().toLowerCase()
  if (sshUrl.test(text) && !text.startsWith('ssh://')) {
    text = 'ssh://' + text.replace(':', '/')
  }
  if (text.endsWith('.git')) text = text.slice(0, -4)
  const parsed = reserialize(text)
  return parsed === undefined ? '' : parsed.replace(/^ssh:\/\//, '')
}

/** As Go's url.Parse and String would give it back; undefined where Go refuses. */
function reserialize(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(text)) return undefined
  const match = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(text)
  if (match === null) return undefined
  const [, scheme, authority, path = '', query = '', fragment = ''] = match
  if (scheme === undefined && authority === undefined && /^[^/]*:/.test(path)) return undefined
  if (authority !== undefined) {
    const host = authority.slice(authority.lastIndexOf('@') + 1)
    const port = /:([^:\]]*)$/.exec(host)?.[1]
    if (port !== undefined && !/^\d*$/.test(port)) return undefined
    if (/[ {}^|\\<>"`]/.test(host)) return undefined
  }
  if (/%(?![0-9a-f]{2})/.test(path)) return undefined
  const escaped = path.replace(/[ "<>\\^`{|}\u0080-\uffff]+/g, (run) => encodeURIComponent(run))
  return (
    (scheme === undefined ? '' : scheme + ':') +
    (authority === undefined ? '' : '//' + authority) +
    escaped +
    query +
    fragment
  )
}
