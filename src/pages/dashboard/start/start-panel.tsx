import type { Child, PropsWithChildren } from 'hono/jsx'
import { terminalPath } from '../../../contract/sandbox/screens.ts'
import { typeNames } from '../../../contract/statuses.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import { money } from '../../../presentation/money.ts'
import { actingFor } from '../../../request-log/hide-secrets.ts'
import { shellQuote } from '../../../text/shell-quote.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import { actionLooks } from '../../components/actions.tsx'
import { StatusBadge } from '../../components/basics.tsx'
import { Command, CopyText } from '../../components/command.tsx'
import { cardInWords, plural } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import type { PagesContext } from '../../frame/page-view.tsx'
import { attendedTerminal, countDone, type FirstSteps, firstStepsOf } from './first-steps.ts'

const titles = { payment: 'Take a payment', tap: 'Tap a card', webhook: 'Receive a webhook' } as const

/** The steps that are left, in one line. `aside`: the button that hides the steps, or shows them again. */
export const startLine = (context: PagesContext, aside: Child) => {
  const steps = firstStepsOf(context)
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
  const steps = firstStepsOf(context)
  const done = countDone(steps)
  const isEmpty = steps.payment === undefined
  return (
    <section
      class={
        isEmpty ? 'start below-4 lined round-m on-paper start-empty' : 'start below-4 lined round-m on-paper'
      }
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
    </section>
  )
}

interface StepProps {
  readonly number: number
  readonly title: string
  /** The result; undefined until the step is done. */
  readonly result: Child | undefined
}

const Step = ({ number, title, result, children }: PropsWithChildren<StepProps>) => (
  <li
    class={result === undefined ? 'flex gap-3 shrinks' : 'flex gap-3 shrinks start-step-done'}
    data-step={number}
  >
    <span class="start-mark circle stack centered soft bold tabular rigid" aria-hidden="true">
      {result === undefined ? number : <Icon name="check" />}
    </span>
    <div class="start-text stack gap-2 shrinks grows">
      <h3>
        {title}
        {result !== undefined && <span class="visually-hidden"> (done)</span>}
      </h3>
      {result === undefined ? children : <p class="soft">{result}</p>}
    </div>
  </li>
)

const paymentStep = ({ payment }: FirstSteps, baseUrl: string) => (
  <Step number={1} title={titles.payment} result={payment && <Paid transaction={payment.transaction} />}>
    <p>An automatic terminal approves it immediately.</p>
    <Command text="tillbox sale --amount 10.00" baseUrl={baseUrl} />
    <p>
      <a class="action" href="/payments/new" data-drawer>
        New payment
      </a>
    </p>
  </Step>
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
  return (
    <Step number={2} title={titles.tap} result={result}>
      {tapHint(context, baseUrl)}
    </Step>
  )
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
  return (
    <Step
      number={3}
      title={titles.webhook}
      result={
        webhook && (
          <>
            <a href="/webhooks?state=delivered">Delivered</a> to{' '}
            <span class="code">{hideInAddress(webhook.delivery.url)}</span>
          </>
        )
      }
    >
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
    </Step>
  )
}

/** Where notifications go as the sandbox was started. */
function wayOut({ engine }: PagesContext): Child {
  const { settings } =
    [...engine.state.ledgers.values()].find((each) => each.settings.notifyUrl !== null) ?? {}
  if (settings?.notifyUrl == null) return 'Forward every notification to your server.'
  return (
    <>
      Results go to <span class="code">{hideInAddress(settings.notifyUrl)}</span>. Forward them elsewhere:
    </>
  )
}
