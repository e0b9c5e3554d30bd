import { Refusal, reject } from '../contract/errors.ts'
import type { ControlInput } from '../contract/sandbox/controls.ts'
import type { ActAnswer, ScreenView } from '../contract/sandbox/screens.ts'
import type { TerminalAction } from '../domain/model/commands.ts'
import type { Ledger, Terminal } from '../domain/model/ledger.ts'
import { plainTerminal } from '../domain/model/ledger.ts'
import { refuseUnknownTerminal } from '../domain/rules/terminal/refuse-at.ts'
import { ledgerOf, profileOf } from '../domain/state.ts'
import type { TerminalProfile } from '../fixtures.ts'
import type { Call } from '../http/call.ts'
import { type LiveStreams, streamLatest } from '../http/live-stream.ts'
import { receiptOf } from '../records/receipt.ts'
import { resultEnds, screenView, shownTransaction } from '../records/screen.ts'
import { terminalsOf, transactionNamed } from '../views/views.ts'
import type { ControlContext } from './context.ts'

/** What the terminals' part of the control interface needs. */
export type TerminalContext = Pick<ControlContext, 'engine' | 'clock' | 'directory'>

/** The terminal of a path. */
export interface FoundTerminal {
  readonly ledger: Ledger
  readonly terminal: Terminal
}

/** Errors: SBX_UNREGISTERED. */
export function terminalNamed(
  { engine }: Pick<TerminalContext, 'engine'>,
  terminalSn: string,
): FoundTerminal {
  for (const ledger of engine.state.ledgers.values()) {
    const terminal = ledger.terminals.get(terminalSn)
    if (terminal !== undefined) return { ledger, terminal }
  }
  return refuseUnknownTerminal(terminalSn)
}

/** What a terminal shows now. Errors: SBX_UNREGISTERED. */
export function screenNamed(context: TerminalContext, terminalSn: string): ScreenView {
  const { ledger, terminal } = terminalNamed(context, terminalSn)
  const { dbaName } = profileOf(context.engine.state, ledger.settings.merchantId).details
  return screenView(ledger, terminal, dbaName, context.clock.now())
}

