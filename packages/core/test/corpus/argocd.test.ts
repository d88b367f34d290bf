import { renderApplication } from '@litecd/core/app'
import { isLitecdError } from '@litecd/core/errors'
import { aggregateHealth } from '@litecd/core/health'
import { deepEqual, isObject, type Json, type JsonObject } from '@litecd/core/json'
import { formatKey, keyOf, type Manifest } from '@litecd/core/kube'
import { normalizeTargets } from '@litecd/core/normalize'
import { describe, expect, it } from 'vitest'
import { corpusFolder, findCases, readCase } from './argocd-cases.ts'
import { conditionOf, factsOf } from './argocd-facts.ts'
import { notRecorded, type ReplayedApplication, replay } from './argocd-replay.ts'

/** What the recordings determine and core does not do yet: `AREA/NAME app` → why. It fails when one is done. */
const open: ReadonlyMap<string, string> = new Map([
  ...['dot', 'file', 'glob', 'shared', 'up'].map((name): [string, string] => [
    `targets of render/manifest-generate-paths c0ffee0-${name}`,
    'every look renders anew',
  ]),
  ['render/repository-errors c0ffee0-indexexact', 'the replay serves no broken chart repository'],
])

/** Messages of what happens around rendering: resolving revisions, and remembering failures. */
const notOfRendering = /unable to resolve '|Manifest generation error \(cached\)/

const cases = findCases(corpusFolder).map((path) => {
  const of = readCase(path)
  return { name: of.name, apps: replay(of) }
})

type Loaded =
  | { readonly message: string }
  | { readonly types: readonly string[]; readonly targets: readonly Manifest[] }

/** Sources to targets; undefined where the recording or the renderers of today do not allow an answer. */
async function load(app: ReplayedApplication): Promise<Loaded | undefined> {
  const facts = factsOf(app)
  const { settings, application } = app
  const rendered = await renderApplication(application, app, { settings, facts })
  if ('failure' in rendered) {
    const { error, message } = rendered.failure
    if (error.code === 'RENDER_UNSUPPORTED' || message.includes(notRecorded)) return undefined
    return { message }
  }
  try {
    const { resources } = normalizeTargets(
      rendered.sources.flatMap((source) => source.manifests),
      {
        instance: app.name,
        namespace: application.spec.destination.namespace ?? '',
        server: 'https://kubernetes.default.svc',
        facts,
        settings,
      },
    )
    const types = rendered.sources.map((source) => source.sourceType)
    return { types, targets: resources.map((target) => target.manifest) }
  } catch (error) {
    if (!isLitecdError(error)) throw error
    const of = `source ${1} of ${rendered.sources.length}`
    return { message: `failed to unmarshal manifests for ${of}: ${error.message}` }
  }
}

/** Checks each Application of a case; those that are open must still be wrong. Returns how many were checked. */
async function checkEach(
  name: string,
  apps: readonly ReplayedApplication[],
  check: (app: ReplayedApplication) => Promise<boolean>,
): Promise<number> {
  let checked = 0
  const stale = new Set<string>()
  const wrong = new Set<string>()
  for (const app of apps) {
    const key = `${name} ${app.name}`
    if (!open.has(key)) {
      if (await check(app)) checked++
      continue
    }
    stale.add(key)
    try {
      await check(app)
    } catch {
      wrong.add(key)
    }
  }
  expect(wrong, 'is done, take it out of the list of open ones').toEqual(stale)
  return checked
}

const loadPrefix = 'Failed to load target state: '

/** True when the recording says whether the sources of this Application could be loaded. */
function wasLoaded(app: ReplayedApplication): boolean {
  const failure = conditionOf(app, 'ComparisonError')
  if (failure !== undefined && notOfRendering.test(failure)) return false
  if (failure !== undefined && !failure.startsWith(loadPrefix)) return false
  return conditionOf(app, 'InvalidSpecError') === undefined
}

