import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Child } from 'hono/jsx'
import { terminalPath } from '../../../contract/sandbox/screens.ts'
import { typeNames } from '../../../contract/statuses.ts'
import { deliveryState } from '../../../domain/model/outbox.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import { basePathOf, type Call } from '../../../http/call.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import { money } from '../../../presentation/money.ts'
import { actingFor } from '../../../request-log/hide-secrets.ts'
import { shellQuote } from '../../../text/shell-quote.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import { actionLooks, PostButton } from '../../components/actions.tsx'
import { StatusBadge } from '../../components/basics.tsx'
import { Command, CopyText } from '../../components/command.tsx'
import { cardInWords, plural } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { html, type MakePage, type NoticeRedirect, type PagesContext } from '../../frame/page-view.tsx'

/** The first steps on a page of their own, done or not. */
export const startPage: MakePage = (context, { baseUrl, isStartHidden }) => ({
  title: 'First steps',
  section: 'transactions',
  live: {
    path: `/start/live${isStartHidden ? '?start=off' : ''}`,
    topics: ['transactions', 'webhooks', 'terminals'],
  },
  fragments: () => ({
    start: html(startPanel(context, baseUrl, isStartHidden && showButton)),
  }),
  body: (slot) => (
    <>
      <h1 class="visually-hidden">First steps</h1>
      {slot('start')}
    </>
  ),
})

const showButton = <PostButton action="/start/show">Show on the home page</PostButton>

/** Says to this browser that the home page shows no first steps: one for every sandbox of the host, and one for each space. */
const cookieName = (call: Call): string => `tillbox_start${basePathOf(call).replaceAll('/', '_')}`

const cookiePath = (call: Call): string => basePathOf(call) || '/'

/** A year, in seconds: longer than the browser needs to remember that one has begun. */
const maxAgeSeconds = 31_536_000

/** True for a browser that hid the first steps. */
export const hidesStart = (call: Call): boolean => getCookie(call, cookieName(call)) === 'hidden'

/** Hides the first steps on the home page of this browser. */
export function hideStart(call: Call): NoticeRedirect {
  const attributes = { path: cookiePath(call), maxAge: maxAgeSeconds }
  setCookie(call, cookieName(call), 'hidden', { httpOnly: true, sameSite: 'Strict', ...attributes })
  return {
    to: '/',
    notice: { text: 'The first steps stay at /start.', undo: { path: '/start/show', fields: {} } },
  }
}

/** Shows them again. */
export function showStart(call: Call): NoticeRedirect {
  deleteCookie(call, cookieName(call), { path: cookiePath(call) })
  return { to: '/', notice: { text: 'The home page shows the first steps of an empty sandbox.' } }
}

const titles = { payment: 'Take a payment', tap: 'Tap a card', webhook: 'Receive a webhook' } as const

/** The steps that are left, in one line. `aside`: the button that hides the steps, or shows them again. */
export const startLine = (context: PagesContext, aside: Child) => {
  const steps = firstSteps(context)
  const next = (['payment', 'tap', 'webhook'] as const).find((step) => steps[step] === undefined)
  return (
    <section class="lined round-m on-paper pad-2-3 row gap-3 small below-3" aria-label="First steps">
      <a href="/start">First steps</a>
      <span class="soft tabular one-line" role="status">
        {countDone(steps)} of 3 done
      </span>
      {next !== undefined && <span class="cut one-line">Next: {titles[next]}</span>}
      <div class="to-end">{aside}</div>
    </section>
  )
}

