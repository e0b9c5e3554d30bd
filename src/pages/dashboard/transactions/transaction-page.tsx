import type { PropsWithChildren } from 'hono/jsx'
import { checkoutPath } from '../../../contract/control/control-answers.ts'
import { terminalPath } from '../../../contract/control/screens.ts'
import { amountSign, money } from '../../../contract/presentation/money.ts'
import { deciders } from '../../../contract/presentation/why-status.ts'
import { isFinal, typeNames } from '../../../contract/statuses.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { localDate } from '../../../domain/model/local-time.ts'
import {
  authorisedAmount,
  authorisedUntil,
  hasLapsed,
  isInEffect,
  leftToCapture,
  leftToRefund,
  totalOrZero,
} from '../../../domain/model/parts.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { waitsFor } from '../../../domain/screen-flow.ts'
import type { OwnedTransaction } from '../../../sandbox/views/transaction-text.ts'
import { decisionOf, transactionNamed } from '../../../sandbox/views/views.ts'
import { pastNotifications } from '../../../sandbox/webhooks/notifications/past-notifications.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { StatusBadge } from '../../components/basics.tsx'
import { CopyText, WholeWords } from '../../components/command.tsx'
import { cardInWords, formatDateTime, formatTime } from '../../components/format.ts'
import { actionLooks, columnsLook, sideLook } from '../../components/looks.ts'
import { type DescriptionItem, Pairs, Panel, RecordHead } from '../../components/panel.tsx'
import { html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { actionKeys } from '../../keys.ts'
import { queryString } from '../lists/filter-form.tsx'
import { type FollowUp, possibleActions } from '../payments/follow-ups.ts'
import { newPaymentLike } from '../payments/new-payment-page.tsx'
import { resultInWords } from './transaction-table.tsx'
import { rootTransaction, tabContent, tabLinks, tabNamed } from './transaction-tabs.tsx'

/** One transaction: its data, its history, and its follow-ups. */
export const transactionPage: MakePage = (context, { id, query }) => {
  const { transaction } = transactionNamed(context.engine.state.ledgers, id)
  const tab = tabNamed(query.tab)
  return {
    title: `${typeNames[transaction.type]} ${money(amountOf(transaction), transaction.currency)} ${id}`,
    section: 'transactions',
    live: {
      path: `/transactions/${id}/live${queryString({ tab: tab === 'timeline' ? '' : tab })}`,
      topics: [
        'requests',
        `transaction ${id}`,
        ...(transaction.originalId ? [`transaction ${transaction.originalId}` as const] : []),
      ],
    },
    fragments: async () => {
      const owned = transactionNamed(context.engine.state.ledgers, id)
      const { ledger, transaction } = owned
      const root = rootTransaction(ledger, transaction)
      return {
        headline: html(<TransactionHead {...owned}>{actionBar(context, owned)}</TransactionHead>),
        tabs: html(tabLinks(context, owned, tab)),
        tab: html(await tabContent(context, owned, tab)),
        'amount-parts': amountBreakdown(owned, context.clock.now()),
        family: root.followUps?.children.length
          ? html(
              <Panel title="Related transactions" name="family">
                <ul>{familyMember(ledger, root, id, context.clock.now())}</ul>
              </Panel>,
            )
          : '',
      }
    },
    body: (slot) => (
      <>
        {slot('headline')}
        <div class={columnsLook}>
          <section
            class="panel [&_.tabs]:-mx-2 [&_.tabs]:-mt-2 [&_.tabs]:mb-3 [&_.tabs]:border-b"
            aria-label="Details of the transaction"
          >
            {slot('tabs')}
            {slot('tab')}
          </section>
          <div class={sideLook}>
            {slot('amount-parts')}
            {slot('family')}
          </div>
        </div>
      </>
    ),
  }
}

/** A transaction with its follow-ups; `shownId`: that of the page; `now`: the time of the sandbox clock. */
function familyMember(ledger: Ledger, transaction: Transaction, shownId: string, now: number) {
  const { id, type, currency, createdAt, followUps } = transaction
  const children = followUps?.children ?? []
  return (
    <li class="pt-2">
      <a
        class="grid grid-cols-[auto_auto] items-baseline gap-x-2 rounded-md border px-3 py-2 text-sm no-underline hover:border-line-strong aria-[current]:border-accent aria-[current]:bg-accent-tint"
        href={`/transactions/${id}`}
        aria-current={id === shownId ? 'page' : undefined}
      >
        <span>
          <span class="font-semibold">{typeNames[type]}</span>{' '}
          <span class="text-ink-soft text-note tabular-nums whitespace-nowrap">
            {formatTime(createdAt, now, ledger.settings.timeZone)}
          </span>
        </span>
        <span class="ms-auto font-semibold tabular-nums whitespace-nowrap">
          {amountSign(type)}
          {money(amountOf(transaction), currency)}
        </span>
        <span class="col-span-full flex flex-wrap items-center justify-between gap-x-2">
          <span class="text-ink-soft code whitespace-nowrap">{id}</span>
          <StatusBadge transaction={transaction} />
        </span>
      </a>
      {children.length > 0 && (
        <ul class={`ms-2.5 ps-4 ${branches}`}>
          {children.map((child) => {
            const found = ledger.transactions.get(child)
            return found && familyMember(ledger, found, shownId, now)
          })}
        </ul>
      )}
    </li>
  )
}

/** A line from an original down to each follow-up. */
const branches =
  '*:relative *:before:absolute *:before:top-0 *:before:-left-4 *:before:h-7 *:before:w-4 *:before:rounded-bl-md *:before:border-b *:before:border-s *:before:border-line-strong *:not-last:after:absolute *:not-last:after:inset-y-0 *:not-last:after:-left-4 *:not-last:after:border-s *:not-last:after:border-line-strong'

interface ActionLink {
  readonly name: string
  readonly label: string
  readonly href: string
  readonly opensDrawer?: true
  readonly isDestructive?: true | undefined
}

/** Links to what can be done with a transaction now, its next step first. Scripts open a drawer. */
const actionBar = (context: PagesContext, { ledger, transaction }: OwnedTransaction) =>
  actionLinks(context, ledger, transaction).map(
    ({ name, label, href, opensDrawer, isDestructive }, index) => (
      <a
        class={actionLooks[isDestructive ? 'danger' : index === 0 && name !== 'resend' ? 'main' : 'plain']}
        id={`do-${name}`}
        aria-keyshortcuts={Object.keys(actionKeys).find((key) => actionKeys[key] === name)}
        href={href}
        data-drawer={opensDrawer}
      >
        {label}
      </a>
    ),
  )

function actionLinks(context: PagesContext, ledger: Ledger, transaction: Transaction): readonly ActionLink[] {
  const next = nextStep(ledger, transaction)
  const wasSent = context.statistics.current.deliveries.ofTransaction(transaction.id).length > 0
  const resend = { path: 'resend', label: wasSent ? 'Resend webhook' : 'Send webhook' }
  const drawers: readonly Pick<FollowUp, 'path' | 'label' | 'isDestructive'>[] = [
    ...possibleActions(ledger, transaction, context.clock.now()),
    ...(pastNotifications(ledger, transaction).length > 0 ? [resend] : []),
  ]
  return [
    ...(next === undefined ? [] : [next]),
    ...drawers.map(({ path: name, label, isDestructive }): ActionLink => {
      const href = `/transactions/${transaction.id}/${name}`
      return { name, label, isDestructive, href, opensDrawer: true }
    }),
  ]
}

/** Where an open payment goes on, or another try of a failed one. */
function nextStep(ledger: Ledger, transaction: Transaction): ActionLink | undefined {
  const { status, terminalSn, online, inCloud } = transaction
  if (isFinal(status)) {
    const href = status === 'SUCCESS' ? undefined : newPaymentLike(ledger, transaction)
    return href === undefined
      ? undefined
      : { name: 'try-again', label: 'Try again as…', href, opensDrawer: true }
  }
  if (online?.sessionId != null)
    return { name: 'checkout', label: 'Open checkout page', href: checkoutPath(online.sessionId) }
  if (terminalSn === null || inCloud) return undefined
  return { name: 'terminal', label: 'Open terminal', href: terminalPath(terminalSn) }
}

/** Type, status, copyable ids of a transaction; inside, what can be done with it. Sandbox time. */
const TransactionHead = ({ ledger, transaction, children }: PropsWithChildren<OwnedTransaction>) => {
  const { id, type, currency, terminalSn, orderId, transactionRequestId, createdAt, followUps } = transaction
  const { outcome, rule } = decisionOf(transaction)
  const { timeZone } = ledger.settings
  const waiting = waitsFor(ledger, transaction)
  return (
    <RecordHead
      title={
        <>
          <span>{typeNames[type]}</span>{' '}
          <span class="tabular-nums whitespace-nowrap">{money(amountOf(transaction), currency)}</span>
        </>
      }
      state={
        <>
          <StatusBadge transaction={transaction} />
          {isFinal(transaction.status) && <span>{resultInWords(transaction)}</span>}
          {outcome !== null && rule !== null && (
            <span class="basis-full text-sm">
              The outcome is {outcome}, {deciders[rule]}.
            </span>
          )}
        </>
      }
      facts={[
        ['Authorised in all', followUps?.raised && money(authorisedAmount(transaction), currency)],
        ['Paid with', cardInWords(transaction)],
        [
          'Terminal',
          terminalSn === null ? 'none (online payment)' : <a href={terminalPath(terminalSn)}>{terminalSn}</a>,
        ],
        ['Waits for', waiting && <WholeWords text={waiting} />],
        ['Order', orderId === null ? null : <CopyText text={orderId} />],
        ['Opened, sandbox clock', `${formatDateTime(createdAt, timeZone)} ${timeZone}`],
        ['Transaction id', <CopyText text={id} />],
        ['Transaction request id', <CopyText text={transactionRequestId} />, '@sm:col-span-2'],
      ]}
    >
      {children}
    </RecordHead>
  )
}

const otherParts = ['tip', 'tax', 'surcharge', 'cashback'] as const

/** The parts of its amount other than 0, and what is left of it; empty where the order is all. */
function amountBreakdown({ ledger, transaction }: OwnedTransaction, now: number): string {
  const { currency, followUps } = transaction
  const capturable = leftToCapture(transaction)
  const capture = (followUps?.children ?? [])
    .flatMap((child) => ledger.transactions.get(child) ?? [])
    .find((child) => child.type === 'POST_AUTH' && isInEffect(child))
  const isOver = hasLapsed(ledger, transaction, now)
  const until = localDate(authorisedUntil(ledger, transaction), ledger.settings.timeZone)
  const sum = (amount: number, sign = '') => (
    <span class="whitespace-nowrap">{sign + money(amount, currency)}</span>
  )
  const row = (name: string, amount: number | null | undefined, sign = ''): DescriptionItem => [
    name,
    amount == null ? null : sum(amount, sign),
  ]
  const before = [
    row('Order', transaction.order),
    ...otherParts.map((part) => row(capitalize(part), transaction[part] || null)),
    row('Raised by', followUps?.raised && totalOrZero(followUps.raised)),
  ]
  const after: readonly DescriptionItem[] = [
    row('Captured', capture && amountOf(capture)),
    row('Refunded', followUps?.refunded && totalOrZero(followUps.refunded), '−'),
    row('Left to refund', leftToRefund(transaction)),
    row('Left to capture', isOver ? null : capturable),
    [isOver ? 'Expired' : 'Capture until', capturable === null ? null : until],
  ]
  const isSaid = ([, value]: DescriptionItem) => value != null
  if (before.filter(isSaid).length < 2 && !after.some(isSaid)) return ''
  const total: DescriptionItem = [
    'Total',
    sum(authorisedAmount(transaction)),
    'row-total items-baseline mt-2 pt-3 border-t text-base font-semibold',
  ]
  return html(
    <Panel title="Amount" name="amount">
      <Pairs kind="rows" pairs={[...before, total, ...after]} />
    </Panel>,
  )
}
