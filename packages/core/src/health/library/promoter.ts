import type { HealthStatus } from '../../argo/index.ts'
import { degraded, type Facts, healthy, progressing, type Rule, type Rules, show } from './facts.ts'
import { changeTransfer, promotion } from './promotion.ts'
import { isSet } from './strict.ts'

/** The words of one kind of GitOps Promoter. */
interface Words {
  readonly initializing: string
  readonly deleting: string
  /** What the controller has yet to observe. */
  readonly spec: string
  readonly failed: string
  readonly notReady: string
  /** Absent: a Ready condition that is Unknown does not matter. */
  readonly unknown?: string
  readonly missing: string
  readonly types?: readonly string[]
}

/** The part that the checks of all kinds begin with, and then what is special. */
function promoter(words: Words, then: (facts: Facts) => HealthStatus): Rule {
  return (facts) => {
    if (isSet(facts.get('metadata', 'deletionTimestamp')))
      return progressing(deletion(facts, words.deleting))
    if (!facts.hasStatus) return progressing(words.initializing)
    const types = words.types ?? ['Ready']
    const conditions = facts.conditions?.filter(({ type }) => types.includes(show(type))) ?? []
    if (conditions.length === 0) return progressing(words.missing)
    for (const condition of conditions) {
      const found = trouble(facts, words, condition)
      if (found !== undefined) return found
    }
    return then(facts)
  }
}

// what each finalizer waits for, and what removing it by hand risks
const finalizers: {
  readonly [kind: string]: { readonly [name: string]: readonly [string, string] }
} = {
  GitRepository: {
    'gitrepository.promoter.argoproj.io/finalizer': [
      'Waiting until no non-deleting PullRequests still reference this repository.',
      'repository metadata may be removed while promotions still depend on it.',
    ],
  },
  ScmProvider: {
    'scmprovider.promoter.argoproj.io/finalizer': [
      'Waiting until no GitRepository in this namespace still references this provider.',
      'GitRepository objects can reference a provider that no longer exists.',
    ],
  },
  ClusterScmProvider: {
    'clusterscmprovider.promoter.argoproj.io/finalizer': [
      'Waiting until no GitRepository still references this cluster-wide SCM provider.',
      'GitRepository objects can reference a provider that no longer exists.',
    ],
  },
  ChangeTransferPolicy: {
    'changetransferpolicy.promoter.argoproj.io/finalizer': [
      'Waiting to clear related PullRequest finalizers and finish cleanup before this policy is removed.',
      "The 'changetransferpolicy.promoter.argoproj.io/pullrequest-finalizer' finalizer may not be cleaned up from PullRequests owned by this ChangeTransferPolicy.",
    ],
  },
  PullRequest: {
    'pullrequest.promoter.argoproj.io/finalizer': [
      'Waiting for SCM closure or reconciliation of the pull request.',
      'the real PR can stay open after the CR is gone.',
    ],
    'changetransferpolicy.promoter.argoproj.io/pullrequest-finalizer': [
      'Waiting for the ChangeTransferPolicy to observe PR identity and state.',
      'promotion status or history can be wrong or racy.',
    ],
  },
}

function deletion(facts: Facts, text: string): string {
  const known = finalizers[facts.kind] ?? {}
  const own = facts.get('metadata', 'finalizers')
  const parts = (Array.isArray(own) ? own : []).flatMap((name) => {
    const entry = typeof name === 'string' && Object.hasOwn(known, name) ? known[name] : undefined
    if (entry === undefined) return []
    return [`${show(name)}: ${entry[0]} Risk if removed manually: ${entry[1]}`]
  })
  return [text, ...parts].join(' ')
}

function trouble(
  facts: Facts,
  words: Words,
  { status, reason, message, observedGeneration }: NonNullable<Facts['conditions']>[number],
): HealthStatus | undefined {
  const generation = facts.get('metadata', 'generation')
  const isKnown = generation !== undefined && (observedGeneration ?? undefined) !== undefined
  if (isKnown && observedGeneration !== generation) {
    return progressing(`Waiting for ${words.spec} spec update to be observed`)
  }
  const why = show(reason ?? 'Unknown')
  if (status === 'False') {
    const text = show(message ?? 'Unknown error')
    return degraded(
      why === 'ReconciliationError'
        ? `${words.failed}: ${text}`
        : `${words.notReady} (${why}): ${text}`,
    )
  }
  return status === 'Unknown' && words.unknown !== undefined
    ? progressing(`${words.unknown} (${why}): ${show(message ?? 'Unknown')}`)
    : undefined
}

