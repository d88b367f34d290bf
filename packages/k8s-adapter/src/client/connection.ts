/** How to reach one API server, as plain data: what a kubeconfig, a pod's service account or a cluster Secret says. */
export interface Connection {
  /** `https://host:port`, perhaps with a path below which the API lies; no trailing slash. */
  readonly server: string
  /** PEM of the authorities to trust; undefined: those of the system. */
  readonly ca?: string
  readonly insecureSkipTlsVerify?: boolean
  /** Name to expect in the server's certificate instead of the host of `server`. */
  readonly tlsServerName?: string
  /** `http://` or `https://` proxy that understands CONNECT. */
  readonly proxyUrl?: string
  readonly credentials: Credentials
  readonly impersonate?: Impersonation
  /** Namespace of the context; undefined when it names none. */
  readonly namespace?: string
}

/** What to show the server. A certificate goes beside one of the others; the rest exclude each other. */
export interface Credentials {
  readonly clientCertificate?: string
  readonly clientKey?: string
  readonly token?: string
  /** Read again every minute: kubelets rotate it. Wins over `token`. */
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly exec?: ExecPlugin
}

/** A credential plugin, `client.authentication.k8s.io` v1 or v1beta1. */
export interface ExecPlugin {
  readonly apiVersion: string
  /** Absolute, or a name to be found on PATH. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly provideClusterInfo: boolean
  readonly interactiveMode: string
  readonly installHint: string
}

export interface Impersonation {
  readonly user: string
  readonly groups?: readonly string[]
  readonly uid?: string
  readonly extra?: { readonly [key: string]: readonly string[] }
}

/** The request headers of an impersonation; a list stands for a header sent several times. */
export function impersonationHeaders(who: Impersonation): { [name: string]: string | string[] } {
  const headers: { [name: string]: string | string[] } = { 'impersonate-user': who.user }
  if (who.uid) headers['impersonate-uid'] = who.uid
  if (who.groups?.length) headers['impersonate-group'] = [...who.groups]
  for (const [key, values] of Object.entries(who.extra ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = [...values]
  }
  return headers
}
