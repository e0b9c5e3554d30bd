import type { Child } from 'hono/jsx'
import { statusGroupOf } from '../../../contract/presentation/status.ts'
import { takesBack, typeNames } from '../../../contract/statuses.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import type { Call } from '../../../sandbox/http/call.ts'
import { refuseCardData } from '../../../sandbox/http/card-data.ts'
import type { OwnedTransaction } from '../../../sandbox/views/transaction-text.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { Fold, StatusBadge } from '../../components/basics.tsx'
import { cardInWords, formatNumber, plural } from '../../components/format.ts'
import type { Values } from '../../frame/page-view.tsx'
import { type QueryReader, queryString } from '../lists/filter-form.tsx'
import { type Column, MiddleCut, Sum, stateLook, timeColumn } from '../lists/list-table.tsx'
import type { LookUpResult } from './transaction-search.ts'

type TransactionColumn = Column<OwnedTransaction>

const amount: TransactionColumn = {
  head: 'Amount',
  look: '@sm:w-44 sum figure',
  cell: ({ transaction }) => (
    <Sum
      amount={amountOf(transaction)}
      currency={transaction.currency}
      isBack={takesBack(transaction.type)}
    />
  ),
  isName: true,
}

const type: TransactionColumn = {
  head: 'Type',
  look: '@sm:w-18 @lg:w-31 @max-sm:hidden text-ink-soft',
  title: ({ transaction }) => typeNames[transaction.type],
  cell: ({ transaction }) => typeNames[transaction.type],
  isUnder: true,
}

/** Columns that can be chosen; amount and type are always shown. `now`: sandbox time in milliseconds. */
const optionalColumns = (now: number) =>
  ({
    status: {
      head: 'Status',
      look: '@lg:w-64 @xl:w-72 @sm:@max-lg:pe-0',
      cell: ({ transaction }) => (
        <span class={stateLook}>
          <StatusBadge transaction={transaction} />
          {underStatus(transaction).map(([text, look]) => (
            <span class={`under @max-lg:text-xs @sm:truncate ${look}`}> {text}</span>
          ))}
        </span>
      ),
      title: ({ transaction }) => resultInWords(transaction),
    },
    card: {
      head: 'Card',
      look: '@sm:w-31 @max-lg:hidden',
      cell: ({ transaction }) => cardInWords(transaction),
    },
    terminal: {
      head: 'Terminal',
      look: '@sm:w-40 @lg:w-42 @2xl:w-65 @max-md:hidden code',
      title: ({ transaction }) => transaction.terminalSn ?? undefined,
      cell: ({ transaction }) => <MiddleCut text={terminalOf(transaction)} />,
    },
    order: {
      head: 'Order',
      look: '@max-xl:hidden code text-ink-soft',
      title: ({ transaction }) => transaction.orderId ?? undefined,
      cell: ({ transaction }) => <MiddleCut text={transaction.orderId ?? '–'} />,
    },
    description: {
      head: 'Description',
      look: '@max-md:hidden',
      cell: ({ transaction }) => transaction.description ?? '–',
    },
    id: {
      head: 'Id',
      look: '@sm:w-42 @max-2xl:hidden code text-ink-soft',
      cell: ({ transaction }) => transaction.id,
    },
    time: {
      ...timeColumn<OwnedTransaction>(now, ({ ledger, transaction }) => [
        transaction.createdAt,
        ledger.settings.timeZone,
      ]),
      look: '@sm:w-24 @lg:w-28 @max-sm:hidden figure text-ink-soft',
      isUnder: true,
    },
  }) as const satisfies Readonly<Record<string, TransactionColumn>>

const isOpen = ({ status }: Transaction): boolean => statusGroupOf(status) === 'open'

const whereNoColumn =
  '@sm:@max-md:not-in-[.every-width,.workbench]:block @md:hidden in-[.every-width,.workbench]:@sm:hidden'

/**
 * Beside a status, each with its look: why it is declined; else on a phone the card, if one was read and
 * nothing is waited for, and where it has no column the terminal.
 */
function underStatus(transaction: Transaction): readonly (readonly [text: Child, look: string])[] {
  if (transaction.status === 'FAIL') return [[resultInWords(transaction), '@sm:block']]
  const terminal = <MiddleCut text={terminalOf(transaction)} />
  if (!transaction.cardRead || isOpen(transaction)) return [[terminal, whereNoColumn]]
  return [
    [cardInWords(transaction), '@sm:hidden'],
    [terminal, `@max-sm:hidden ${whereNoColumn}`],
  ]
}

