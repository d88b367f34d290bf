// Finds the real programs that tests run against; `scripts/testbin/testbin.sh` builds them.
import { accessSync, constants, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

export type Binary =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'helm'
  | 'kustomize'
  | 'jsonnet'
  | 'gojq'

const versions: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL('../scripts/testbin/versions', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' ') as [string, string]),
)

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Where a program is: KUBEBUILDER_ASSETS (Kubernetes programs only), then the cache that testbin.sh fills, then PATH.
 *
 * Undefined when it is nowhere, unless LITECD_REQUIRE_BINARIES=1, which makes that an Error: CI must not skip quietly.
 */
export function findBinary(name: Binary): string | undefined {
  const folder = versions.get(name)
  if (folder === undefined) throw new Error(`${name} is not listed in scripts/testbin/versions`)
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const assets = folder.startsWith('kubernetes-') ? process.env['KUBEBUILDER_ASSETS'] : undefined
  const path = [
    ...(assets ? [assets] : []),
    join(cache, 'litecd-testbin', folder),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((entry) => entry !== ''),
  ]
    .map((entry) => join(entry, name))
    .find(executable)
  if (path === undefined && process.env['LITECD_REQUIRE_BINARIES'] === '1') {
    throw new Error(`${name} is missing; LITECD_REQUIRE_BINARIES=1 asks for it: npm run testbin`)
  }
  return path
}

/** True when all are there; otherwise says in one line which tests are left out, and why. */
export function haveBinaries(what: string, names: readonly Binary[]): boolean {
  const missing = names.filter((name) => findBinary(name) === undefined)
  if (missing.length === 0) return true
  console.warn(`SKIPPED ${what}: ${missing.join(', ')} not found. \`npm run testbin\` builds it.`)
  return false
}
