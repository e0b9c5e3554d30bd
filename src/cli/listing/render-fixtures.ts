import type { CardList, OutcomeList } from '../../contract/control/control-answers.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { statusWordOf } from '../../contract/statuses.ts'
import { hintText } from '../hints/hint-text.ts'
import { cleaned } from '../output/clean.ts'
import { type Column, fittingTable } from '../output/table.ts'
import { theme } from '../output/theme.ts'

type OutcomeRow = OutcomeList['outcomes'][number]

/** Outcomes, one line each, and how to choose one. */
export function renderOutcomes(list: OutcomeList): string {
  const { outcomes } = cleaned(list)
  const table = fittingTable(outcomes, outcomeColumns)
  return `${table}\n\n${footer('A sale of the trigger amount (here in USD; in other currencies the same number of minor units) ends like that, as does one with --outcome <name>.')}`
}

const outcomeColumns: Column<OutcomeRow>[] = [
  { head: 'outcome', cell: ({ name }) => name },
  { head: 'code', cell: ({ code }) => code },
  {
    head: 'trigger amount',
    cell: ({ amount }) => (amount === undefined ? '–' : formatAmount(amount, 'USD')),
    isNumber: true,
  },
  { head: 'ends', cell: endText },
  { head: 'message', cell: ({ message }) => theme.faint(message), yields: 1 },
]

/** `declined`, or `approved after 60 s`. */
function endText({ status, delay = 0 }: OutcomeRow): string {
  const word = status === 'SUCCESS' || status === 'FAIL' ? statusWordOf(status) : status
  return delay > 0 ? `${word} after ${delay / 1000} s` : word
}

/** Test cards in a line each, and how to present one. */
export function renderCards(list: CardList): string {
  const { cards } = cleaned(list)
  const table = fittingTable(cards, cardColumns)
  return `${table}\n\n${footer('Present one: `tillbox terminal present TBX-ATTENDED-001 --card <name>`')}`
}

const cardColumns: Column<CardList['cards'][number]>[] = [
  { head: 'card', cell: ({ name }) => name },
  { head: 'network', cell: ({ paymentMethod }) => paymentMethod },
  { head: 'kind', cell: ({ cardNetworkType }) => theme.faint(cardNetworkType.toLowerCase()), yields: 3 },
  { head: 'entry', cell: ({ entryMode, category }) => entryMode ?? category },
  {
    head: 'verification',
    cell: ({ authenticationMethod: method }) =>
      method === 'NOT_AUTHENTICATED' ? theme.faint('none') : method,
    yields: 1,
  },
  { head: 'number', cell: ({ number }) => theme.faint(number ?? '–'), yields: 2 },
  { head: 'outcome', cell: ({ outcome }) => outcome ?? '' },
]

const footer = (text: string): string => `${theme.faint(hintText(text))}\n`
