import { rejectField } from '../contract/errors.ts'
import type { ClockReading, Health, SessionView } from '../contract/sandbox/answers.ts'
import { isReachable } from '../contract/sandbox/controls/clock-controls.ts'
import type { AnsweredControl, ControlInput, StreamName } from '../contract/sandbox/controls/controls.ts'
import { faultsFrom } from '../contract/sandbox/webhooks.ts'
import { advance } from '../engine/advance.ts'
import { SandboxClock } from '../engine/clock.ts'
import { type Call, originOf, sharedOriginOf } from '../http/call.ts'
import { documentFor } from '../openapi/document.ts'
import { packageVersion } from '../package-root.ts'
import { streamRequests } from '../request-log/request-stream.ts'
import { listRequests, requestNamed } from '../request-log/request-views.ts'
import { connectionOf, reading, story, storyInFull, summary } from '../views/views.ts'
import { listDeliveries, showWebhook } from '../webhooks/deliveries.ts'
import { applicationHandlers } from './applications.ts'
import { checkpointHandlers, sendExport } from './checkpoints.ts'
import type { ControlContext } from './context/context.ts'
import { keep } from './context/keep-settings.ts'
import { streamEvents } from './event-stream.ts'
import { addFault, changeFaults } from './faults.ts'
import { noteAttempt, notePosition } from './listeners.ts'
import { resendWebhooks, sendEdited } from './resend.ts'
import { startAnew } from './restore.ts'
import { actOnSession, payable, type SessionAction, sessionNamed, sessionView } from './sessions.ts'
import { streamScreens, terminalHandlers } from './terminals.ts'
import { listSessions, listTransactions } from './transactions.ts'
import { waitForWebhooks } from './wait-for-webhooks.ts'
import { holdOf, releaseWebhooks, setHold, takeUnlessHeld } from './webhook-hold.ts'
import { scheduleOf, setOrder } from './webhook-order.ts'

type ControlHandler<N extends AnsweredControl> = (
  context: ControlContext,
  input: ControlInput<N>,
  call: Call,
) => object | Promise<object>

/** One handler for each row of the control table that is answered with an envelope. */
export const controlHandlers: { readonly [N in AnsweredControl]: ControlHandler<N> } = {
  health: ({ startedAt, clock, options }): Health => ({
    status: 'ok',
    version: packageVersion(),
    id: options.id,
    pid: process.pid,
    uptimeMs: clock.wall() - startedAt,
  }),
  connection: (context, _, call) => connectionOf(context, originOf(call)),
  state: summary,
  outcomes: ({ catalogue: { outcomes } }) => ({ outcomes }),
  cards: ({ catalogue: { cards } }) => ({ cards }),
  ...terminalHandlers,
  transactions: listTransactions,
  sessions: (context, wanted, call) => listSessions(context, wanted, sharedOriginOf(call)),
  session: (context, _, call) => {
    const { ledger, transaction } = sessionNamed(context, call.req.param('id') ?? '')
    return sessionView(ledger, transaction, sharedOriginOf(call))
  },
  'pay-session': (context, { card }, call) =>
    actAndShow(context, call, () => ({ type: 'pay-session', card: payable(context.catalogue, card).name })),
  'cancel-session': (context, _, call) => actAndShow(context, call, () => ({ type: 'cancel-session' })),
  webhooks: listDeliveries,
  webhook: (context, _, call) => showWebhook(context, call.req.param('id') ?? ''),
  'resend-webhooks': resendWebhooks,
  'send-webhook': sendEdited,
  'webhook-schedule': scheduleOf,
  'set-webhook-schedule': setOrder,
  'webhook-hold': holdOf,
  'hold-webhooks': setHold,
  'release-webhooks': releaseWebhooks,
  'take-webhook': (context, wanted) => ({
    ...takeUnlessHeld(context, wanted),
    ...context.webhookOrder.current,
  }),
  'report-attempt': noteAttempt,
  'report-position': notePosition,
  'wait-for-webhooks': waitForWebhooks,
  'webhook-faults': ({ faults }) => faults.webhookFaults,
  'set-webhook-faults': async (context, given) => {
    await changeFaults(context, () => {
      context.faults.webhookFaults = faultsFrom(given)
    })
    return context.faults.webhookFaults
  },
  faults: ({ faults }) => ({ faults: faults.list() }),
  'add-fault': addFault,
  'remove-fault': async (context, _, call) => {
    await changeFaults(context, () => context.faults.remove(call.req.param('id') ?? ''))
    return { faults: context.faults.list() }
  },
  'clear-faults': async (context) => {
    await changeFaults(context, () => context.faults.clear())
    return { faults: context.faults.list() }
  },
  transaction: (context, { attempts }, call) => {
    const id = call.req.param('id') ?? ''
    return attempts === 'true' ? storyInFull(context, id) : story(context, id)
  },
  requests: listRequests,
  request: (context, _, call) => requestNamed(context, call.req.param('traceId') ?? ''),
  clock: reading,
  'set-clock': setClock,
  ...applicationHandlers,
  ...checkpointHandlers,
  reset: async (context, { everything }) => {
    if (everything) await startAnew(context)
    else await context.engine.reset(context.emptyState)
    return { status: 'reset' }
  },
}

/** One stream for each of the other rows: server-sent events, or a file. */
export const controlStreams: {
  readonly [N in StreamName]: (context: ControlContext, call: Call) => Response | Promise<Response>
} = {
  export: sendExport,
  openapi: (_, call) => call.json(documentFor(originOf(call))),
  events: streamEvents,
  'terminal-events': streamScreens,
  'request-events': streamRequests,
}

/** Does what the shopper of a session would; resolves to how the session stands then. Errors: Refusal. */
async function actAndShow(
  context: ControlContext,
  call: Call,
  action: () => SessionAction,
): Promise<SessionView> {
  await context.engine.ready()
  const { ledger, transaction } = sessionNamed(context, call.req.param('id') ?? '')
  await actOnSession(context, ledger, transaction, action())
  return sessionView(ledger, transaction, sharedOriginOf(call))
}

/** Moves the clock, once it is written where it will stand; one order after the other. assumption: two-clocks */
function setClock(context: ControlContext, order: ControlInput<'set-clock'>): Promise<ClockReading> {
  return context.clockOrders.run(() => moveClock(context, order))
}

async function moveClock(context: ControlContext, order: ControlInput<'set-clock'>): Promise<ClockReading> {
  const { clock, engine, settings } = context
  const target = new SandboxClock(clock.wall, clock.state)
  const ahead = turn(target, order)
  await keep(context, () => {
    settings.data.clock = target.state
  })
  if (ahead !== null) await advance(context, ahead)
  else clock.follow(target.state)
  engine.clockChanged()
  context.changes.tellAll()
  await engine.written()
  return reading(context)
}

/** Turns a clock as ordered; returns how far it went ahead, null when that was not the order. Errors: C17. */
function turn(clock: SandboxClock, { action, milliseconds, time }: ControlInput<'set-clock'>): number | null {
  switch (action) {
    case 'advance': {
      const ahead = milliseconds ?? rejectField('milliseconds', 'is required to advance')
      if (!isReachable(clock.now() + ahead)) rejectField('milliseconds', 'leads beyond the year 9998')
      clock.set(clock.now() + ahead)
      return ahead
    }
    case 'set':
      clock.set(Date.parse(time ?? rejectField('time', 'is required to set the clock')))
      return null
    case 'freeze':
      clock.freeze()
      return null
    case 'resume':
      clock.resume()
      return null
    case 'reset':
      clock.reset()
      return null
  }
}
