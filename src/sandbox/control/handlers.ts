import type { AnsweredControl, ControlInput, StreamName } from '../../contract/control/controls/controls.ts'
import { rejectField } from '../../contract/errors.ts'
import { documentFor } from '../../contract/openapi/document.ts'
import { baseUrlOf, type Call, idInPath, sharedBaseUrlOf } from '../http/call.ts'
import { listRequests, requestNamed, streamRequests } from '../request-log/request-views.ts'
import {
  merchantAccess,
  processHealth,
  reading,
  sandboxConnection,
  story,
  storyInFull,
  summary,
} from '../views/views.ts'
import { why, whyRequest } from '../views/why.ts'
import { listDeliveries, showWebhook } from '../webhooks/deliveries.ts'
import { accessHandlers, spaceHandlers } from './access-handlers.ts'
import { applicationHandlers } from './applications.ts'
import { addFault, clearFaults, removeFault } from './change-faults.ts'
import type { ControlContext, ControlHandlers } from './control-context.ts'
import { listSessions, listTransactions, possibleNow, sumUpOnline } from './list-transactions.ts'
import { actOnSession, payable, type SessionAction, sessionNamed, sessionView } from './sessions.ts'
import { keepAndReset, keepAndRestore } from './state/keep-state.ts'
import { empty, startAnew } from './state/restore.ts'
import { setClock } from './state/set-clock.ts'
import { restoreSnapshot, sendExport, snapshotHandlers } from './state/snapshot-handlers.ts'
import { stopProcess } from './stop.ts'
import { merchantNamed, streamScreens, terminalHandlers } from './terminals.ts'
import { listen, streamEvents } from './webhooks/listen.ts'
import { resendWebhooks } from './webhooks/resend.ts'
import { sendBody, sendEdited } from './webhooks/send-edited.ts'
import { waitForWebhooks } from './webhooks/wait-for-webhooks.ts'
import { currentSchedule, holdState, releaseWebhooks, setHold, setOrder } from './webhooks/webhook-hold.ts'

/** A handler for each control row that is answered with an envelope. */
export const controlHandlers: ControlHandlers<AnsweredControl> = {
  health: ({ startedAt, clock, options }, _, call) =>
    call.env?.incoming?.forwarded?.node?.health ?? processHealth(options.id, clock.wall() - startedAt),
  connection: (context, { merchantId }, call) => {
    const { health, ...nodeMembers } = call.env?.incoming?.forwarded?.node ?? {}
    const connection = sandboxConnection(context, baseUrlOf(call))
    const asMerchant = merchantId == null ? {} : merchantAccess(context, merchantNamed(context, merchantId))
    return { ...connection, ...asMerchant, ...nodeMembers, ...(health && { id: health.id, pid: health.pid }) }
  },
  state: summary,
  outcomes: ({ catalogue: { outcomes } }) => ({ outcomes }),
  cards: ({ catalogue: { cards } }) => ({ cards }),
  ...terminalHandlers,
  transactions: listTransactions,
  'online-totals': sumUpOnline,
  sessions: listSessions,
  session: (context, _, call) => {
    const { ledger, transaction } = sessionNamed(context, idInPath(call))
    return sessionView(ledger, transaction, sharedBaseUrlOf(call))
  },
  'pay-session': (context, { card }, call) =>
    actAndShow(context, call, () => ({ type: 'pay-session', card: payable(context.catalogue, card).name })),
  'cancel-session': (context, _, call) => actAndShow(context, call, () => ({ type: 'cancel-session' })),
  webhooks: listDeliveries,
  webhook: (context, _, call) => showWebhook(context, idInPath(call)),
  'resend-webhooks': resendWebhooks,
  'send-webhook': sendEdited,
  'send-webhook-body': (context, wanted, call) => sendBody(context, idInPath(call), wanted),
  'webhook-schedule': currentSchedule,
  'set-webhook-schedule': setOrder,
  'webhook-hold': holdState,
  'hold-webhooks': setHold,
  'release-webhooks': releaseWebhooks,
  'report-attempt': ({ handedDeliveries }, reported) => ({
    status: handedDeliveries.report(reported) ? 'kept' : 'over',
  }),
  'wait-for-webhooks': waitForWebhooks,
  faults: ({ faults }) => ({ faults: faults.list() }),
  'add-fault': addFault,
  'remove-fault': async (context, _, call) => {
    await removeFault(context, idInPath(call))
    return { faults: context.faults.list() }
  },
  'clear-faults': async (context) => {
    await clearFaults(context)
    return { faults: context.faults.list() }
  },
  transaction: async (context, { attempts }, call) => {
    const id = idInPath(call)
    const now = possibleNow(context, id)
    return attempts === 'true'
      ? { ...(await storyInFull(context, id)), ...now }
      : { ...story(context, id), ...now }
  },
  coverage: async ({ coverage, engine }) => {
    await coverage.prove(engine.state)
    return coverage.report(engine.state)
  },
  requests: listRequests,
  request: (context, _, call) => requestNamed(context, call.req.param('traceId') ?? ''),
  'request-why': (context, _, call) => whyRequest(context, call.req.param('traceId') ?? ''),
  why: (context, { about }) => why(context, about),
  clock: reading,
  'set-clock': setClock,
  ...applicationHandlers,
  ...snapshotHandlers,
  ...spaceHandlers,
  ...accessHandlers,
  'restore-snapshot': (context, { keep }, call) =>
    (keep ? keepAndRestore : restoreSnapshot)(context, call.req.param('name') ?? ''),
  reset: async (context, { everything, keep }) => {
    if (keep && everything) rejectField('keep', 'does not go with everything: save a snapshot, then reset')
    await context.coverage.prove(context.engine.state)
    if (keep) return { status: 'reset', kept: (await keepAndReset(context))?.name ?? null }
    if (everything) await startAnew(context)
    else await empty(context)
    return { status: 'reset' }
  },
  stop: ({ options }, _, call) =>
    stopProcess(call.env?.incoming?.forwarded === undefined ? options.runs : 'elsewhere'),
}

/** A handler for each of the other rows, which send a stream of events or a file. */
export const controlStreams: {
  readonly [N in StreamName]: (
    context: ControlContext,
    call: Call,
    input: ControlInput<N>,
  ) => Response | Promise<Response>
} = {
  export: sendExport,
  openapi: (_, call) => call.json(documentFor(baseUrlOf(call))),
  events: streamEvents,
  listen: (context, call, wanted) => listen(context, wanted, call),
  'terminal-events': streamScreens,
  'request-events': streamRequests,
}

/** Performs the action of a shopper; resolves to the new state of the session. */
async function actAndShow(context: ControlContext, call: Call, action: () => SessionAction) {
  await context.engine.ready()
  const { ledger, transaction } = sessionNamed(context, idInPath(call))
  await actOnSession(context, ledger, transaction, action())
  return sessionView(ledger, transaction, sharedBaseUrlOf(call))
}
