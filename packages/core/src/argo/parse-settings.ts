import { isLitecdError } from '../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../json/index.ts'
import { parseDuration } from '../text/index.ts'
import { parseYaml } from '../yaml/index.ts'
import { parseGoBool } from './annotations.ts'
import {
  defaultSettings,
  type FilteredResource,
  type HealthSettings,
  type IgnoreRuleSet,
  type ResourceOverride,
  type Settings,
} from './settings.ts'
import type { TrackingMethod } from './tracking.ts'

export interface SettingsSources {
  /** `data` of ConfigMap argocd-cm; undefined when it is missing. */
  readonly argocdCm: { readonly [key: string]: string } | undefined
  /** `data` of ConfigMap argocd-cmd-params-cm. */
  readonly params?: { readonly [key: string]: string }
  /** Environment variables by Argo CD's names; they win over `params`. */
  readonly environment?: { readonly [name: string]: string | undefined }
  readonly controllerNamespace?: string
  /** Flags of litecd; the default has no library and no health for unknown kinds. */
  readonly health?: HealthSettings
}

export interface ParsedSettings {
  readonly settings: Settings
  /** One sentence for each setting that could not be read and was left at its default. */
  readonly problems: readonly string[]
  /** Set when Argo CD could compare nothing with these settings: every Application becomes Unknown. */
  readonly fatal?: string
}

/**
 * Settings from the ConfigMaps of an Argo CD installation and its environment.
 *
 * An unreadable resource customization makes all comparisons Unknown, as in Argo CD; other unreadable values fall back
 * to their defaults and are named in `problems`.
 * Source: argo-cd v3.5.1 util/settings/settings.go
 */
