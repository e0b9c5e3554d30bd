import {
  type ClockReading,
  type ControlInput,
  type ControlName,
  type Health,
  isReachable,
} from '../api/controls.ts'
import { reject, rejectField } from '../api/errors.ts'
import type { Ledger } from '../domain/ledger.ts'
import { outcomes, type TerminalProfile } from '../fixtures.ts'
import { packageVersion } from '../package-root.ts'
import type { Call } from './guard.ts'
import type { Sandbox } from './sandbox.ts'
import { connectionOf, defaultApplication, reading, story, summary, terminalsOf } from './views.ts'

type ControlHandler<N extends ControlName> = (
  sandbox: Sandbox,
  input: ControlInput<N>,
  call: Call,
) => object | Promise<object>

/** How long an old key stays valid when nobody says otherwise. assumption: key-grace */
const defaultGrace = 24 * 3_600_000

/** One handler for each row of the control table. */
export const controlHandlers: { readonly [N in ControlName]: ControlHandler<N> } = {
  health: ({ startedAt, clock }): Health => ({
    status: 'ok',
    version: packageVersion(),
    pid: process.pid,
    uptimeMs: clock.wall() - startedAt,
  }),
  connection: (sandbox, _, call) => connectionOf(sandbox, new URL(call.req.url).origin),
  state: summary,
  outcomes: () => ({ outcomes }),
  terminals: ({ engine }) => ({
    terminals: [...engine.book.ledgers.values()].flatMap((ledger) => terminalsOf(ledger)),
  }),
  'set-terminal': async ({ engine }, input, call) => {
    const { ledger, terminalSn } = terminalOf(engine.book.ledgers, call)
    const changes = Object.fromEntries(
      Object.entries(input).filter(([, value]) => value != null),
    ) as Partial<TerminalProfile>
    await engine.ready()
    return engine.run(
      ledger,
      { type: 'set-terminal', terminalSn, changes },
      undefined,
      () => terminalsOf(ledger, terminalSn)[0] ?? {},
    )
  },
  'queue-outcome': async ({ engine }, { outcome, times }, call) => {
    const { ledger, terminalSn } = terminalOf(engine.book.ledgers, call)
    const command = { type: 'queue-outcome', terminalSn, outcome, times: times ?? 1 } as const
    await engine.ready()
    return engine.run(ledger, command, undefined, () => terminalsOf(ledger, terminalSn)[0] ?? {})
  },
  transaction: ({ engine }, _, call) => story(engine.book.ledgers, call.req.param('id') ?? ''),
  requests: ({ log }) => ({ requests: log.list() }),
  clock: reading,
  'set-clock': setClock,
  'allow-list': (sandbox) => ({ addresses: sandbox.directory.allowListOf(defaultApplication(sandbox)) }),
  'set-allow-list': async (sandbox, { addresses }) => {
    sandbox.directory.setAllowList(defaultApplication(sandbox), addresses)
    await sandbox.settings.write()
    return { addresses }
  },
  'regenerate-key': async (sandbox, { graceMs }) => {
    const { directory, settings, clock } = sandbox
    const apiKey = directory.regenerateKey(defaultApplication(sandbox), graceMs ?? defaultGrace, clock.wall())
    await settings.write()
    return { apiKey }
  },
  reset: async ({ engine, emptyBook }) => {
    await engine.reset(emptyBook())
    return { status: 'reset' }
  },
}

function terminalOf(
  ledgers: ReadonlyMap<string, Ledger>,
  call: Call,
): { ledger: Ledger; terminalSn: string } {
  const terminalSn = call.req.param('sn') ?? ''
  for (const ledger of ledgers.values()) if (ledger.terminals.has(terminalSn)) return { ledger, terminalSn }
  return reject('SBX_UNREGISTERED', { field: 'terminalSn', detail: `there is no terminal ${terminalSn}` })
}

/** assumption: two-clocks */
async function setClock(
  sandbox: Sandbox,
  { action, milliseconds, time }: ControlInput<'set-clock'>,
): Promise<ClockReading> {
  const { clock, engine, settings } = sandbox
  switch (action) {
    case 'advance':
      await engine.advance(
        reachable(clock.now(), milliseconds ?? rejectField('milliseconds', 'is required to advance')),
      )
      break
    case 'set':
      clock.set(Date.parse(time ?? rejectField('time', 'is required to set the clock')))
      break
    case 'freeze':
      clock.freeze()
      break
    case 'resume':
      clock.resume()
      break
    case 'reset':
      clock.reset()
      break
  }
  engine.clockChanged()
  await engine.durable()
  settings.data.clock = clock.state
  await settings.write()
  return reading(sandbox)
}

/** Errors: C17 when the clock would leave the years it can show. */
function reachable(now: number, milliseconds: number): number {
  if (!isReachable(now + milliseconds)) rejectField('milliseconds', 'leads beyond the year 9998')
  return milliseconds
}