describe('sources are loaded as Argo CD loads them, or refused in its words', () => {
  it.for(cases)('$name', async ({ name, apps }, { skip }) => {
    const checked = await checkEach(name, apps.filter(wasLoaded), async (app) => {
      const loaded = await load(app)
      if (loaded === undefined) return false
      const failure = conditionOf(app, 'ComparisonError')
      const { sourceType, sourceTypes } = app.status
      const recorded = (sourceTypes ??
        (sourceType === undefined ? undefined : [sourceType])) as Json
      const ours = 'message' in loaded ? { message: `${loadPrefix}${loaded.message}` } : {}
      expect({ app: app.name, beat: app.beat, ...ours }).toEqual({
        app: app.name,
        beat: app.beat,
        ...(failure === undefined ? {} : { message: failure }),
      })
      if (!('message' in loaded) && recorded !== undefined) {
        expect({ app: app.name, types: loaded.types }).toEqual({ app: app.name, types: recorded })
      }
      return true
    })
    if (checked === 0) skip('not determined by the recording, or rendered by what is still to come')
  })
})

/** Recordings show Secrets masked: their keys count, and annotations that settings hide only by name. */
function unmasked(manifest: Manifest, hidden: readonly string[]): Json {
  if (manifest.kind !== 'Secret' || manifest.apiVersion !== 'v1') return manifest
  const { data, stringData, metadata, ...rest } = manifest
  const { annotations, ...meta } = (metadata ?? {}) as JsonObject
  const keys = [data, stringData].flatMap((map) => (isObject(map) ? Object.keys(map) : []))
  const shown = Object.entries((annotations ?? {}) as JsonObject).map(([key, value]) => [
    key,
    hidden.includes(key) ? '' : value,
  ])
  return {
    ...rest,
    metadata: { ...meta, annotations: Object.fromEntries(shown) },
    keys: [...new Set(keys)].sort(),
  }
}

const withTargets = cases
  .map(({ name, apps }) => ({ name, apps: apps.filter((app) => app.managed !== undefined) }))
  .filter(({ apps }) => apps.length > 0)

describe('targets are the manifests that Argo CD compares', () => {
  it.for(withTargets)('$name', async ({ name, apps }, { skip }) => {
    const checked = await checkEach(`targets of ${name}`, apps.filter(wasLoaded), async (app) => {
      const loaded = await load(app)
      if (loaded === undefined || 'message' in loaded) return false
      const hidden = app.settings.maskedAnnotations
      const byKey = (list: readonly Manifest[]): ReadonlyMap<string, Json> =>
        new Map(list.map((one) => [formatKey(keyOf(one)), unmasked(one, hidden)]))
      const wanted = (app.managed ?? []).flatMap(({ target }) => (target ? [target] : []))
      // The destination namespace is added by the comparison, from managedNamespaceMetadata.
      const { syncPolicy } = app.application.spec
      const ours =
        syncPolicy?.managedNamespaceMetadata === undefined
          ? wanted
          : wanted.filter((one) => one.kind !== 'Namespace')
      const [want, got] = [byKey(ours), byKey(loaded.targets)]
      for (const key of new Set([...want.keys(), ...got.keys()])) {
        if (deepEqual(want.get(key), got.get(key))) continue
        expect({ app: app.name, beat: app.beat, [key]: got.get(key) }).toEqual({
          app: app.name,
          beat: app.beat,
          [key]: want.get(key),
        })
      }
      return true
    })
    if (checked === 0) skip('not determined by the recording, or rendered by what is still to come')
  })
})

describe('health of an Application follows from its objects', () => {
  it.each(withTargets)('$name', ({ apps }) => {
    for (const app of apps) {
      if (['InvalidSpecError', 'ComparisonError'].some((type) => conditionOf(app, type))) continue
      const { status } = aggregateHealth(app.managed ?? [], {
        overrides: app.settings.overrides,
        self: { namespace: 'argocd', name: app.name },
      })
      const recorded = (app.status['health'] as JsonObject)['status']
      const { name, beat } = app
      expect({ name, beat, status }).toEqual({ name, beat, status: recorded })
    }
  })
})
