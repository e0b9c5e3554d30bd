import type { OperationName } from '../operations.ts'
import { access } from './access.ts'
import { answers } from './answers.ts'
import type { Claim, Covers, EvidenceKind } from './claim.ts'
import { clockAndState } from './clock-and-state.ts'
import { commandLine } from './command-line.ts'
import { dashboard } from './dashboard.ts'
import { faults } from './faults.ts'
import { online } from './online.ts'
import { payments } from './payments.ts'
import { publicSources } from './published.ts'
import { requests } from './requests.ts'
import { spaces } from './spaces.ts'
import { specification } from './specification.ts'
import { terminals } from './terminals.ts'
import { tests } from './tests.ts'
import { webhooks } from './webhooks.ts'

/** What the specification does not say: the groups of docs/assumptions.md, in their order. */
export const claimGroups = {
  'Public sources': publicSources,
  Requests: requests,
  Answers: answers,
  Payments: payments,
  'Hosted checkout and online payments': online,
  Webhooks: webhooks,
  Faults: faults,
  'Clock and state': clockAndState,
  'Terminals and outcomes': terminals,
  Access: access,
  'Stores, nodes and spaces': spaces,
  Dashboard: dashboard,
  'Command line': commandLine,
  Tests: tests,
}

type Groups = typeof claimGroups
export type ClaimName = keyof typeof specification | { [G in keyof Groups]: keyof Groups[G] }[keyof Groups]

/** Every claim by its name, which code cites as `assumption: <name>` or `docs/api.md#<name>`. */
export const claims: Readonly<Record<ClaimName, Claim>> = Object.assign(
  {},
  specification,
  ...Object.values(claimGroups),
)

export const claimNames = Object.keys(claims) as readonly ClaimName[]

/** The claims about a row of a table, such as the error `C17`; those of the specification come first. */
export const claimsAbout = (table: keyof Covers, name: string): readonly ClaimName[] =>
  claimNames.filter((claim) => claims[claim][table]?.some((each) => each === name))

/** What changes a claim, and with it this error; null for nothing. */
export const settingOf = (name: ClaimName, error?: string): string | null =>
  claims[name].unchanged?.some((code) => code === error) === true ? null : claims[name].setting

/** The claims that describe the answers to an operation. */
export function claimsAboutAnswers(name: OperationName): readonly ClaimName[] {
  const found = claimsAbout('answers', name)
  return found.length > 0 ? found : ['record']
}

/** How many assumptions are about what only tillbox has: access, stores, pages, commands and tests. */
export const countOfOwn = [access, spaces, dashboard, commandLine, tests].flatMap(Object.keys).length

/** How many claims there are of each kind. */
export const countByKind = (kind: EvidenceKind): number =>
  claimNames.filter((name) => claims[name].kind === kind).length