function resource(kind: string, name: string): Rule {
  const lower = name.replace(/^C/, 'c')
  const words: Words = {
    initializing: `Initializing ${lower}`,
    deleting: `${kind} is being deleted.`,
    spec: kind,
    failed: `${name} validation failed`,
    notReady: `${name} not ready`,
    unknown: `${name} readiness unknown`,
    missing: `${kind} Ready condition is missing`,
  }
  return promoter(words, () => healthy(`${name} is ready`))
}

function reconciled(
  name: string,
  then: (facts: Facts) => HealthStatus,
  extra: Partial<Words> = {},
): Rule {
  const lower = name.replace(/^[CP](?!D)/, (letter) => letter.toLowerCase())
  const words: Words = {
    initializing: `Initializing ${lower}`,
    deleting: `${name} is being deleted`,
    spec: lower,
    failed: `${name} reconciliation failed`,
    notReady: `${name} reconciliation failed`,
    missing: `${name} is not ready yet`,
    ...extra,
  }
  return promoter(words, then)
}

interface Gate {
  readonly what: string
  readonly verdict: string
  readonly passed: string
  readonly unknown: string
}

/** Kinds that judge the environments one by one. */
function gate(kind: string, { what, verdict, passed, unknown }: Gate): Rule {
  const lower = `${what.charAt(0).toLowerCase()}${what.slice(1)}`
  const words: Words = {
    initializing: `Initializing ${lower}`,
    deleting: `${kind} is being deleted`,
    spec: kind,
    failed: `${what} failed`,
    notReady: `${what} not ready`,
    unknown,
    missing: `${kind} Ready condition is missing`,
  }
  return promoter(words, (facts) => {
    const environments = facts.list('status', 'environments') ?? []
    if (environments.length === 0) return healthy(`${what} reconciled`)
    const branches = (fits: (phase: string) => boolean): readonly string[] =>
      environments
        .filter(({ phase }) => fits(show(phase ?? 'pending')))
        .map(({ branch }) => show(branch ?? '?'))
    const failed = branches((phase) => phase === 'failure')
    if (failed.length > 0) {
      return degraded(`${verdict} failed for branch(es): ${failed.join(', ')}`)
    }
    const pending = branches((phase) => phase !== 'success')
    if (pending.length > 0) {
      return progressing(`${verdict} pending for branch(es): ${pending.join(', ')}`)
    }
    return healthy(`${passed} for ${environments.length} environment(s)`)
  })
}

const group = 'promoter.argoproj.io'

export const promoterRules: Rules = {
  [`${group}/ArgoCDCommitStatus`]: reconciled('Argo CD commit status', (facts) => {
    const count = facts.list('status', 'applicationsSelected')?.length ?? 0
    return count === 0
      ? degraded('Argo CD commit status has no applications configured')
      : healthy(`Argo CD commit status is healthy and is tracking ${count} applications`)
  }),
  [`${group}/ChangeTransferPolicy`]: reconciled('Change transfer policy', changeTransfer, {
    deleting: 'Change transfer policy is being deleted.',
  }),
  [`${group}/PromotionStrategy`]: reconciled('Promotion strategy', promotion),
  [`${group}/CommitStatus`]: reconciled('Commit status', (facts) => {
    const [sha, phase] = [facts.status('sha'), facts.status('phase')]
    return sha === undefined || phase === undefined
      ? healthy('Commit status is healthy')
      : healthy(`Commit status for commit ${show(sha)} reports ${show(phase)}`)
  }),
  [`${group}/PullRequest`]: reconciled(
    'Pull request',
    (facts) => {
      const [id, state] = [facts.status('id'), facts.status('state')]
      return id === undefined || state === undefined
        ? healthy('Pull request is healthy')
        : healthy(`Pull request is ${show(state)} as PR ${show(id)}`)
    },
    { deleting: 'Pull request is being deleted.', types: ['Ready', 'Reconciled'] },
  ),
  [`${group}/ClusterScmProvider`]: resource('ClusterScmProvider', 'Cluster SCM provider'),
  [`${group}/ScmProvider`]: resource('ScmProvider', 'SCM provider'),
  [`${group}/GitRepository`]: resource('GitRepository', 'Git repository'),
  [`${group}/GitCommitStatus`]: gate('GitCommitStatus', {
    what: 'Git commit validation',
    verdict: 'Git commit validation',
    passed: 'Git commit validation passed',
    unknown: 'Git commit validation status unknown',
  }),
  [`${group}/TimedCommitStatus`]: gate('TimedCommitStatus', {
    what: 'Timed commit gate',
    verdict: 'Timed commit gate',
    passed: 'Timed commit gate satisfied',
    unknown: 'Timed commit gate status unknown',
  }),
  [`${group}/WebRequestCommitStatus`]: gate('WebRequestCommitStatus', {
    what: 'Web request commit validation',
    verdict: 'Web request validation',
    passed: 'Web request validation passed',
    unknown: 'Web request commit validation unknown',
  }),
}
