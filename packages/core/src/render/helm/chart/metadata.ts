import { RenderError } from '../../../errors/index.ts'
import type { Json, JsonObject } from '../../../json/index.ts'
import { isPrint, isSpace, parseVersion, quoteGo } from '../../../text/index.ts'
import type { Dependency, Metadata } from './chart.ts'
import type { Shape } from './decode.ts'

const string: Shape = { type: 'string' }
const strings: Shape = { type: 'list', of: string, go: '[]string' }

export const dependencyShape: Shape = {
  type: 'struct',
  name: 'Dependency',
  go: 'v2.Dependency',
  fields: {
    name: string,
    version: string,
    repository: string,
    condition: string,
    tags: strings,
    enabled: { type: 'bool' },
    'import-values': { type: 'list', of: { type: 'any' }, go: '[]interface {}' },
    alias: string,
  },
}

const dependencies: Shape = { type: 'list', of: dependencyShape, go: '[]*v2.Dependency' }

export const metadataShape: Shape = {
  type: 'struct',
  name: 'Metadata',
  go: 'v2.Metadata',
  fields: {
    name: string,
    home: string,
    sources: strings,
    version: string,
    description: string,
    keywords: strings,
    maintainers: {
      type: 'list',
      go: '[]*v2.Maintainer',
      of: {
        type: 'struct',
        name: 'Maintainer',
        go: 'v2.Maintainer',
        fields: { name: string, email: string, url: string },
      },
    },
    icon: string,
    apiVersion: string,
    condition: string,
    tags: string,
    appVersion: string,
    deprecated: { type: 'bool' },
    annotations: { type: 'map', of: string, go: 'map[string]string' },
    kubeVersion: string,
    dependencies,
    type: string,
  },
}

export const lockShape: Shape = {
  type: 'struct',
  name: 'Lock',
  go: 'v2.Lock',
  fields: { generated: { type: 'time' }, digest: string, dependencies },
}

function invalid(message: string): RenderError {
  return new RenderError('HELM_FAILED', `validation: ${message}`)
}

const plainAscii = /^[ -~]*$/

/** White space becomes a space, what cannot be printed goes. */
function sanitize(text: string): string {
  if (plainAscii.test(text)) return text
  let out = ''
  for (const char of text) {
    if (isSpace(char)) out += ' '
    else if (isPrint(char)) out += char
  }
  return out
}

/**
 * Metadata from the decoded Chart.yaml (and requirements.yaml), checked in Helm's order.
 *
 * Throws HELM_FAILED `validation: …`. Source: helm v4.2.1 pkg/chart/v2/metadata.go
 */
export function readMetadata(raw: JsonObject): Metadata {
  const text = (key: string): string => sanitize(plain(raw, key))
  const texts = (key: string): string[] =>
    ((raw[key] as readonly string[] | undefined) ?? []).map(sanitize)
  const name = text('name')
  const version = plain(raw, 'version')
  const type = plain(raw, 'type')
  if (plain(raw, 'apiVersion') === '') throw invalid('chart.metadata.apiVersion is required')
  if (name === '') throw invalid('chart.metadata.name is required')
  if (name === '.' || name === '..') {
    throw invalid(`chart.metadata.name ${quoteGo(name)} is not allowed`)
  }
  if (name.includes('/')) throw invalid(`chart.metadata.name ${quoteGo(name)} is invalid`)
  if (version === '') throw invalid('chart.metadata.version is required')
  if ('error' in parseVersion(version)) {
    throw invalid(`chart.metadata.version ${quoteGo(version)} is invalid`)
  }
  if (type !== '' && type !== 'application' && type !== 'library') {
    throw invalid('chart.metadata.type must be application or library')
  }
  const maintainers = (
    (raw['maintainers'] as readonly (JsonObject | null)[] | undefined) ?? []
  ).map((maintainer) => {
    if (maintainer === null) throw invalid('maintainers must not contain empty or null nodes')
    const field = (key: string): string => sanitize(plain(maintainer, key))
    return { name: field('name'), email: field('email'), url: field('url') }
  })
  return {
    name,
    home: text('home'),
    sources: texts('sources'),
    version,
    description: text('description'),
    keywords: texts('keywords'),
    maintainers,
    icon: text('icon'),
    apiVersion: plain(raw, 'apiVersion'),
    condition: text('condition'),
    tags: text('tags'),
    appVersion: text('appVersion'),
    deprecated: raw['deprecated'] === true,
    annotations: raw['annotations'] as { readonly [key: string]: string } | undefined,
    kubeVersion: text('kubeVersion'),
    dependencies: readDependencies(raw['dependencies']),
    type,
  }
}

function plain(raw: JsonObject, key: string): string {
  const value = raw[key]
  return typeof value === 'string' ? value : ''
}

function readDependencies(list: Json | undefined): readonly Dependency[] | undefined {
  if (list === undefined) return undefined
  const seen = new Set<string>()
  return (list as readonly (JsonObject | null)[]).map((raw) => {
    if (raw === null) throw invalid('dependencies must not contain empty or null nodes')
    const field = (key: string): string => sanitize(plain(raw, key))
    const dependency: Dependency = {
      name: field('name'),
      version: field('version'),
      repository: field('repository'),
      condition: field('condition'),
      tags: ((raw['tags'] as readonly string[] | undefined) ?? []).map(sanitize),
      importValues: (raw['import-values'] as readonly Json[] | undefined) ?? [],
      alias: plain(raw, 'alias'),
    }
    const { name, alias } = dependency
    if (alias !== '' && !/^[a-zA-Z0-9_-]+$/.test(alias)) {
      throw invalid(`dependency ${quoteGo(name)} has disallowed characters in the alias`)
    }
    const key = alias === '' ? name : alias
    if (seen.has(key)) {
      throw invalid(`more than one dependency with name or alias ${quoteGo(key)}`)
    }
    seen.add(key)
    return dependency
  })
}