/** The steps to a first payment, a first tap and a first webhook, each with what to type or press, ticked once done. */
export const startPanel = (context: PagesContext, baseUrl: string, aside: Child) => {
  const steps = firstSteps(context)
  const done = countDone(steps)
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
        <div class="to-end">{aside}</div>
      </header>
      {isEmpty && (
        <p class="above-1">
          Each step is ticked once it is done, wherever you do it. Your client calls{' '}
          <CopyText text={baseUrl} />
        </p>
      )}
      <ol class="start-steps stack">
        {paymentStep(steps, baseUrl)}
        {tapStep(steps, context, baseUrl)}
        {webhookStep(steps, context, baseUrl)}
      </ol>
      {done === 3 && (
        <p class="row gap-4 wrap above-3 pad-top-3 rule-above">
          <a class={actionLooks.main} href="/">
            See your payments
          </a>
          <a href={`/transactions/${steps.payment?.transaction.id}?tab=test`}>Make a test of the first one</a>
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
    titles.payment,
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
  return drawStep(2, titles.tap, result, tapHint(context, baseUrl))
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
  const { terminalSn, running, ledger } = terminal
  const sale = `tillbox sale --amount 12.50 --terminal ${shellQuote(terminalSn)}`
  return (
    <>
      {running === undefined ? (
        <>
          <p>Send a payment to an attended terminal, open the terminal, and present a card.</p>
          <Command text={actingFor(context.directory, ledger.settings, sale)} baseUrl={baseUrl} />
        </>
      ) : (
        <p>
          <strong>{money(amountOf(running), running.currency)}</strong> waits at {terminalSn}. Open it, and
          present a card.
        </p>
      )}
      <p>
        <a class={actionLooks[running ? 'main' : 'plain']} href={terminalPath(terminalSn)}>
          Open {terminalSn}
        </a>
      </p>
    </>
  )
}

const webhookStep = ({ webhook }: FirstSteps, context: PagesContext, baseUrl: string) => {
  const { deliveries } = context.statistics.current
  const unaccepted = deliveries.count('pending') + deliveries.count('failed')
  const result = webhook && (
    <>
      <a href="/webhooks?state=delivered">Delivered</a> to{' '}
      <span class="code">{hideInAddress(webhook.delivery.url)}</span>
    </>
  )
  return drawStep(
    3,
    titles.webhook,
    result,
    <>
      {unaccepted === 0 ? (
        <p>{wayOut(context)}</p>
      ) : (
        <p>
          <a href="/webhooks">{plural(unaccepted, 'notification')}</a> not accepted yet: your server has to
          answer 200.
        </p>
      )}
      <Command text="tillbox listen localhost:3000/webhooks" baseUrl={baseUrl} />
      <p class="note">
        Or pass <code>notifyUrl</code> in a request. No server yet? <code>tillbox webhook receive</code>{' '}
        receives webhooks.
      </p>
    </>,
  )
}

/** Where notifications go as the sandbox was started. */
function wayOut({ engine }: PagesContext): Child {
  const urls = [...engine.state.ledgers.values()].flatMap(({ settings }) => settings.notifyUrl ?? [])
  if (urls[0] === undefined) return 'Forward every notification to your server.'
  return (
    <>
      Results go to <span class="code">{hideInAddress(urls[0])}</span>. Forward them elsewhere:
    </>
  )
}

/** Up to this number of transactions the home page shows the steps that are left. assumption: dashboard-list */
const firstTransactions = 10

type FirstSteps = ReturnType<typeof firstSteps>

/** The first payment, the first for which a person presented a card, and the first webhook; undefined until done. */
export function firstSteps({ statistics }: PagesContext) {
  const { transactions, deliveries } = statistics.current
  return {
    payment: transactions[0],
    tap: transactions.find(({ transaction }) => transaction.presentedByPerson),
    webhook:
      deliveries.count('delivered') === 0
        ? undefined
        : deliveries.all.find(({ delivery }) => deliveryState(delivery) === 'delivered'),
  }
}

/** How many of the steps are done. */
export const countDone = (steps: FirstSteps): number =>
  Object.values(steps).filter((step) => step !== undefined).length

/** True while the home page shows the steps: the sandbox is empty, or has little and a step is left. */
export const isFirstRun = (context: PagesContext): boolean =>
  context.statistics.current.transactions.length <= firstTransactions && countDone(firstSteps(context)) < 3

/** The first attended terminal, and its current payment; undefined when the sandbox has none. */
function attendedTerminal({ engine }: PagesContext) {
  for (const ledger of engine.state.ledgers.values())
    for (const { terminalSn, profile, line } of ledger.terminals.values())
      if (profile.mode === 'attended' && profile.online !== false)
        return { terminalSn, ledger, running: ledger.transactions.get(line[0] ?? '') }
  return undefined
}