export function parseSettings(sources: SettingsSources): ParsedSettings {
  const cm = sources.argocdCm ?? {}
  const problems: string[] = []
  const reader = new ParamReader(sources, problems)
  let fatal: string | undefined
  let overrides: Settings['overrides'] = {}
  const compare = readCompareOptions(cm['resource.compareoptions'])
  if (typeof compare === 'string') fatal = compare
  try {
    overrides = readOverrides(cm, typeof compare === 'string' ? defaultCompare : compare)
  } catch (error) {
    if (!(error instanceof SettingError) && !isLitecdError(error)) throw error
    fatal ??= error.message
  }
  const list = (key: string): readonly FilteredResource[] => {
    try {
      return readFilter(cm[key])
    } catch (error) {
      if (!(error instanceof SettingError) && !isLitecdError(error)) throw error
      problems.push(`argocd-cm ${key}: ${error.message}`)
      return []
    }
  }
  const options = typeof compare === 'string' ? defaultCompare : compare
  const settings: Settings = {
    ...defaultSettings,
    tracking: {
      method: trackingMethod(cm['application.resourceTrackingMethod']),
      labelKey: cm['application.instanceLabelKey'] || defaultSettings.tracking.labelKey,
      installationId: cm['installationID'] ?? '',
    },
    sourceTypes: {
      helm: isEnabled(cm['helm.enable']),
      kustomize: isEnabled(cm['kustomize.enable']),
      jsonnet: isEnabled(cm['jsonnet.enable']),
    },
    kustomizeBuildOptions: cm['kustomize.buildOptions'] ?? '',
    kustomizeVersions: Object.keys(cm).flatMap((key) => {
      const match = /^kustomize\.(?:version|path)\.(.+)$/.exec(key)
      return match === null ? [] : [match[1]!]
    }),
    helmValuesFileSchemes:
      cm['helm.valuesFileSchemes'] === undefined
        ? defaultSettings.helmValuesFileSchemes
        : cm['helm.valuesFileSchemes']
            .split(',')
            .map((scheme) => scheme.trim().toLowerCase())
            .filter((scheme) => scheme !== ''),
    overrides,
    health: sources.health ?? defaultSettings.health,
    ignoreAggregatedRoles: options.ignoreAggregatedRoles,
    ignoreDifferencesOnResourceUpdates: options.ignoreDifferencesOnResourceUpdates,
    ignoreResourceUpdatesEnabled:
      parseGoBool(cm['resource.ignoreResourceUpdatesEnabled']) ??
      defaultSettings.ignoreResourceUpdatesEnabled,
    exclusions: [...defaultSettings.exclusions, ...list('resource.exclusions')],
    inclusions: list('resource.inclusions'),
    maskedAnnotations: commaList(cm['resource.sensitive.mask.annotations']),
    globalProjects: readGlobalProjects(cm['globalProjects'], problems),
    inClusterEnabled: cm['cluster.inClusterEnabled'] !== 'false',
    verifiesCommits: !['false', 'no'].includes(sources.environment?.['ARGOCD_GPG_ENABLED'] ?? ''),
    impersonation: {
      enabled: cm['application.sync.impersonation.enabled'] === 'true',
      enforced: cm['application.sync.impersonation.enforced'] !== 'false',
    },
    controllerNamespace: sources.controllerNamespace ?? defaultSettings.controllerNamespace,
    applicationNamespaces: commaList(
      reader.text('application.namespaces', 'ARGOCD_APPLICATION_NAMESPACES'),
    ),
    maxManifestBytes: reader.bytes(
      'reposerver.max.combined.directory.manifests.size',
      'ARGOCD_REPO_SERVER_MAX_COMBINED_DIRECTORY_MANIFESTS_SIZE',
      defaultSettings.maxManifestBytes,
    ),
    serverSideDiff:
      parseGoBool(
        reader.text(
          'controller.diff.server.side',
          'ARGOCD_APPLICATION_CONTROLLER_SERVER_SIDE_DIFF',
        ),
      ) ?? false,
    autoRollback: parseGoBool(reader.text('litecd.auto.rollback', 'LITECD_AUTO_ROLLBACK')) ?? false,
    selfHeal: {
      timeoutMs: reader.seconds(
        'controller.self.heal.timeout.seconds',
        'ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_TIMEOUT_SECONDS',
        defaultSettings.selfHeal.timeoutMs,
      ),
      backoffInitialMs: reader.seconds(
        'controller.self.heal.backoff.timeout.seconds',
        'ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_BACKOFF_TIMEOUT_SECONDS',
        defaultSettings.selfHeal.backoffInitialMs,
      ),
      backoffFactor: reader.integer(
        'controller.self.heal.backoff.factor',
        'ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_BACKOFF_FACTOR',
        defaultSettings.selfHeal.backoffFactor,
      ),
      backoffCapMs: reader.seconds(
        'controller.self.heal.backoff.cap.seconds',
        'ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_BACKOFF_CAP_SECONDS',
        defaultSettings.selfHeal.backoffCapMs,
      ),
    },
    timeouts: {
      reconciliationMs: reader.duration(
        cm['timeout.reconciliation'],
        'ARGOCD_RECONCILIATION_TIMEOUT',
        'timeout.reconciliation',
        defaultSettings.timeouts.reconciliationMs,
      ),
      jitterMs: reader.duration(
        cm['timeout.reconciliation.jitter'],
        'ARGOCD_RECONCILIATION_JITTER',
        'timeout.reconciliation.jitter',
        defaultSettings.timeouts.jitterMs,
      ),
      hardReconciliationMs: reader.duration(
        cm['timeout.hard.reconciliation'],
        'ARGOCD_HARD_RECONCILIATION_TIMEOUT',
        'timeout.hard.reconciliation',
        defaultSettings.timeouts.hardReconciliationMs,
      ),
      repoErrorGraceMs: reader.duration(
        sources.params?.['controller.repo.error.grace.period.seconds'],
        'ARGOCD_REPO_ERROR_GRACE_PERIOD_SECONDS',
        'controller.repo.error.grace.period.seconds',
        defaultSettings.timeouts.repoErrorGraceMs,
      ),
      syncMs: reader.seconds(
        'controller.sync.timeout.seconds',
        'ARGOCD_APPLICATION_CONTROLLER_SYNC_TIMEOUT',
        defaultSettings.timeouts.syncMs,
      ),
      syncWaveDelayMs: reader.seconds(
        'controller.sync.wave.delay.seconds',
        'ARGOCD_SYNC_WAVE_DELAY',
        defaultSettings.timeouts.syncWaveDelayMs,
      ),
    },
  }
  return { settings, problems, ...(fatal === undefined ? {} : { fatal }) }
}

class SettingError extends Error {}

class ParamReader {
  private readonly sources: SettingsSources
  private readonly problems: string[]

  constructor(sources: SettingsSources, problems: string[]) {
    this.sources = sources
    this.problems = problems
  }

  text(key: string, variable: string): string | undefined {
    const own = this.sources.environment?.[variable]
    return own !== undefined && own !== '' ? own : this.sources.params?.[key]
  }

