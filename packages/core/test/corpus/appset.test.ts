// ApplicationSets of the recorded cases, as they stood at the first answer: the same Applications, or the same error.

import { normalizeSpec } from '@litecd/core/app'
import {
  type ClusterFact,
  type GeneratorFacts,
  generateApplications,
  readApplicationSet,
} from '@litecd/core/appset'
import { isLitecdError } from '@litecd/core/errors'
import { memoryTree } from '@litecd/core/files'
import { isObject, type JsonObject } from '@litecd/core/json'
import { annotationsOf, labelsOf, type Manifest, nameOf } from '@litecd/core/kube'
import { describe, expect, it } from 'vitest'
import {
  type Commit,
  corpusFolder,
  expand,
  fileOf,
  findCases,
  type ParityCase,
  readCase,
} from './argocd-cases.ts'
import { namesOf } from './argocd-replay.ts'

/** What core does not do yet, or what the first answer does not determine: `AREA/NAME SET` → why. */
const open: ReadonlyMap<string, string> = new Map([
  ['appset/rolling-switched-off c0ffee0', 'RollingSync switches automated syncs off'],
])
/** Generators that ask providers or other kinds of the cluster. */
const unsupported = /^the \w+ generator needs to know /

interface RecordedSet {
  readonly title: string
  readonly set: Manifest
  readonly facts: GeneratorFacts
  /** Recorded Applications of this set by name. */
  readonly applications: ReadonlyMap<string, JsonObject>
  readonly error: { readonly reason: string; readonly message: string } | undefined
}

function factsOf(commits: readonly Commit[], objects: readonly JsonObject[]): GeneratorFacts {
  const files: { [path: string]: Uint8Array | { link: string } } = {}
  for (const commit of commits) {
    for (const [path, content] of Object.entries(commit.files)) {
      if (content === null) delete files[path]
      else {
        const file = fileOf(content)
        files[path] = 'link' in file ? { link: file.link } : file.bytes
      }
    }
  }
  const clusters = objects.flatMap((object): ClusterFact[] => {
    const labels = labelsOf(object as Manifest)
    if (object['kind'] !== 'Secret' || labels['argocd.argoproj.io/secret-type'] !== 'cluster') {
      return []
    }
    const data = (object['stringData'] ?? {}) as { [key: string]: string }
    return [
      {
        name: data['name'] ?? '',
        server: data['server'] ?? '',
        project: data['project'] ?? '',
        labels,
        annotations: annotationsOf(object as Manifest),
      },
    ]
  })
  const tree = memoryTree(files)
  return { clusters, tree: () => tree }
}

function setsOf(of: ParityCase): readonly RecordedSet[] {
  const names = namesOf(of)
  const commits = [...of.commits]
  const objects = [...of.objects]
  const [first] = of.want
  for (const beat of of.beats) {
    for (const step of beat.steps) {
      if (step.verb === 'commit') commits.push(step.commit)
      if (step.verb === 'apply' || step.verb === 'create') objects.push(...step.objects)
    }
    if (beat.record !== undefined) break
  }
  const answer = expand(first as unknown as JsonObject, names)
  const recordedSets = (answer['applicationsets'] ?? {}) as { [name: string]: JsonObject }
  const recordedApps = (answer['applications'] ?? {}) as { [name: string]: JsonObject }
  return expand(objects, names)
    .filter(({ kind }) => kind === 'ApplicationSet')
    .flatMap((object): RecordedSet[] => {
      const set = object as Manifest
      const recorded = recordedSets[nameOf(set)]
      if (recorded === undefined) return []
      const status = (recorded['status'] ?? {}) as JsonObject
      const failure = ((status['conditions'] ?? []) as readonly JsonObject[]).find(
        ({ type, status: is }) => type === 'ErrorOccurred' && is === 'True',
      )
      const owner = new RegExp(`^ApplicationSet/${nameOf(set)}( |$)`)
      return [
        {
          title: `${of.name} ${nameOf(set)}`,
          set,
          facts: factsOf(expand(commits, names), expand(objects, names)),
          applications: new Map(
            Object.entries(recordedApps).filter(([, { owners }]) =>
              ((owners ?? []) as readonly string[]).some((one) => owner.test(one)),
            ),
          ),
          error:
            failure === undefined
              ? undefined
              : { reason: String(failure['reason']), message: String(failure['message']) },
        },
      ]
    })
}

const sets = findCases(corpusFolder)
  .map(readCase)
  .filter(({ name }) => name.startsWith('appset/'))
  .flatMap(setsOf)

function generate({ set, facts }: RecordedSet): readonly JsonObject[] | string {
  try {
    const result = generateApplications(readApplicationSet(set), facts)
    if ('needs' in result) throw new Error('everything was there')
    return result.applications as unknown as readonly JsonObject[]
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return error.message
  }
}

describe('recorded ApplicationSets', () => {
  it('are many', () => expect(sets.length).toBeGreaterThan(30))

  it.each(sets.map((one) => [one.title, one] as const))('%s', (title, recorded) => {
    const why = open.get(title)
    const check = (): void => {
      const result = generate(recorded)
      if (typeof result === 'string' && unsupported.test(result)) return
      const generation = ['ApplicationGenerationFromParamsError', 'RenderTemplateParamsError']
      if (recorded.error !== undefined && generation.includes(recorded.error.reason)) {
        expect(result).toBe(recorded.error.message)
        return
      }
      if (typeof result === 'string') throw new Error(result)
      const byName = new Map(result.map((app) => [nameOf(app as Manifest), app]))
      for (const [name, want] of recorded.applications) {
        const app = byName.get(name)
        if (app === undefined) throw new Error(`${name} is not generated`)
        const { labels, annotations, finalizers } = app['metadata'] as JsonObject
        const given = { labels, annotations, finalizers }
        for (const part of ['labels', 'annotations', 'finalizers'] as const) {
          expect(given[part] ?? (part === 'finalizers' ? [] : {}), part).toEqual(
            want[part] ?? (part === 'finalizers' ? [] : {}),
          )
        }
        if (isObject(want['spec'])) {
          expect(normalizeSpec(app as never)).toEqual(want['spec'])
        }
      }
    }
    if (why === undefined) check()
    else expect(check, why).toThrow()
  })
})
