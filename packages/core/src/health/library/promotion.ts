import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import { degraded, type Facts, healthy, progressing } from './facts.ts'
import {
  concat,
  fieldOf,
  isSet,
  itemsOf,
  join,
  lengthOf,
  pathOf,
  stop,
  typeName,
} from './strict.ts'

// How GitOps Promoter's commits move from one environment to the next: what is active, and what is proposed to follow it.

type Value = Json | undefined

/** How the checks of a commit stand; the lines are those of the check, for its messages. */
interface Tally {
  readonly pending: number
  readonly succeeded: number
  readonly failed: number
  readonly pendingKeys: readonly Json[]
  readonly failedKeys: readonly Json[]
}

function tally(line: number, statuses: Value): Tally {
  const all = isSet(statuses) ? itemsOf(line, statuses) : []
  const of = (phase: string): readonly Json[] =>
    all.filter((one) => fieldOf(line + 1, one, 'phase') === phase)
  const keysOf = (some: readonly Json[]): readonly Json[] =>
    some.flatMap((one) => fieldOf(line + 1, one, 'key') ?? [])
  const [pending, failed] = [of('pending'), of('failure')]
  return {
    pending: pending.length,
    succeeded: of('success').length,
    failed: failed.length,
    pendingKeys: keysOf(pending),
    failedKeys: keysOf(failed),
  }
}

/** `1 pending, 0 successful, 2 failed. ` and the names of those that are not successful. */
function describe(line: number, count: Tally): string {
  const { pending, succeeded, failed } = count
  let text = `${pending} pending, ${succeeded} successful, ${failed} failed. `
  if (pending > 0) text += `Pending commit statuses: ${concat(line, count.pendingKeys, ', ')}. `
  if (failed > 0) text += `Failed commit statuses: ${concat(line + 3, count.failedKeys, ', ')}. `
  return text
}

/** As git shortens a commit, to seven. */
function short(line: number, sha: Value): string {
  if (!isSet(sha)) return ''
  if (typeof sha === 'object' || typeof sha === 'boolean') {
    return stop(line, `bad argument #1 to len (string expected, got ${typeName(sha)})`)
  }
  return join(line, sha).slice(0, 7)
}

/** A field whose every step may be absent. */
function dig(line: number, value: Value, ...path: readonly string[]): Value {
  let current = value
  for (const field of path) {
    if (!isSet(current)) return undefined
    current = fieldOf(line, current, field)
  }
  return isSet(current) && current !== '' ? current : undefined
}

/** One step of a promotion. */
export function changeTransfer(facts: Facts): HealthStatus {
  const status = facts.status()
  const active = dig(77, status, 'active', 'dry', 'sha')
  if (active === undefined) return progressing('The active commit DRY SHA is missing or empty.')
  const proposed = dig(82, status, 'proposed', 'dry', 'sha')
  if (proposed === undefined) return progressing('The proposed commit DRY SHA is missing or empty.')
  if (proposed !== active) {
    const count = tally(106, facts.status('proposed', 'commitStatuses'))
    const from = `Promotion in progress from '${short(93, active)}' to '${short(93, proposed)}': `
    return progressing(from + describe(125, count))
  }
  const count = tally(138, facts.status('active', 'commitStatuses'))
  if (count.pending > 0 || count.failed > 0) {
    const head = 'Environment is up-to-date, but there are non-successful active commit statuses: '
    return healthy(head + describe(153, count))
  }
  return healthy(`Environment is up-to-date on commit ${short(93, active)}.`)
}

/** What is to follow: as the hydrator noted it, or else as it was committed. */
function proposedIn(environment: Value): Value {
  return (
    dig(63, environment, 'proposed', 'note', 'drySha') ??
    dig(66, environment, 'proposed', 'dry', 'sha')
  )
}

/** The environments of a promotion one after another. */
export function promotion(facts: Facts): HealthStatus {
  const list = facts.status('environments')
  if (!isSet(list) || lengthOf(55, list) === 0) {
    return degraded('Promotion strategy has no environments configured')
  }
  const environments = itemsOf(74, list)
  const [first] = environments
  return (
    incomplete(environments, first) ??
    moving(environments) ??
    unsuccessful(environments) ??
    healthy(
      `All environments are up-to-date on commit '${short(102, pathOf(189, first, 'active', 'dry', 'sha'))}'. Hydrator has processed dry commit '${short(102, proposedIn(first))}'.`,
    )
  )
}

function incomplete(environments: readonly Json[], first: Value): HealthStatus | undefined {
  for (const environment of environments) {
    const branch = (line: number): Value => fieldOf(line, environment, 'branch')
    if (dig(75, environment, 'active', 'dry', 'sha') === undefined) {
      const head = "The active commit DRY SHA is missing or empty in environment '"
      return progressing(join(77, head, branch(77), "'."))
    }
    if (proposedIn(environment) === undefined) {
      const head = "The proposed commit DRY SHA is missing or empty in environment '"
      return progressing(join(82, head, branch(82), "'."))
    }
  }
  const isSame = environments.every((one) => proposedIn(one) === proposedIn(first))
  return isSame
    ? undefined
    : progressing(
        'Not all environments have the same proposed commit SHA. This likely means the hydrator has not run for all environments yet.',
      )
}

function moving(environments: readonly Json[]): HealthStatus | undefined {
  for (const environment of environments) {
    const proposed = pathOf(112, environment, 'proposed', 'dry', 'sha')
    const active = pathOf(112, environment, 'active', 'dry', 'sha')
    if (proposed === active) continue
    const count = tally(121, pathOf(121, environment, 'proposed', 'commitStatuses'))
    const from = join(
      135,
      "Promotion in progress for environment '",
      fieldOf(135, environment, 'branch'),
      `' from '${short(102, active)}' to '${short(102, proposed)}': `,
    )
    const hydrated = `Hydrator has processed dry commit '${short(102, proposedIn(environment))}'. `
    return progressing(from + describe(141, count) + hydrated)
  }
  return undefined
}

function unsuccessful(environments: readonly Json[]): HealthStatus | undefined {
  const texts = new Map<string, string>()
  for (const environment of environments) {
    const { pending, failed } = tally(158, pathOf(158, environment, 'active', 'commitStatuses'))
    if (pending === 0 && failed === 0) continue
    const name = fieldOf(167, environment, 'branch')
    if (name === undefined) stop(167, 'table index is nil')
    const branch = join(177, name, '')
    texts.set(branch, `${branch} (${failed} failed, ${pending} pending)`)
  }
  if (texts.size === 0) return undefined
  const head =
    'Environments are up-to-date, but some environments have non-successful commit statuses: '
  return healthy(`${head}${[...texts.values()].join(', ')}.`)
}
