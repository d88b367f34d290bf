import type { DataLoss, LossVerdict } from '@litecd/core/guard'
import type { Planned, Report } from '../workspace/report.ts'
import { plural } from './summary.ts'

/** A plan with the name of its Application. */
export interface NamedPlan {
  readonly name: string
  readonly plan: Planned
}

export interface NamedLoss extends DataLoss {
  readonly application: string
}

/** The plans of a report about a change. */
export function plansOf({ applications }: Report): readonly NamedPlan[] {
  return applications.flatMap(({ preview, plan }) =>
    plan === undefined ? [] : [{ name: preview.name, plan }],
  )
}

/** What all Applications of a report lose, worst first. */
export function lossesOf(plans: readonly NamedPlan[]): readonly NamedLoss[] {
  const order: readonly LossVerdict[] = ['destroyed', 'possible', 'conditional']
  return plans
    .flatMap(({ name, plan }) =>
      'failure' in plan ? [] : plan.guard.losses.map((loss) => ({ ...loss, application: name })),
    )
    .sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
}

/** True where data is destroyed, or may be for all that is known here. What needs somebody's help does not count. */
export function destroysData(losses: readonly NamedLoss[]): boolean {
  return losses.some(({ verdict }) => verdict !== 'conditional')
}

const titles: { readonly [verdict in LossVerdict]: (count: number) => string } = {
  destroyed: (count) => `DESTROYS DATA in ${plural(count, 'place')}`,
  possible: (count) =>
    `MAY DESTROY DATA in ${plural(count, 'place')}: what decides is not known here`,
  conditional: (count) =>
    `would destroy data in ${plural(count, 'place')}, once somebody does something more`,
}

export interface LossGroup {
  readonly verdict: LossVerdict
  readonly title: string
  readonly losses: readonly NamedLoss[]
}

/** By verdict, worst first; empty where nothing is lost. */
export function lossGroups(losses: readonly NamedLoss[]): readonly LossGroup[] {
  return (['destroyed', 'possible', 'conditional'] as const).flatMap((verdict) => {
    const some = losses.filter((loss) => loss.verdict === verdict)
    return some.length === 0 ? [] : [{ verdict, title: titles[verdict](some.length), losses: some }]
  })
}