  integer(key: string, variable: string, fallback: number): number {
    const text = this.text(key, variable)
    if (text === undefined || text === '') return fallback
    if (/^[+-]?\d+$/.test(text)) return Number(text)
    this.problems.push(`${key}: ${JSON.stringify(text)} is no integer; ${fallback} is used`)
    return fallback
  }

  seconds(key: string, variable: string, fallbackMs: number): number {
    return this.integer(key, variable, fallbackMs / 1_000) * 1_000
  }

  /** Go's syntax, or one number of days; a bare number is no duration. */
  duration(value: string | undefined, variable: string, name: string, fallbackMs: number): number {
    const own = this.sources.environment?.[variable]
    const text = own !== undefined && own !== '' ? own : value
    if (text === undefined || text === '') return fallbackMs
    const days = /^(\d+)d$/.exec(text)
    if (days !== null) return Number(days[1]) * 86_400_000
    const parsed = parseDuration(text)
    if ('ms' in parsed && parsed.ms >= 0) return parsed.ms
    this.problems.push(`${name}: ${JSON.stringify(text)} is no duration; the default is used`)
    return fallbackMs
  }

  /** A Kubernetes quantity of bytes. */
  bytes(key: string, variable: string, fallback: number): number {
    const text = this.text(key, variable)
    if (text === undefined || text === '') return fallback
    const match = /^(\d+(?:\.\d+)?)(k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(text)
    if (match === null) {
      this.problems.push(`${key}: ${JSON.stringify(text)} is no size; ${fallback} is used`)
      return fallback
    }
    return Math.round(Number(match[1]) * byteUnits[match[2] ?? '']!)
  }
}

const byteUnits: { readonly [unit: string]: number } = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
}

function trackingMethod(text: string | undefined): TrackingMethod {
  return text === 'label' || text === 'annotation+label' ? text : 'annotation'
}

function isEnabled(text: string | undefined): boolean {
  return text === undefined || text === '' || text === 'true'
}

