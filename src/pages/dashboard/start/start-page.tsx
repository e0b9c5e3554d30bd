import type { Child } from 'hono/jsx'
import { terminalPath } from '../../../contract/sandbox/screens.ts'
import { typeNames } from '../../../contract/statuses.ts'
import { deliveryState } from '../../../domain/model/outbox.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import { money } from '../../../presentation/money.ts'
import { actingFor } from '../../../request-log/hide-secrets.ts'
import { shellQuote } from '../../../text/shell-quote.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import { actionLooks } from '../../components/actions.tsx'
import { StatusBadge } from '../../components/basics.tsx'
import { Command, CopyText } from '../../components/command.tsx'
import { cardInWords } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'

/** The first steps on a page of their own, done or not. */
export const startPage: MakePage = (context, { baseUrl }) => ({
  title: 'First steps',
  section: 'transactions',
  live: { path: '/start/live', topics: ['transactions', 'webhooks', 'terminals'] },
  fragments: () => ({ start: html(startPanel(context, baseUrl)) }),
  body: (slot) => (
    <>
      <h1 class="visually-hidden">First steps</h1>
      {slot('start')}
    </>
  ),
})

/** The steps to a first payment, a first tap and a first webhook, each with what to type or press, ticked once done. */
export const startPanel = (context: PagesContext, baseUrl: string) => {
  const steps = firstSteps(context)
  const done = Object.values(steps).filter((step) => step !== undefined).length
  const isEmpty = steps.payment === undefined
  return (
    <section
      class={`start below-4 lined round-m on-paper${isEmpty ? ' start-empty' : ''}`}
      aria-labelledby="start-title"
    >
      <header class="gap-3 row wrap">
        <h2 class="tight large" id="start-title">
          {isEmpty ? 'No payments yet' : 'First steps'}
        </h2>
        <p class="soft tabular" role="status">
          {done} of 3 done
        </p>
      </header>
      <p class="above-1">
        Each step is ticked once it is done, wherever you do it. Your client calls <CopyText text={baseUrl} />
      </p>
      <ol class="start-steps stack">
        {paymentStep(steps, baseUrl)}
        {tapStep(steps, context, baseUrl)}
        {webhookStep(steps, baseUrl)}
      </ol>
      {done === 3 && (
        <p class="above-3">
          All done. What can go wrong: <a href="/faults">faults</a>. What your code may send:{' '}
          <a href="/docs">documents</a>.
        </p>
      )}
    </section>
  )
}

/** `result`: undefined until the step is done. */
const drawStep = (number: number, title: string, result: Child | undefined, toDo: Child) => (
  <li class={`flex gap-3 shrinks${result === undefined ? '' : ' start-step-done'}`} data-step={number}>
    <span class="start-mark circle stack centered soft bold tabular rigid" aria-hidden="true">
      {result === undefined ? number : <Icon name="check" />}
    </span>
    <div class="start-text stack gap-2 shrinks grows">
      <h3>
        {title}
        {result !== undefined && <span class="visually-hidden"> (done)</span>}
      </h3>
      {result === undefined ? toDo : <p class="soft">{result}</p>}
    </div>
  </li>
)

const paymentStep = ({ payment }: FirstSteps, baseUrl: string) =>
  drawStep(
    1,
    'Take a payment',
    payment && <Paid transaction={payment.transaction} />,
    <>
      <p>An automatic terminal approves it immediately.</p>
      <Command text="tillbox sale --amount 10.00" baseUrl={baseUrl} />
      <p>
        <a class="action" href="/payments/new" data-drawer>
          New payment
        </a>
      </p>
    </>,
  )

const Paid = ({ transaction }: Pick<OwnedTransaction, 'transaction'>) => (
  <>
    <a href={`/transactions/${transaction.id}`}>
      {typeNames[transaction.type]} {money(amountOf(transaction), transaction.currency)}
    </a>{' '}
    <StatusBadge transaction={transaction} />
  </>
)

function tapStep({ tap }: FirstSteps, context: PagesContext, baseUrl: string) {
  const result = tap && (
    <>
      <a href={`/transactions/${tap.transaction.id}`}>{cardInWords(tap.transaction)}</a> at{' '}
      {tap.transaction.terminalSn}
    </>
  )
  return drawStep(2, 'Tap a card', result, tapHint(context, baseUrl))
}

function tapHint(context: PagesContext, baseUrl: string) {
  const terminal = attendedTerminal(context)
  if (terminal === undefined)
    return (
      <>
        <p>An attended terminal waits for a person. This sandbox has none: add one.</p>
        <Command text="tillbox terminal add DESK-1 --mode attended" baseUrl={baseUrl} />
      </>
    )
  const { terminalSn, ledger } = terminal
  const sale = `tillbox sale --amount 12.50 --terminal ${shellQuote(terminalSn)}`
  return (
    <>
      <p>Send a payment to an attended terminal, open the terminal, and present a card.</p>
      <Command text={actingFor(context.directory, ledger.settings, sale)} baseUrl={baseUrl} />
      <p>
        <a class={actionLooks.plain} href={terminalPath(terminalSn)}>
          Open {terminalSn}
        </a>
      </p>
    </>
  )
}

const webhookStep = ({ webhook }: FirstSteps, baseUrl: string) =>
  drawStep(
    3,
    'Receive a webhook',
    webhook && (
      <>
        <a href="/webhooks?state=delivered">Delivered</a> to{' '}
        <span class="code">{hideInAddress(webhook.delivery.url)}</span>
      </>
    ),
    <>
      <p>Forward every notification to your server, which has to answer 200.</p>
      <Command text="tillbox listen localhost:3000/webhooks" baseUrl={baseUrl} />
      <p class="note">
        Or pass <code>notifyUrl</code> in a request. No server yet? <code>tillbox webhook receive</code>{' '}
        receives webhooks.
      </p>
    </>,
  )

type FirstSteps = ReturnType<typeof firstSteps>

/** The first payment, the first for which a person presented a card, and the first webhook; undefined until done. */
function firstSteps({ statistics }: PagesContext) {
  const { transactions, deliveries } = statistics.current
  return {
    payment: transactions[0],
    tap: transactions.find(({ transaction }) => transaction.presentedByPerson),
    webhook: deliveries.all.find(({ delivery }) => deliveryState(delivery) === 'delivered'),
  }
}

/** Up to this number of transactions the home page shows the steps that are left. assumption: dashboard-list */
const firstTransactions = 10

/** True while the home page shows the steps: the sandbox has little, and a step is left. */
export const isFirstRun = (context: PagesContext): boolean =>
  context.statistics.current.transactions.length <= firstTransactions &&
  Object.values(firstSteps(context)).includes(undefined)

/** The first attended terminal; undefined when the sandbox has none. */
function attendedTerminal({ engine }: PagesContext) {
  for (const ledger of engine.state.ledgers.values())
    for (const { terminalSn, profile } of ledger.terminals.values())
      if (profile.mode === 'attended' && profile.online !== false) return { terminalSn, ledger }
  return undefined
}
