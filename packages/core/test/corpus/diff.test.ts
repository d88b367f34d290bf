// Comparisons (corpus/diff): desired.yaml against live.yaml with the rules of application.yaml and the settings of
// argocd-cm.yaml. expected.yaml lists every object that differs with the paths that do, and no other.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Application, parseSettings } from '@litecd/core/argo'
import { compileDiffRules, diffPairs, fieldChanges, formatPath } from '@litecd/core/diff'
import { formatKey, keyOf, type Manifest } from '@litecd/core/kube'
import { load, loadAll } from 'js-yaml'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../../../corpus/diff/', import.meta.url))

const noRules: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop' },
  spec: { project: 'default', destination: {} },
}

function read<T>(name: string, file: string): readonly T[] {
  const path = join(folder, name, file)
  return existsSync(path) ? (loadAll(readFileSync(path, 'utf8')) as unknown as readonly T[]) : []
}

function differences(name: string): { readonly [object: string]: readonly string[] } {
  const [app = noRules] = read<Application>(name, 'application.yaml')
  const settings = parseSettings({
    argocdCm: read<{ data: { [key: string]: string } }>(name, 'argocd-cm.yaml')[0]?.data,
  }).settings
  const live = new Map(
    read<Manifest>(name, 'live.yaml').map((manifest) => [formatKey(keyOf(manifest)), manifest]),
  )
  const pairs = read<Manifest>(name, 'desired.yaml').map((target) => {
    const key = keyOf(target)
    return { key, target, live: live.get(formatKey(key)) }
  })
  const diffs = diffPairs(pairs, compileDiffRules(app, settings))
  return Object.fromEntries(
    diffs
      .filter(({ modified }) => modified)
      .map(({ key, normalizedLive, predictedLive }) => [
        `${key.kind} ${key.name}`,
        normalizedLive === undefined || predictedLive === undefined
          ? ['missing']
          : fieldChanges(normalizedLive, predictedLive)
              .map(({ path, change }) => `${change} ${formatPath(path)}`)
              .sort(),
      ]),
  )
}

describe('corpus/diff', () => {
  it.each(readdirSync(folder))('%s', (name) => {
    const expected = load(readFileSync(join(folder, name, 'expected.yaml'), 'utf8'))
    expect(differences(name)).toEqual(expected)
  })
})