/** What a terminal shows now; null when another state took the place of its own. */
function screenIfThere(context: TerminalContext, terminalSn: string): ScreenView | null {
  try {
    return screenNamed(context, terminalSn)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Does at a terminal what a person would; resolves to what it shows then, and what it ended. Errors: a Refusal. */
async function act<T extends TerminalAction>(context: TerminalContext, command: T): Promise<ActAnswer> {
  await context.engine.ready()
  const { ledger, terminal } = terminalNamed(context, command.terminalSn)
  const acted = ledger.transactions.get(terminal.line[0] ?? '')
  const { ended } = await context.engine.run(ledger, command, undefined, () => ({
    ended: acted === undefined || terminal.line[0] === acted.id ? null : shownTransaction(acted),
  }))
  return { ended, ...screenNamed(context, command.terminalSn) }
}

const serialOf = (call: Call): string => call.req.param('sn') ?? ''
const meant = ({ transactionId }: { transactionId?: string | null | undefined }) => ({
  transactionId: transactionId ?? undefined,
})

/** Handlers of the rows of the control table that are about terminals. */
export const terminalHandlers = {
  terminals: ({ engine, clock }: TerminalContext) => ({
    terminals: [...engine.state.ledgers.values()].flatMap((ledger) => terminalsOf(ledger, clock.now())),
  }),
  'add-terminal': async (context: TerminalContext, input: ControlInput<'add-terminal'>) => {
    await context.engine.ready()
    const application = context.directory.defaultApplication
    const ledger = ledgerOf(
      context.engine.state,
      application.appId,
      application.merchants[0]?.merchantId ?? '',
    )
    for (const other of context.engine.state.ledgers.values())
      if (other !== ledger && other.terminals.has(input.terminalSn))
        reject('SBX_OTHER_OWNER', {
          field: 'terminalSn',
          detail: `${input.terminalSn} belongs to the merchant ${other.settings.merchantId}`,
        })
    const given = Object.entries(input).filter(([, value]) => value != null)
    const summary = 'set up by hand'
    const profile: TerminalProfile = {
      ...plainTerminal(input.terminalSn),
      summary,
      ...Object.fromEntries(given),
    }
    return context.engine.run(
      ledger,
      { type: 'add-terminal', profile },
      undefined,
      () => terminalsOf(ledger, context.clock.now(), input.terminalSn)[0] ?? {},
    )
  },
  'set-terminal': async (context: TerminalContext, input: ControlInput<'set-terminal'>, call: Call) => {
    await context.engine.ready()
    const { ledger, terminal } = terminalNamed(context, serialOf(call))
    const { terminalSn } = terminal
    return context.engine.run(
      ledger,
      { type: 'set-terminal', terminalSn, changes: input },
      undefined,
      () => terminalsOf(ledger, context.clock.now(), terminalSn)[0] ?? {},
    )
  },
  'queue-outcome': async (context: TerminalContext, input: ControlInput<'queue-outcome'>, call: Call) => {
    await context.engine.ready()
    const { ledger, terminal } = terminalNamed(context, serialOf(call))
    const { terminalSn } = terminal
    return context.engine.run(
      ledger,
      { type: 'queue-outcome', terminalSn, outcome: input.outcome, times: input.times ?? 1 },
      undefined,
      () => terminalsOf(ledger, context.clock.now(), terminalSn)[0] ?? {},
    )
  },
  screen: (context: TerminalContext, _: object, call: Call) => screenNamed(context, serialOf(call)),
  'present-card': (context: TerminalContext, input: ControlInput<'present-card'>, call: Call) =>
    act(context, {
      type: 'present-card',
      terminalSn: serialOf(call),
      card: input.card,
      entry: input.entry ?? undefined,
      outcome: input.outcome ?? undefined,
      ...meant(input),
    }),
  'choose-tip': (context: TerminalContext, input: ControlInput<'choose-tip'>, call: Call) =>
    act(context, {
      type: 'choose-tip',
      terminalSn: serialOf(call),
      tipAmount: input.tipAmount,
      ...meant(input),
    }),
  'enter-pin': (context: TerminalContext, input: ControlInput<'enter-pin'>, call: Call) =>
    act(context, {
      type: 'enter-pin',
      terminalSn: serialOf(call),
      correct: input.correct ?? true,
      ...meant(input),
    }),
  sign: (context: TerminalContext, input: ControlInput<'sign'>, call: Call) =>
    act(context, { type: 'sign', terminalSn: serialOf(call), ...meant(input) }),
  'cancel-at-terminal': (context: TerminalContext, input: ControlInput<'cancel-at-terminal'>, call: Call) =>
    act(context, { type: 'cancel', terminalSn: serialOf(call), ...meant(input) }),
  receipt: ({ engine }: TerminalContext, _: object, call: Call) => {
    const { ledger, transaction } = transactionNamed(engine.state.ledgers, call.req.param('id') ?? '')
    return receiptOf(ledger, transaction, profileOf(engine.state, ledger.settings.merchantId))
  },
}

/** Streams the screens of a terminal. Errors: SBX_UNREGISTERED. */
export function streamScreens(context: LiveStreams & TerminalContext, call: Call): Response {
  const terminalSn = serialOf(call)
  terminalNamed(context, terminalSn)
  return streamLatest(context, call, {
    topics: [`terminal ${terminalSn}`],
    show: () => {
      const screen = screenIfThere(context, terminalSn)
      return screen === null ? 'over' : { event: 'screen', data: JSON.stringify(screen) }
    },
    again: () => {
      const screen = screenIfThere(context, terminalSn)
      return screen === null ? null : resultEnds(screen)
    },
  })
}
