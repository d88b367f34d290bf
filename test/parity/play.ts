import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  expand,
  type Names,
  type ParityCase,
  type RecordedBeat,
} from '../../packages/core/test/corpus/argocd-cases.ts'
import type { Api } from './api.ts'
import { applyObjects, play } from './beats.ts'
import { packCharts, webFiles } from './charts.ts'
import { cleanUp } from './cleanup.ts'
import { GitRepo } from './git-repo.ts'
import { normalise } from './normalise.ts'
import { EventLog, recordBeat } from './record.ts'
import type { SettingsKeeper } from './settings.ts'
import { settle } from './settle.ts'
import type { Store } from './store.ts'
import type { WebServer } from './web-server.ts'

/** What all cases of a run share. */
export interface World {
  readonly api: Api
  readonly store: Store
  readonly web: WebServer
  readonly settings: SettingsKeeper
  readonly gitDir: string
  /** `$REPO` is an http URL; else a file URL, as in the recordings, whose messages show it. */
  readonly gitOverHttp: boolean
  /** The API server under another name, and a token for it. */
  readonly server: string
  readonly token: string
  readonly workFolders: readonly string[]
  /** Where the controller tells its comparisons; undefined when it does not. */
  readonly controllerUrl: string | undefined
  /** At most so many seconds of quiet; undefined: as the case says, or 3. */
  readonly maxQuiet: number | undefined
  /** At most so many seconds until a beat is recorded; undefined: as the case says, or 60. */
  readonly maxLimit: number | undefined
}

/** What the runner could not do, such as a verb that the API server refused. */
export interface Failure {
  /** The beat and the verb. */
  readonly at: string
  readonly words: string
}

export interface Played {
  /** In the words of a recorded answer. */
  readonly answer: readonly RecordedBeat[]
  readonly failures: readonly Failure[]
  /** Beats that were recorded although something was still moving. */
  readonly restless: readonly string[]
}

const defaultQuiet = 3
const defaultLimit = 60

async function prepare(
  of: ParityCase,
  world: World,
  repo: GitRepo,
  names: () => Names,
): Promise<void> {
  await repo.init()
  for (const commit of of.commits) await repo.commit(expand(commit, names()))
  const files = [...packCharts(expand(of.charts, names())), ...webFiles(expand(of.web, names()))]
  world.web.serve(names().app, new Map(files))
  await world.settings.merge(expand(of.settings, names()))
  if (of.makeNamespace) {
    await world.api.apply(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names().namespace } },
      'kubectl',
    )
  }
  await applyObjects(world.api, expand(of.objects, names()))
}

async function playBeats(
  of: ParityCase,
  world: World,
  repo: GitRepo,
  names: () => Names,
): Promise<Played> {
  const answer: RecordedBeat[] = []
  const failures: Failure[] = []
  const restless: string[] = []
  const log = new EventLog()
  const stage = { api: world.api, repo, settings: world.settings, names }
  for (const [index, beat] of of.beats.entries()) {
    const label = beat.record ?? `beat ${index + 1}`
    for (const step of beat.steps) {
      try {
        await play(step, stage)
      } catch (error) {
        const words = error instanceof Error ? error.message : `${error}`
        failures.push({ at: `${label}.${step.verb}`, words })
      }
    }
    if (beat.for !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, beat.for! * 1000))
    } else {
      const why = await settle(world.store, names().app, beat, {
        quietSeconds: Math.min(beat.quiet ?? defaultQuiet, world.maxQuiet ?? Infinity),
        limitSeconds: Math.min(beat.limit ?? defaultLimit, world.maxLimit ?? Infinity),
      })
      if (why !== undefined) restless.push(`${label}: ${why}`)
    }
    if (beat.record !== undefined) {
      answer.push(await recordBeat(beat.record, of, world.api, names(), log, world.controllerUrl))
    }
  }
  return { answer, failures, restless }
}

/** Plays one case from an empty namespace to its last beat, and removes all that it has made. Never rejects. */
export async function playCase(of: ParityCase, world: World): Promise<Played> {
  const app = `c${randomBytes(4).toString('hex').slice(0, 7)}`
  const repo = new GitRepo(join(world.gitDir, app))
  const names = (): Names => ({
    app,
    namespace: `${app}-ns`,
    repo: world.gitOverHttp ? `${world.web.url}/git/${app}` : `file://${repo.dir}`,
    charts: `${world.web.url}/charts/${app}`,
    server: world.server,
    token: world.token,
    commits: repo.commits,
  })
  const words = (error: unknown): string =>
    error instanceof Error ? (error.stack ?? error.message) : `${error}`
  let played: Played = { answer: [], failures: [], restless: [] }
  try {
    await prepare(of, world, repo, names)
    played = await playBeats(of, world, repo, names)
  } catch (error) {
    played = { ...played, failures: [{ at: 'preparing', words: words(error) }] }
  }
  const answer = normalise(played.answer, { ...names(), workFolders: world.workFolders }, of)
  try {
    await cleanUp(world.api, app)
    await world.settings.reset()
  } catch (error) {
    const failure = { at: 'cleaning up', words: words(error) }
    played = { ...played, failures: [...played.failures, failure] }
  }
  world.web.forget(app)
  rmSync(repo.dir, { recursive: true, force: true })
  return { ...played, answer }
}
