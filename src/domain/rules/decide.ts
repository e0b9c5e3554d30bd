import { reject } from '../../contract/errors.ts'
import { operations } from '../../contract/operations.ts'
import { type Status, statusChanges } from '../../contract/statuses.ts'
import type { Command, Request, ResendNotifications, Stamp } from '../model/commands.ts'
import { endpointKey } from '../model/endpoint.ts'
import type { Event, Events } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { accept, readMoney, refuseCashback } from './accept.ts'
import { cancelSession, createSession, expireSession, payDirectly, paySession } from './checkout-sessions.ts'
import { idUsed, refuseReused } from './duplicates.ts'
import { abort, incrementalAuth, postAuth, tipAdjust, voidTransaction } from './follow-up.ts'
import { refund, refundOnline } from './refund.ts'
import { closeBatch, closeOfDay } from './settlement.ts'
import { actAtTerminal } from './terminal/attended.ts'
import { wake } from './terminal/automatic.ts'
import { terminalInstructions } from './terminal/instructions.ts'
import {
  addTerminal,
  pairTerminal,
  queueOutcome,
  removeTerminal,
  setTerminal,
  unpairTerminal,
} from './terminal/set-terminal.ts'

type CommandOf<T extends Command['type']> = Extract<Command, { readonly type: T }>

/** What each command does to a ledger. */
const rules: {
  readonly [T in Command['type']]: (ledger: Readonly<Ledger>, command: CommandOf<T>, stamp: Stamp) => Events
} = {
  sale: pay,
  auth: pay,
  'forced-auth': pay,
  'incremental-auth': incrementalAuth,
  'post-auth': postAuth,
  refund,
  void: voidTransaction,
  abort,
  'tip-adjust': tipAdjust,
  'create-session': createSession,
  'direct-payment': payDirectly,
  'expire-session': expireSession,
  'online-refund': refundOnline,
  'pay-session': paySession,
  'cancel-session': cancelSession,
  'batch-close': closeBatch,
  wake,
  'close-of-day': closeOfDay,
  'set-terminal': setTerminal,
  'add-terminal': addTerminal,
  'add-merchant': (ledger, { profiles }) => profiles.flatMap((profile) => addTerminal(ledger, { profile })),
  'remove-terminal': removeTerminal,
  'unpair-terminal': unpairTerminal,
  'pair-terminal': pairTerminal,
  'present-card': actAtTerminal,
  'choose-tip': actAtTerminal,
  'enter-pin': actAtTerminal,
  sign: actAtTerminal,
  cancel: actAtTerminal,
  'queue-outcome': queueOutcome,
  'record-attempts': (_, { results }) => results,
  'send-again': resendNotifications,
}

/** The events of a command. Pure: reads the ledger, the command and the stamp, and changes nothing. */
export function decide(ledger: Readonly<Ledger>, command: Command, stamp: Stamp): Events {
  if ('input' in command) refuseReused(ledger, command)
  const events = inContext(command, applyRule(command.type, ledger, command, stamp))
  return requireTransitions(ledger, [...events, ...idUsed(ledger, command)])
}

/** What a request opens keeps its trace and a fault's outcome. assumption: trace-context, outcome-order */
function inContext(command: Command, events: Events): Events {
  const { traceparent, injected } = 'input' in command ? command : {}
  if (traceparent === undefined && injected === undefined) return events
  return events.map((event) => {
    if (event.type !== 'opened') return event
    const asks = injected !== undefined && event.instructions?.outcome === undefined
    const instructions = asks && { ...event.instructions, outcome: injected, isInjected: true as const }
    return { ...event, traceparent, ...(instructions && { instructions }) }
  })
}

const applyRule = <T extends Command['type']>(
  type: T,
  ledger: Readonly<Ledger>,
  command: CommandOf<T>,
  stamp: Stamp,
): Events => rules[type](ledger, command, stamp)

/**
 * Sale, auth and forced auth open a transaction on a terminal. docs/api.md#operation-1-1,
 * docs/api.md#operation-1-2, docs/api.md#operation-1-3, docs/api.md#ids-1
 */
function pay(ledger: Ledger, command: Request<'sale' | 'auth' | 'forced-auth'>, stamp: Stamp) {
  const { type, input, outcome, fingerprint } = command
  const money = readMoney(input)
  if (type === 'auth') refuseCashback(money)
  const draft = {
    kind: operations[type].opens,
    money,
    orderId: input.referenceOrderId ?? null,
    instructions: terminalInstructions(input, money.tip, outcome),
    fingerprint,
    timeExpire: input.timeExpire,
  }
  return accept(ledger, input, draft, stamp)
}

/** Resends notifications; an endpoint that never got one gets a new delivery. Duplicates count once. */
function resendNotifications(ledger: Ledger, { what, onlyMissing }: ResendNotifications): Events {
  const numbersByKey = new Map(
    [...ledger.outbox.deliveries.values()].map((delivery) => [deliveryKey(delivery), delivery.number]),
  )
  const once = new Map(what.map((wanted) => [deliveryKey(wanted), wanted]))
  return [...once.values()].flatMap((wanted): Events => {
    const { transactionId } = wanted
    if (!ledger.transactions.has(transactionId))
      reject('SBX_TXN_UNKNOWN', {
        field: 'transactionId',
        message: `There is no transaction ${transactionId}`,
      })
    const number = numbersByKey.get(deliveryKey(wanted))
    if (number === undefined) return [{ type: 'delivery-posted', ...wanted }]
    return onlyMissing ? [] : [{ type: 'delivery-again', number }]
  })
}

const deliveryKey = ({ transactionId, event, ...endpoint }: ResendNotifications['what'][number]): string =>
  `${transactionId} ${event ?? ''} ${endpointKey(endpoint)}`

type Cause = keyof typeof statusChanges

/** The cause of an event in the table of status changes; undefined if it does not change the status. */
const findCause = (event: Event): Cause | undefined => {
  const name = event.type === 'closed' ? event.reason : event.type
  return Object.hasOwn(statusChanges, name) ? (name as Cause) : undefined
}

/**
 * Null for a transaction that is not open yet. Skips the look-up of an id greater than all, which costs 3 µs
 * among many.
 */
const currentStatus = ({ transactions }: Ledger, id: string): Status | null =>
  transactions.isGreaterThanAll(id) ? null : (transactions.get(id)?.status ?? null)

/** Checks the events of `decide` against the table of status changes. */
export function requireTransitions(ledger: Ledger, events: Events): Events {
  let currentId = ''
  let status: Status | null = null
  for (const event of events) {
    const cause = findCause(event)
    if (cause === undefined || !('id' in event)) continue
    if (event.id !== currentId) [currentId, status] = [event.id, currentStatus(ledger, event.id)]
    const { from, to } = statusChanges[cause]
    if (!from.some((allowed) => allowed === status))
      throw new Error(`transaction ${currentId} cannot go from ${status} to ${to} by ${cause}`)
    status = to
  }
  return events
}
