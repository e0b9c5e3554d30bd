import { type Fixtures, outcomesOfRules } from '../../domain/fixtures.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import type { Path, Problem, Source } from './fixtures-problems.ts'
import type { MergedFixtures } from './merge.ts'

/** What is wrong with fixtures put together: names that nothing has, what must be there or be unique. */
export function check(merged: MergedFixtures, whole: Source): readonly Problem[] {
  const problems: Problem[] = []
  const refuse: ReportProblem = (entry, path, reason) => {
    const { source, path: before } = (entry && merged.origins.get(entry)) ?? { source: whole, path: [] }
    problems.push({ source, path: [...before, ...path], reason })
  }
  const { fixtures } = merged
  requireUnique(merged, refuse)
  requireNames(fixtures, refuse)
  requireRest(fixtures, refuse)
  return problems
}

/** `entry`: what is wrong; null for the whole. */
type ReportProblem = (entry: object | null, path: Path, reason: string) => void

/** Keys, merchants, terminals, card numbers and amounts belong to one each. */
function requireUnique({ fixtures, origins }: MergedFixtures, refuse: ReportProblem): void {
  const { applications, cards, outcomes } = fixtures
  const only = <T extends object>(member: keyof T & string, entries: readonly EntryOfOwner<T>[]) => {
    const owners = new Map<unknown, EntryOfOwner<T>>()
    for (const each of entries) {
      const value: unknown = each.entry[member]
      const first = owners.get(value)
      if (value !== undefined && first === undefined) owners.set(value, each)
      if (value === undefined || first === undefined) continue
      const [wrong, other] = origins.has(each.entry) ? [each, first] : [first, each]
      refuse(wrong.entry, [member], `is already used by ${other.owner}`)
    }
  }
  const merchants = applications.flatMap((each) => owned(each.merchants, `application ${each.appId}`))
  const keys = applications.flatMap((each) => owned(each.keys, `application ${each.appId}`))
  const terminals = merchants.flatMap(({ entry }) => owned(entry.terminals, `merchant ${entry.merchantId}`))
  const numbers = cards.flatMap((each) => owned([each], `card ${each.name}`))
  const amounts = outcomes.flatMap((each) => owned([each], `outcome ${each.name}`))
  only('key', keys)
  only('merchantId', merchants)
  only('terminalSn', terminals)
  only('number', numbers)
  only('amount', amounts)
}

interface EntryOfOwner<T> {
  readonly entry: T
  readonly owner: string
}

const owned = <T>(entries: readonly T[], owner: string): readonly EntryOfOwner<T>[] =>
  entries.map((entry) => ({ entry, owner }))

/** A card or a terminal names only cards and outcomes that exist. */
function requireNames({ applications, cards, outcomes }: Fixtures, refuse: ReportProblem): void {
  const names = { card: cards.map(({ name }) => name), outcome: outcomes.map(({ name }) => name) }
  const terminals = applications.flatMap(({ merchants }) => merchants.flatMap((each) => each.terminals))
  const one = (entry: object, kind: 'card' | 'outcome', name: string | undefined) => {
    if (name === undefined || names[kind].includes(name)) return
    refuse(entry, [kind], `there is no ${kind} ${name}; ${suggestion(name, names[kind])}`)
  }
  for (const card of cards) one(card, 'outcome', card.outcome)
  for (const terminal of terminals) {
    one(terminal, 'card', terminal.card)
    one(terminal, 'outcome', terminal.outcome)
  }
}

function requireRest({ applications, cards, outcomes }: Fixtures, refuse: ReportProblem): void {
  for (const [name, status] of Object.entries(outcomesOfRules)) {
    const outcome = outcomes.find((each) => each.name === name)
    if (outcome === undefined) refuse(null, ['outcomes'], `has no ${name}, which every sandbox needs`)
    else if (outcome.status !== status) refuse(outcome, ['status'], `must be ${status} for ${name}`)
  }
  if (cards.length === 0) refuse(null, ['cards'], 'has none; a terminal needs one to present')
  for (const card of cards)
    if (card.category !== 'QR' && card.number === undefined)
      refuse(card, ['number'], `is required: ${card.name} is not a QR code`)
  if (applications.length === 0) refuse(null, ['applications'], 'has none; a client needs one')
  for (const application of applications)
    if (!application.keys.some((key) => key.environment === 'sandbox' && key.validUntil === undefined))
      refuse(application, ['keys'], 'has no key of the sandbox environment that does not expire')
  const [first] = applications
  if (first !== undefined && !first.merchants[0]?.terminals[0])
    refuse(first, ['merchants'], 'the first merchant of the first application needs a terminal')
}
