import { reject, rejectField } from '../contract/errors.ts'
import type { ClockReading, Health } from '../contract/sandbox/answers.ts'
import {
  type AnsweredControl,
  type ControlInput,
  isReachable,
  type StreamName,
} from '../contract/sandbox/controls.ts'
import { advance } from '../engine/advance.ts'
import { SandboxClock } from '../engine/clock.ts'
import { outcomes } from '../fixtures.ts'
import { type Call, originOf } from '../http/call.ts'
import { packageVersion } from '../package-root.ts'
import { streamRequests } from '../request-log/request-stream.ts'
import { listRequests, requestNamed } from '../request-log/request-views.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { connectionOf, defaultApplication, reading, story, storyInFull, summary } from '../views/views.ts'
import { listDeliveries, showWebhook } from '../webhooks/deliveries.ts'
import { faultsFrom } from '../webhooks/faults.ts'
import { rotateSecret, secretsOf } from '../webhooks/secrets.ts'
import { streamEvents } from './event-stream.ts'
import { resendWebhooks, sendEdited } from './resend.ts'
import { cancelSession, payable, paySession, sessionNamed, sessionView } from './sessions.ts'
import { streamScreens, terminalHandlers } from './terminals.ts'

type ControlHandler<N extends AnsweredControl> = (
  sandbox: Sandbox,
  input: ControlInput<N>,
  call: Call,
) => object | Promise<object>

/** How long an old key stays valid when nobody says otherwise. assumption: key-grace */
const defaultGrace = 24 * 3_600_000

/** One handler for each row of the control table that is answered with an envelope. */
export const controlHandlers: { readonly [N in AnsweredControl]: ControlHandler<N> } = {
  health: ({ startedAt, clock, options }): Health => ({
    status: 'ok',
    version: packageVersion(),
    id: options.id,
    pid: process.pid,
    uptimeMs: clock.wall() - startedAt,
  }),
  connection: (sandbox, _, call) => connectionOf(sandbox, originOf(call)),
  state: summary,
  outcomes: () => ({ outcomes }),
  ...terminalHandlers,
  session: (sandbox, _, call) => {
    const { ledger, transaction } = sessionNamed(sandbox, call.req.param('id') ?? '')
    return sessionView(ledger, transaction)
  },
  'pay-session': async (sandbox, { card }, call) => {
    await sandbox.engine.ready()
    const { ledger, transaction } = sessionNamed(sandbox, call.req.param('id') ?? '')
    await paySession(sandbox, ledger, transaction, payable(card))
    return sessionView(ledger, transaction)
  },
  'cancel-session': async (sandbox, _, call) => {
    await sandbox.engine.ready()
    const { ledger, transaction } = sessionNamed(sandbox, call.req.param('id') ?? '')
    await cancelSession(sandbox, ledger, transaction)
    return sessionView(ledger, transaction)
  },
  webhooks: listDeliveries,
  webhook: (sandbox, _, call) => showWebhook(sandbox, call.req.param('id') ?? ''),
  'resend-webhooks': resendWebhooks,
  'send-webhook': sendEdited,
  'webhook-secret': (sandbox) => {
    const { current, previous } = secretsOf(sandbox.settings.data, defaultApplication(sandbox))
    const { signature, signatureEncoding } = sandbox.options
    return { secret: current, previous: previous ?? null, signature, signatureEncoding }
  },
  'rotate-webhook-secret': async (sandbox, { graceMs }) => {
    const { settings, clock } = sandbox
    const application = defaultApplication(sandbox)
    const rotate = () => rotateSecret(settings.data, application, graceMs ?? defaultGrace, clock.wall())
    return { secret: await keep(sandbox, rotate) }
  },
  'webhook-faults': ({ settings }) => settings.data.faults,
  'set-webhook-faults': async (sandbox, given) => {
    const { settings, courier, changes } = sandbox
    await keep(sandbox, () => {
      settings.data.faults = faultsFrom(given)
    })
    courier.rearm()
    changes.tell('webhooks')
    return settings.data.faults
  },
  transaction: (sandbox, { attempts }, call) => {
    const id = call.req.param('id') ?? ''
    return attempts === 'true' ? storyInFull(sandbox, id) : story(sandbox.engine.state.ledgers, id)
  },
  requests: listRequests,
  request: (sandbox, _, call) => requestNamed(sandbox, call.req.param('traceId') ?? ''),
  clock: reading,
  'set-clock': setClock,
  'allow-list': (sandbox) => ({ addresses: sandbox.directory.allowListOf(defaultApplication(sandbox)) }),
  'set-allow-list': async (sandbox, { addresses }) => {
    await keep(sandbox, () => sandbox.directory.setAllowList(defaultApplication(sandbox), addresses))
    return { addresses }
  },
  'regenerate-key': async (sandbox, { graceMs }) => {
    const { directory, clock } = sandbox
    const application = defaultApplication(sandbox)
    const make = () => directory.regenerateKey(application, graceMs ?? defaultGrace, clock.wall())
    return { apiKey: await keep(sandbox, make) }
  },
  reset: async ({ engine, emptyState }) => {
    await engine.reset(emptyState)
    return { status: 'reset' }
  },
}

/** One stream of server-sent events for each of the other rows. */
export const controlStreams: { readonly [N in StreamName]: (sandbox: Sandbox, call: Call) => Response } = {
  events: streamEvents,
  'terminal-events': streamScreens,
  'request-events': streamRequests,
}

/** Changes the settings and writes them; when that fails, they are as before. Errors: SBX_STORE_FAIL. */
async function keep<T>({ settings, directory }: Sandbox, change: () => T): Promise<T> {
  const before = structuredClone(settings.data)
  const result = change()
  try {
    await settings.write()
    return result
  } catch (error) {
    Object.assign(settings.data, before)
    directory.reload()
    return reject('SBX_STORE_FAIL', { detail: (error as Error).message })
  }
}

/** Moves the clock, once it is written where it will stand; one order after the other. assumption: two-clocks */
function setClock(sandbox: Sandbox, order: ControlInput<'set-clock'>): Promise<ClockReading> {
  return sandbox.clockOrders.run(() => moveClock(sandbox, order))
}

async function moveClock(sandbox: Sandbox, order: ControlInput<'set-clock'>): Promise<ClockReading> {
  const { clock, engine, settings } = sandbox
  const target = new SandboxClock(clock.wall, clock.state)
  const ahead = turn(target, order)
  await keep(sandbox, () => {
    settings.data.clock = target.state
  })
  if (ahead !== null) await advance(sandbox, ahead)
  else clock.follow(target.state)
  engine.clockChanged()
  sandbox.changes.tellAll()
  await engine.written()
  return reading(sandbox)
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