function commaList(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

interface CompareOptions {
  readonly ignoreAggregatedRoles: boolean
  readonly statusField: 'all' | 'crd' | 'none'
  readonly ignoreDifferencesOnResourceUpdates: boolean
}

const defaultCompare: CompareOptions = {
  ignoreAggregatedRoles: false,
  statusField: 'all',
  ignoreDifferencesOnResourceUpdates: true,
}

/** The options, or what is wrong with them. */
function readCompareOptions(text: string | undefined): CompareOptions | string {
  if (text === undefined || text.trim() === '') return defaultCompare
  let value: Json
  try {
    value = parseYaml(text)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return error.message
  }
  if (!isObject(value)) return 'resource.compareoptions must be a map'
  const field = value['ignoreResourceStatusField']
  const off = field === 'none' || field === 'off' || field === 'false' || field === false
  return {
    ignoreAggregatedRoles: value['ignoreAggregatedRoles'] === true,
    statusField: field === 'crd' ? 'crd' : off ? 'none' : 'all',
    ignoreDifferencesOnResourceUpdates: value['ignoreDifferencesOnResourceUpdates'] !== false,
  }
}

function readOverrides(
  cm: { readonly [key: string]: string },
  compare: CompareOptions,
): Settings['overrides'] {
  const overrides: { [key: string]: ResourceOverride } = {}
  const merge = (key: string, patch: ResourceOverride): void => {
    overrides[key] = { ...overrides[key], ...patch }
  }
  const whole = cm['resource.customizations']
  if (whole !== undefined && whole.trim() !== '') {
    for (const [key, value] of Object.entries(mapOf(whole, 'resource.customizations'))) {
      if (isObject(value)) merge(key, oldStyleOverride(value, key))
    }
  }
  for (const [key, text] of Object.entries(cm)) {
    if (!key.startsWith('resource.customizations.')) continue
    const [, , type, ...rest] = key.split('.')
    const target = rest.join('.')
    if (type === undefined || target === '') continue
    merge(overrideKey(target), splitOverride(type, text, key))
  }
  if (compare.statusField !== 'none') {
    const key =
      compare.statusField === 'crd' ? 'apiextensions.k8s.io/CustomResourceDefinition' : '*/*'
    const rules = overrides[key]?.ignoreDifferences ?? noRules
    merge(key, {
      ignoreDifferences: { ...rules, jsonPointers: [...rules.jsonPointers, '/status'] },
    })
  }
  return overrides
}

function overrideKey(target: string): string {
  if (target === 'all') return '*/*'
  const parts = target.split('_')
  if (parts.length > 2) {
    throw new SettingError(
      'group kind should be in format `resource.customizations.<type>.<group_kind>` or resource.customizations.<type>.<kind>`',
    )
  }
  return parts.join('/')
}

const noRules: IgnoreRuleSet = {
  jsonPointers: [],
  jqPathExpressions: [],
  managedFieldsManagers: [],
}

function oldStyleOverride(value: JsonObject, key: string): ResourceOverride {
  const text = (field: string): string | undefined =>
    typeof value[field] === 'string' ? value[field] : undefined
  const rules = (field: string): IgnoreRuleSet | undefined => {
    const found = text(field)
    return found === undefined ? undefined : rulesOf(mapOf(found, `${key} ${field}`))
  }
  const ignoreDifferences = rules('ignoreDifferences')
  const ignoreResourceUpdates = rules('ignoreResourceUpdates')
  const healthLua = text('health.lua')
  const actions = text('actions')
  const known = value['knownTypeFields']
  return {
    ...(healthLua === undefined ? {} : { healthLua }),
    ...(value['health.lua.useOpenLibs'] === true ? { useOpenLibs: true } : {}),
    ...(actions === undefined ? {} : { actions }),
    ...(ignoreDifferences === undefined ? {} : { ignoreDifferences }),
    ...(ignoreResourceUpdates === undefined ? {} : { ignoreResourceUpdates }),
    ...(Array.isArray(known) ? { knownTypeFields: knownFields(known) } : {}),
  }
}

function splitOverride(type: string, text: string, key: string): ResourceOverride {
  switch (type) {
    case 'health':
      return { healthLua: text }
    case 'useOpenLibs': {
      const value = parseGoBool(text)
      if (value === undefined) {
        throw new SettingError(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`)
      }
      return { useOpenLibs: value }
    }
    case 'actions':
      return { actions: text }
    case 'ignoreDifferences':
      return { ignoreDifferences: rulesOf(mapOf(text, key)) }
    case 'ignoreResourceUpdates':
      return { ignoreResourceUpdates: rulesOf(mapOf(text, key)) }
    case 'knownTypeFields': {
      const value = parseYaml(text)
      return { knownTypeFields: Array.isArray(value) ? knownFields(value) : [] }
    }
    default:
      throw new SettingError(`resource customization type ${type} not supported`)
  }
}

function mapOf(text: string, what: string): JsonObject {
  const value = parseYaml(text)
  if (value === null) return {}
  if (!isObject(value)) throw new SettingError(`${what} must be a map`)
  return value
}

function rulesOf(value: JsonObject): IgnoreRuleSet {
  const texts = (field: string): readonly string[] => {
    const list = value[field]
    if (list === undefined || list === null) return []
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
      throw new SettingError(`${field} must be a list of texts`)
    }
    return list as readonly string[]
  }
  return {
    jsonPointers: texts('jsonPointers'),
    jqPathExpressions: texts('jqPathExpressions'),
    managedFieldsManagers: texts('managedFieldsManagers'),
  }
}

function knownFields(list: readonly Json[]): readonly { field: string; type: string }[] {
  return list.filter(isObject).map((item) => ({
    field: typeof item['field'] === 'string' ? item['field'] : '',
    type: typeof item['type'] === 'string' ? item['type'] : '',
  }))
}

function readFilter(text: string | undefined): readonly FilteredResource[] {
  if (text === undefined || text.trim() === '') return []
  const value = parseYaml(text)
  if (value === null) return []
  if (!Array.isArray(value)) throw new SettingError('must be a list')
  const texts = (list: Json | undefined): readonly string[] =>
    Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : []
  return value.filter(isObject).map((item) => ({
    apiGroups: texts(item['apiGroups']),
    kinds: texts(item['kinds']),
    clusters: texts(item['clusters']),
  }))
}

function readGlobalProjects(
  text: string | undefined,
  problems: string[],
): Settings['globalProjects'] {
  if (text === undefined || text.trim() === '') return []
  try {
    const value = parseYaml(text)
    if (!Array.isArray(value)) return []
    return value.filter(isObject).map((item) => ({
      labelSelector: item['labelSelector'],
      projectName: typeof item['projectName'] === 'string' ? item['projectName'] : '',
    }))
  } catch (error) {
    if (!isLitecdError(error)) throw error
    problems.push(`argocd-cm globalProjects: ${error.message}`)
    return []
  }
}
