import type { TlsSettings } from './http/index.ts'
import type { RepositorySettings } from './repository.ts'

/** How a repository's host is trusted, and what we show it. */
export function tlsSettings(
  repository: RepositorySettings,
  host: string,
  certificatesFor: ((host: string) => string | undefined) | undefined,
): TlsSettings {
  const ca = certificatesFor?.(host)
  return {
    insecure: repository.insecure,
    ...(ca === undefined ? {} : { ca }),
    ...(repository.tlsClientCertData === '' ? {} : { cert: repository.tlsClientCertData }),
    ...(repository.tlsClientCertKey === '' ? {} : { key: repository.tlsClientCertKey }),
  }
}

/** The host of a URL without its port; '' where there is none. */
export function hostOf(url: string): string {
  try {
    return new URL(url.includes('://') ? url : `https://${url}`).hostname
  } catch {
    return ''
  }
}