const terminalOf = ({ terminalSn }: Transaction): string => terminalSn ?? 'online'

const named = optionalColumns(0)

type ColumnName = keyof typeof named

const all = Object.keys(named) as readonly ColumnName[]

/**
 * The columns of a list: the status at its edge, amount and type, and the others of its address. `now`:
 * sandbox time in milliseconds.
 */
export function transactionColumns(columns: string, now: number): readonly TransactionColumn[] {
  const optional = optionalColumns(now)
  const shown: readonly TransactionColumn[] = parseColumns(columns).map((name) => optional[name])
  return shown.toSpliced(shown[0] === optional.status ? 1 : 0, 0, amount, type)
}

/** `051 Insufficient funds`, or the status. */
export function resultInWords({ status, resultCode, resultMsg, screen }: Transaction): string {
  if (resultCode !== null) return `${resultCode} ${resultMsg ?? ''}`.trim()
  if (status === 'CLOSED') return 'unpaid'
  return screen === 'host' ? 'waiting for the host' : screen.replace('-', ' ')
}

/** `28 of 137`: how many match, of how many; `28+` where the search did not look at all. */
export const countInWords = (count: number, looked: LookUpResult['looked'], stored: number): string =>
  looked === null && count === stored
    ? plural(stored, 'transaction')
    : `${formatNumber(count)}${looked === null ? '' : '+'} of ${formatNumber(stored)}`

const usual: readonly ColumnName[] = ['status', 'card', 'terminal', 'order', 'time']

/** Value for amount and type alone. */
const none = 'none'

/** Reads the columns of the address; empty: the default ones. Errors are added to the reader's problems. */
export const readColumns = (reader: QueryReader): string =>
  reader.text(
    'columns',
    (text) => text === none || text.split(',').every((name) => all.some((column) => column === name)),
    `The columns must be ${none}, or some of ${all.join(', ')}, with commas between.`,
  )

/** The columns of an address, in their order. */
const parseColumns = (text: string): readonly ColumnName[] =>
  text === '' ? usual : all.filter((column) => text.split(',').includes(column))

/** Of the usual columns, those for which a list may lack room: from which width of the window it does not. */
const lacking: { readonly [name in ColumnName]?: string } = {
  terminal: 'md:hidden',
  card: 'lg:hidden',
  order: 'xl:hidden',
}

/** A menu with a box a column; inside, what else belongs to the view. `others`: parameters that stay. */
export const viewMenu = (columns: string, others: Values, inside: Child) => (
  <Fold summary="View" look="small" className="fold view-menu relative ms-auto max-md:order-1 beside:hidden">
    <div class="popover view-choices sm:top-[calc(100%+0.25rem)] sm:right-0 sm:w-60">
      <form class="grid gap-3" method="get" action="/columns">
        <Hidden fields={others} />
        <fieldset class="grid gap-x-4 max-sm:grid-cols-2">
          <legend>Columns</legend>
          {all.map((column) => (
            <label class="flex items-center gap-2 min-h-7 max-sm:min-h-11">
              <input
                type="checkbox"
                name="column"
                value={column}
                checked={parseColumns(columns).includes(column)}
                autocomplete="off"
              />
              {named[column].head}
              {columns === '' && (
                <span class={`ms-auto text-note text-ink-soft ${lacking[column] ?? 'hidden'}`}>no room</span>
              )}
            </label>
          ))}
        </fieldset>
        <p class="text-note text-ink-soft">Amount and type are always shown.</p>
        <p class="flex items-center gap-3">
          <Submit look="main">Apply</Submit>
          {columns !== '' && <a href={`/${queryString(others)}`}>Reset</a>}
        </p>
      </form>
      {inside}
    </div>
  </Fold>
)

/** Leads to the list with the columns whose boxes are sent: its address has them in one parameter. */
export function chooseColumns(call: Call): Response {
  const { column: _, columns: __, ...otherParameters } = call.req.query()
  const boxes = call.req.queries('column') ?? []
  refuseCardData(JSON.stringify([otherParameters, boxes]))
  const chosen = all.filter((each) => boxes.includes(each))
  const columns = chosen.join() === usual.join() ? '' : chosen.join() || none
  return call.redirect(`/${queryString(otherParameters, { columns })}`, 303)
}
