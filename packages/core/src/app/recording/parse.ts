import { isLitecdError, SpecError } from '../../errors/index.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../json/index.ts'
import { recordingFormat, recordingVersion, type SyncRecording } from './types.ts'

/** A recording of this version; `problem` tells why a text is none. */
export type ParsedRecording = { readonly recording: SyncRecording } | { readonly problem: string }

/**
 * Reads the text of a recording. A file comes from anywhere, so every place that a replay looks at is checked: a beat
 * refers to objects and clusters that are there, and lists are lists.
 */
export function parseRecording(text: string): ParsedRecording {
  try {
    return { recording: checked(parseJson(text)) }
  } catch (error) {
    if (error instanceof SyntaxError) {
      return { problem: `this is no recording of a sync: it is no JSON: ${error.message}` }
    }
    if (!isLitecdError(error)) throw error
    return { problem: error.message }
  }
}

function checked(value: Json): SyncRecording {
  const file = object(value, 'the file')
  if (file['format'] !== recordingFormat) fail(`its format is not ${recordingFormat}`)
  const { version } = file
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    fail('its version is no number')
  }
  if ((version as number) > recordingVersion) {
    fail(`it has version ${version as number}; this litecd reads up to ${recordingVersion}`)
  }
  text(file['application'], 'application')
  const settings = object(file['settings'], 'settings')
  for (const field of ['controllerNamespace', 'trackingMethod', 'labelKey', 'installationId']) {
    text(settings[field], `settings.${field}`)
  }
  for (const field of ['syncTimeoutMs', 'syncWaveDelayMs']) {
    number(settings[field], `settings.${field}`)
  }
  const objects = list(file['objects'], 'objects')
  for (const [i, item] of objects.entries()) checkManifest(item, `objects[${i}]`)
  const clusters = list(file['clusters'], 'clusters')
  for (const [i, item] of clusters.entries()) checkCluster(item, `clusters[${i}]`)
  for (const [i, item] of list(file['beats'], 'beats').entries()) {
    checkBeat(item, `beats[${i}]`, objects.length, clusters.length)
  }
  return value as unknown as SyncRecording
}

function checkManifest(value: Json, where: string): void {
  const manifest = object(value, where)
  text(manifest['apiVersion'], `${where}.apiVersion`)
  text(manifest['kind'], `${where}.kind`)
  object(manifest['metadata'], `${where}.metadata`)
}

function checkCluster(value: Json, where: string): void {
  const cluster = object(value, where)
  text(cluster['kubeVersion'], `${where}.kubeVersion`)
  texts(cluster['apiVersions'], `${where}.apiVersions`)
  object(cluster['scopes'], `${where}.scopes`)
}

function checkBeat(value: Json, where: string, objects: number, clusters: number): void {
  const beat = object(value, where)
  const app = object(beat['app'], `${where}.app`)
  text(object(app['metadata'], `${where}.app.metadata`)['name'], `${where}.app.metadata.name`)
  object(object(app['spec'], `${where}.app.spec`)['destination'], `${where}.app.spec.destination`)
  if (beat['project'] !== undefined) {
    const project = object(beat['project'], `${where}.project`)
    list(project['syncWindows'], `${where}.project.syncWindows`)
  }
  for (const time of list(beat['times'], `${where}.times`)) number(time, `${where}.times`)
  object(beat['result'], `${where}.result`)
  for (const [i, step] of list(beat['steps'], `${where}.steps`).entries()) {
    checkStep(step, `${where}.steps[${i}]`)
  }
  if (beat['comparison'] === undefined) return
  const comparison = object(beat['comparison'], `${where}.comparison`)
  if (typeof comparison['refusal'] === 'string') return
  text(comparison['revision'], `${where}.comparison.revision`)
  for (const field of ['targets', 'live']) {
    for (const index of list(comparison[field], `${where}.comparison.${field}`)) {
      place(index, objects, `${where}.comparison.${field}`)
    }
  }
  place(comparison['cluster'], clusters, `${where}.comparison.cluster`)
  list(comparison['conditions'], `${where}.comparison.conditions`)
  for (const field of ['comparedTo', 'forbidden', 'health', 'modified']) {
    object(comparison[field], `${where}.comparison.${field}`)
  }
  const { kept } = comparison
  if (kept === undefined) return
  for (const index of Object.values(object(kept, `${where}.comparison.kept`))) {
    if (!isObject(index)) place(index, objects, `${where}.comparison.kept`)
  }
}

function checkStep(value: Json, where: string): void {
  const step = object(value, where)
  if (step['do'] === 'store') {
    object(step['patch'], `${where}.patch`)
    return
  }
  if (step['do'] !== 'call') fail(`${where}.do is neither store nor call`)
  const calls = texts(step['calls'], `${where}.calls`)
  const outcomes = list(step['outcomes'], `${where}.outcomes`)
  if (calls.length !== outcomes.length) fail(`${where} has not one outcome for each call`)
  for (const outcome of outcomes) object(outcome, `${where}.outcomes`)
}

function fail(why: string): never {
  throw new SpecError('RECORDING_INVALID', `this is no recording of a sync: ${why}`)
}

function object(value: Json | undefined, where: string): JsonObject {
  if (!isObject(value)) fail(`${where} is no object`)
  return value
}

function list(value: Json | undefined, where: string): readonly Json[] {
  if (!Array.isArray(value)) fail(`${where} is no list`)
  return value
}

function text(value: Json | undefined, where: string): void {
  if (typeof value !== 'string') fail(`${where} is no text`)
}

function texts(value: Json | undefined, where: string): readonly Json[] {
  const items = list(value, where)
  for (const item of items) text(item, where)
  return items
}

function number(value: Json | undefined, where: string): void {
  if (typeof value !== 'number') fail(`${where} is no number`)
}

function place(value: Json | undefined, length: number, where: string): void {
  const good = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < length
  if (!good) fail(`${where} refers to something that is not there`)
}
