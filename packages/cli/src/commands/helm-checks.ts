import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { RenderError, SpecError } from '@litecd/core/errors'
import { quoteGo } from '@litecd/core/text'
import type { Io } from '../io.ts'
import { type HelmCommandLine, isTrue } from './helm-flags.ts'
import { log } from './helm-log.ts'

export function failed(message: string): RenderError {
  return new RenderError('HELM_FAILED', message)
}

/** Throws SpecError USAGE for what litecd does not do. */
export function refuseUnsupported(line: HelmCommandLine): void {
  const [first] = line.unsupported
  const chart = line.positionals.at(-1) ?? ''
  if (/^https?:/.test(chart) && (line.text('username') ?? '') !== '') {
    throw new SpecError(
      'USAGE',
      'litecd helm: --username with the URL of an archive is not supported',
      {
        hint: 'Give --repo URL and the name of the chart.',
      },
    )
  }
  if (first === undefined) return
  throw new SpecError('USAGE', `litecd helm: --${first} is not supported`, {
    hint: 'Use the helm program.',
  })
}

/** Throws HELM_FAILED for values of `--dry-run` that Helm refuses, and USAGE for the server. */
export function checkDryRun(line: HelmCommandLine, io: Io): void {
  const text = line.text('dry-run')
  if (text === undefined || text === 'client') return
  if (text === 'server') {
    throw new SpecError('USAGE', 'litecd helm: --dry-run=server is not supported', {
      hint: 'Use the helm program.',
    })
  }
  if (text === 'unset') {
    const message = "--dry-run is deprecated and should be replaced with '--dry-run=client'"
    log(io, { level: 'WARN', message })
    return
  }
  if (isTrue(text)) {
    const message = `boolean '--dry-run=${text}' flag is deprecated and must be replaced with '--dry-run=client'`
    log(io, { level: 'WARN', message })
    return
  }
  const isFalse = ['none', '0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)
  const allowed = isFalse ? '"server" or "client"' : '"none", "server", or "client"'
  throw failed(`invalid dry-run value (${quoteGo(text)}). Must be ${allowed}`)
}

/**
 * Reads the certificates of a command line, needed or not, as Helm does. Throws HELM_FAILED.
 *
 * Source: helm v4.2.2 pkg/cmd/root.go newRegistryClient, internal/tlsutil/tls.go
 */
export function checkCertificates(line: HelmCommandLine, io: Io): void {
  const text = (flag: string): string => line.text(flag) ?? ''
  const [cert, key, authority] = [text('cert-file'), text('key-file'), text('ca-file')]
  const isUsed = (cert !== '' && key !== '') || authority !== ''
  if (!isUsed && !line.flag('insecure-skip-tls-verify')) return
  const issues: string[] = []
  const read = (path: string, what: string): string | undefined => {
    const full = resolve(io.cwd, path)
    if (path !== '' && existsSync(full)) return readFileSync(full, 'latin1')
    issues.push(`${what}: ${quoteGo(path)}: open ${path}: no such file or directory`)
    return undefined
  }
  const isPair = cert !== '' || key !== ''
  const certText = isPair ? read(cert, 'unable to read cert file') : undefined
  // Helm stops at the first of a pair
  if (certText !== undefined) read(key, 'unable to read key file')
  const authorities = authority === '' ? undefined : read(authority, "can't read CA file")
  const hasPem = (pem: string): boolean => pem.includes('-----BEGIN CERTIFICATE-----')
  if (issues.length === 0 && certText !== undefined && certText !== '' && !hasPem(certText)) {
    issues.push(
      'unable to load cert from key pair: tls: failed to find any PEM data in certificate input',
    )
  }
  if (issues.length === 0 && authorities !== undefined && authorities !== '') {
    if (!hasPem(authorities)) issues.push('failed to append certificates from pem block')
  }
  if (issues.length === 0) return
  throw failed(`missing registry client: can't create TLS config for client: ${issues.join('\n')}`)
}

/** What is wrong with the colours that are asked for; Helm looks at them before anything else. */
export function colorIssue(line: HelmCommandLine): string | undefined {
  for (const flag of ['color', 'colour']) {
    const mode = line.text(flag)
    if (mode !== undefined && !['never', 'auto', 'always'].includes(mode)) {
      return `invalid color mode ${quoteGo(mode)}: must be one of: never, auto, always`
    }
  }
  return undefined
}

/** Helm's refusal of labels that it needs itself. Source: helm v4.2.2 pkg/storage/driver/labels.go */
export function reservedLabels(line: HelmCommandLine): RenderError | undefined {
  const system = ['name', 'owner', 'status', 'version', 'createdAt', 'modifiedAt']
  const isReserved = (line.text('labels') ?? '')
    .split(',')
    .some((label) => system.includes(label.split('=')[0]!))
  return isReserved
    ? failed(
        `user supplied labels contains system reserved label name. System labels: [${system.join(' ')}]`,
      )
    : undefined
}
