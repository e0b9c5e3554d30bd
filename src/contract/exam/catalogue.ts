import { amountSituations } from './amounts.ts'
import { approvedSituations } from './approved.ts'
import { customerSituations } from './customers.ts'
import { declinedSituations } from './declined.ts'
import { identitySituations } from './identity.ts'
import { lostSituations } from './lost.ts'
import { orderSituations } from './order.ts'
import { refusedSituations } from './refused.ts'
import { serverSituations } from './server.ts'
import { settlementSituations } from './settlement.ts'
import type { Situation, SituationGroup } from './situation.ts'
import { unpaidSituations } from './unpaid.ts'
import { webhookSituations } from './webhooks.ts'

/** All groups of situations, in the order of a report. */
export const situationGroups = [
  approvedSituations,
  declinedSituations,
  unpaidSituations,
  refusedSituations,
  lostSituations,
  orderSituations,
  webhookSituations,
  identitySituations,
  settlementSituations,
  amountSituations,
  customerSituations,
  serverSituations,
] as const satisfies readonly SituationGroup[]

type NamesOf<Group> = Group extends { readonly situations: infer All } ? keyof All : never

/** Stable name of a situation. */
export type SituationName = NamesOf<(typeof situationGroups)[number]>

/** A situation with its name and its group. */
export interface NamedSituation extends Situation {
  readonly name: SituationName
  readonly group: string
}

/** Every situation, in the order of a report. */
export const situations: readonly NamedSituation[] = situationGroups.flatMap(
  ({ title: group, situations: all }: SituationGroup) =>
    Object.entries(all).map(([name, row]) => ({ ...row, name: name as SituationName, group })),
)

/** Situations that are seen in requests, and how to meet them. */
export const seenSituations = situations.flatMap(({ seen, how, ...rest }) =>
  seen === undefined || how === undefined ? [] : [{ ...rest, seen, how }],
)
