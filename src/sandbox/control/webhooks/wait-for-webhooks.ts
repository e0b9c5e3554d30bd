import type { ControlInput } from '../../../contract/control/controls/controls.ts'
import { type DeliveryState, type DeliveryView, mostNamed } from '../../../contract/control/webhooks.ts'
import { parseStatuses, type StatusLetter, statusLetters, typeNamed } from '../../../contract/statuses.ts'
import { deliveryState } from '../../../domain/model/outbox.ts'
import { clearTimeout, elapsedTime, setTimeout } from '../../../shared/timers.ts'
import type { Call } from '../../http/call.ts'
import {
  everyDelivery,
  type LedgerDelivery,
  shownDelivery,
  waitingDeliveries,
} from '../../webhooks/deliveries.ts'
import type { ControlContext, ControlHandler } from '../control-context.ts'

/** The pause between checks of a wait: after a change, and at most, to notice a stop. Milliseconds. */
const [shortestPause, longestPause] = [20, 250]

/**
 * Answers once `count` matching deliveries were acknowledged, or all matching ones were delivered, given up
 * or held. Answers with the current state when the time is over, the caller leaves, or the sandbox stops.
 */
export const waitForWebhooks: ControlHandler<'wait-for-webhooks', [call: Call]> = async (
  context,
  wanted,
  call,
) => {
  const { signal } = call.req.raw
  const end = elapsedTime() + wanted.timeoutMs
  const isNamed = wanted.ids != null || wanted.transactionIds != null
  const givenUp = () => failedDeliveries(context, wanted).length
  const before = isNamed ? 0 : givenUp()
  for (;;) {
    const change = nextChange(context, Math.max(0, Math.min(longestPause, end - elapsedTime())))
    const now = await lookAt(context, wanted)
    if (now.reached || elapsedTime() >= end || signal.aborted || context.stopping) {
      change.forget()
      return { ...now, givenUpCount: givenUp() - before }
    }
    await change.ended
  }
}

/** Resolves after a relevant change, or after the time limit. */
function nextChange({ changes }: ControlContext, milliseconds: number) {
  let forget = () => {}
  const change = new Promise<void>((resolve) => {
    let soon: NodeJS.Timeout | undefined
    const late = setTimeout(resolve, milliseconds)
    const quiet = changes.next(['transactions', 'webhooks'], () => {
      soon = setTimeout(resolve, Math.min(shortestPause, milliseconds))
    })
    forget = () => {
      clearTimeout(late)
      clearTimeout(soon)
      quiet()
    }
  })
  return { forget, ended: change.then(() => forget()) }
}

/** The current state of the wait. Finished deliveries are only read if they are counted. */
async function lookAt(context: ControlContext, wanted: ControlInput<'wait-for-webhooks'>) {
  await context.engine.written()
  const { engine, followers } = context
  const matchingViews = (all: readonly LedgerDelivery[]) =>
    all.map((each) => shownDelivery(context, each)).filter((view) => fits(view, wanted))
  const isChosen = chosenBy(wanted)
  const waiting = matchingViews(
    waitingDeliveries(engine.state)
      .filter(({ delivery }) => followers.isReachable(delivery))
      .filter(isChosen),
  )
  const pending = waiting.filter(({ held }) => held !== true)
  const ended = wanted.count == null ? [] : everyDelivery(context)
  const acknowledged = matchingViews(ended.filter(isChosen).filter(isIn('delivered')))
  const processing = processingIds(context, wanted.transactionIds ?? [])
  const isNothingPending = pending.length + processing.length === 0
  return {
    reached:
      (wanted.count == null || acknowledged.length >= wanted.count) &&
      (wanted.delivered !== true || isNothingPending),
    acknowledged: acknowledged.slice(-mostNamed),
    acknowledgedCount: acknowledged.length,
    pending: pending.slice(0, mostNamed),
    pendingCount: pending.length,
    heldCount: waiting.length - pending.length,
    processing,
  }
}

const isIn =
  (state: DeliveryState) =>
  ({ delivery }: LedgerDelivery): boolean =>
    deliveryState(delivery) === state

/** Those that are given up, of the named ones and of the named transactions. */
const failedDeliveries = (context: ControlContext, wanted: ControlInput<'wait-for-webhooks'>) =>
  everyDelivery(context)
    .filter(isIn('failed'))
    .filter(chosenBy(wanted))
    .filter((each) => wanted.ids == null || wanted.ids.includes(shownDelivery(context, each).id))

/** The named transactions, which need no statistics. */
function chosenBy({ transactionIds }: ControlInput<'wait-for-webhooks'>) {
  const named = transactionIds == null ? undefined : new Set(transactionIds)
  return ({ delivery }: LedgerDelivery): boolean => named === undefined || named.has(delivery.transactionId)
}

const fits = (
  { id, kind, event, merchantId, transactionStatus, transactionType }: DeliveryView,
  wanted: ControlInput<'wait-for-webhooks'>,
): boolean =>
  (wanted.ids == null || wanted.ids.includes(id)) &&
  (wanted.event == null || wanted.event === kind || wanted.event === event) &&
  (wanted.status == null || namesStatus(wanted.status, transactionStatus)) &&
  (wanted.type == null || typeNamed(wanted.type) === transactionType) &&
  (wanted.merchant == null || wanted.merchant === merchantId)

const namesStatus = (text: string, letter: StatusLetter): boolean =>
  parseStatuses(text)?.some((status) => statusLetters[status] === letter) === true

/** Those of the transactions that wait for the host's answer, which will add a notification. */
const processingIds = ({ engine }: ControlContext, ids: readonly string[]): string[] =>
  ids.filter((id) =>
    [...engine.state.ledgers.values()].some(({ transactions }) => transactions.get(id)?.screen === 'host'),
  )
