import type { TerminalView } from '../../contract/control/control-answers.ts'
import type { AnsweredControl } from '../../contract/control/controls/controls.ts'
import type { terminalControls } from '../../contract/control/controls/terminal-controls.ts'
import type { ActAnswer, ScreenView } from '../../contract/control/screens.ts'
import { Refusal, reject, rejectField } from '../../contract/errors.ts'
import type {
  AddTerminal,
  Command,
  QueueOutcome,
  SetTerminal,
  TerminalAction,
  UnpairTerminal,
} from '../../domain/model/commands.ts'
import {
  type Ledger,
  plainTerminal,
  type Terminal,
  type UnpairedTerminal,
} from '../../domain/model/ledger.ts'
import { refuseUnknownTerminal, refuseUnpaired } from '../../domain/rules/terminal/refuse-at.ts'
import { ledgerOf, merchantProfileOf } from '../../domain/state.ts'
import { unpairedIn, unpairedNamed, usedCode } from '../../domain/unpaired-terminals.ts'
import { command } from '../../shared/text/commands.ts'
import type { EngineReader } from '../engine/engine.ts'
import { newPairingCode, type ReadableClock } from '../engine/identifiers.ts'
import { type Call, idInPath } from '../http/call.ts'
import { streamLatest } from '../http/live-stream.ts'
import { receiptOf } from '../records/receipt.ts'
import { pairingView, resultEnds, screenView, shownTransaction } from '../records/screen-view.ts'
import { terminalViews, transactionNamed, unpairedView } from '../views/views.ts'
import { type NamedApplication, rejectMerchant, requireApplication, requireFree } from './applications.ts'
import type { ControlContext, ControlHandlers } from './control-context.ts'

/** Context for reading terminals. */
export interface ScreenContext {
  readonly engine: Pick<EngineReader, 'state'>
  readonly clock: ReadableClock
}

/** The terminal with that serial number, and its ledger. */
export function terminalNamed(
  { engine }: Pick<ScreenContext, 'engine'>,
  terminalSn: string,
): { readonly ledger: Ledger; readonly terminal: Terminal } {
  for (const ledger of engine.state.ledgers.values()) {
    const terminal = ledger.terminals.get(terminalSn)
    if (terminal !== undefined) return { ledger, terminal }
  }
  const isUnpaired = unpairedNamed(engine.state.ledgers, terminalSn) !== undefined
  return isUnpaired ? refuseUnpaired(terminalSn) : refuseUnknownTerminal(terminalSn)
}

/** True for an existing terminal, paired or not; a reset or another state may have removed it. */
export const isThere = ({ engine: { state } }: Pick<ScreenContext, 'engine'>, terminalSn: string): boolean =>
  unpairedNamed(state.ledgers, terminalSn) !== undefined ||
  [...state.ledgers.values()].some(({ terminals }) => terminals.has(terminalSn))

/** The screen of a terminal. */
export function screenNamed(context: ScreenContext, terminalSn: string): ScreenView {
  const waiting = unpairedNamed(context.engine.state.ledgers, terminalSn)
  if (waiting !== undefined) return pairingView(waiting.unpaired, context.clock.now())
  const { ledger, terminal } = terminalNamed(context, terminalSn)
  const { dbaName } = merchantProfileOf(context.engine.state, ledger.settings.merchantId).details
  return screenView(ledger, terminal, dbaName, context.clock.now())
}

/** The screen of a terminal; null when the state no longer has it. */
function screenIfThere(context: ScreenContext, terminalSn: string): ScreenView | null {
  try {
    return screenNamed(context, terminalSn)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/**
 * Performs an action of a person at a terminal; resolves to the new screen, and to the payment that the
 * action ended.
 */
async function act<T extends TerminalAction>(context: ControlContext, command: T): Promise<ActAnswer> {
  await context.engine.ready()
  const { ledger, terminal } = terminalNamed(context, command.terminalSn)
  const acted = ledger.transactions.get(terminal.line[0] ?? '')
  const ended = await context.engine.run(ledger, command, () =>
    acted === undefined || terminal.line[0] === acted.id ? null : shownTransaction(acted),
  )
  return { ended, ...screenNamed(context, command.terminalSn) }
}

/** Changes a terminal; resolves to its new view. */
async function changeTerminal(context: ControlContext, command: SetTerminal | QueueOutcome) {
  await context.engine.ready()
  return runAndList(context, terminalNamed(context, command.terminalSn).ledger, command, command.terminalSn)
}

/** Queues an outcome for a terminal's next transactions; `times` 0 clears the queue. */
export const queueOutcomeAt = (
  context: ControlContext,
  terminalSn: string,
  outcome: string,
  times: number,
): Promise<TerminalView> => changeTerminal(context, { type: 'queue-outcome', terminalSn, outcome, times })

const runAndList = (
  { engine, clock }: ControlContext,
  ledger: Ledger,
  command: Command,
  terminalSn: string,
): Promise<TerminalView> =>
  engine.run(
    ledger,
    command,
    () => terminalViews(ledger, clock.now(), terminalSn)[0] ?? refuseUnknownTerminal(terminalSn),
  )

/** The serial number that the path of a call names. */
export const serialInPath = (call: Call): string => call.req.param('sn') ?? ''

/** The target of an action: the terminal in the path, and the transaction that it must show, if given. */
const actionTarget = (
  call: Call,
  { transactionId }: { readonly transactionId?: string | null | undefined },
) => ({
  terminalSn: serialInPath(call),
  transactionId: transactionId ?? undefined,
})

export type TerminalControl = Extract<AnsweredControl, keyof typeof terminalControls>

/** The ledger of the named merchant, or of the application's first one. */
function ledgerFor(context: ControlContext, named: NamedApplication, call: Call): Ledger {
  const { state } = context.engine
  const { appId, merchants } = requireApplication(context, named, call)
  const merchantId = named.merchantId ?? merchants[0]?.merchantId
  if (merchantId === undefined)
    return rejectField('merchantId', `is required: the application ${appId} has no merchant yet`)
  return ledgerOf(state, appId, merchantId)
}

/** The ledger of that merchant. */
export function merchantNamed({ engine }: Pick<ScreenContext, 'engine'>, merchantId: string): Ledger {
  return engine.state.ledgers.get(merchantId) ?? rejectMerchant(merchantId, engine.state)
}

/** Handlers of the control table's rows for terminals. */
export const terminalHandlers: ControlHandlers<TerminalControl> = {
  terminals: ({ engine, clock }) => ({
    terminals: [
      ...[...engine.state.ledgers.values()].flatMap((ledger) => terminalViews(ledger, clock.now())),
      ...unpairedIn(engine.state.ledgers).map(unpairedView),
    ],
  }),
  'add-terminal': async (context, { merchantId, appId, unpaired, ...input }, call) => {
    const { engine } = context
    await engine.ready()
    if (unpaired === true && merchantId != null)
      rejectField('merchantId', 'must not be sent for a terminal that is not paired')
    const ledger = ledgerFor(context, { merchantId, appId }, call)
    const { terminalSn } = input
    requireFree(engine, terminalSn, ledger)
    const settings = Object.fromEntries(Object.entries(input).filter(([, value]) => value != null))
    const profile = { ...plainTerminal(terminalSn), summary: 'added to this sandbox', ...settings }
    return unpaired === true
      ? runUnpaired(context, ledger, terminalSn, { type: 'add-terminal', profile })
      : runAndList(context, ledger, { type: 'add-terminal', profile }, terminalSn)
  },
  'unpair-terminal': async (context, _, call) => {
    await context.engine.ready()
    const terminalSn = serialInPath(call)
    const { ledger } = terminalNamed(context, terminalSn)
    return runUnpaired(context, ledger, terminalSn, { type: 'unpair-terminal', terminalSn })
  },
  'pair-terminal': async (context, { code: typed, label, ...named }, call) => {
    await context.engine.ready()
    const ledger = ledgerFor(context, named, call)
    const code = typed.toUpperCase().replace(/[\s-]/g, '')
    const { profile: shown } = terminalShowing(context.engine, code)
    const profile = { ...shown, ...(label != null && { label }) }
    return runAndList(context, ledger, { type: 'pair-terminal', profile, code }, shown.terminalSn)
  },
  'set-terminal': (context, changes, call) =>
    changeTerminal(context, { type: 'set-terminal', terminalSn: serialInPath(call), changes }),
  'remove-terminal': async (context, _, call) => {
    await context.engine.ready()
    const terminalSn = serialInPath(call)
    const home = unpairedNamed(context.engine.state.ledgers, terminalSn)?.home
    const ledger = home ?? terminalNamed(context, terminalSn).ledger
    return context.engine.run(ledger, { type: 'remove-terminal', terminalSn }, () => ({
      terminalSn,
      status: 'removed',
    }))
  },
  'queue-outcome': (context, { outcome, times }, call) =>
    queueOutcomeAt(context, serialInPath(call), outcome, times ?? 1),
  screen: (context, _, call) => screenNamed(context, serialInPath(call)),
  'present-card': (context, input, call) =>
    act(context, {
      type: 'present-card',
      ...actionTarget(call, input),
      card: input.card,
      entry: input.entry ?? undefined,
      outcome: input.outcome ?? undefined,
    }),
  'choose-tip': (context, input, call) =>
    act(context, { type: 'choose-tip', ...actionTarget(call, input), tipAmount: input.tipAmount }),
  'enter-pin': (context, input, call) =>
    act(context, { type: 'enter-pin', ...actionTarget(call, input), correct: input.correct ?? true }),
  sign: (context, input, call) => act(context, { type: 'sign', ...actionTarget(call, input) }),
  'cancel-at-terminal': (context, input, call) =>
    act(context, { type: 'cancel', ...actionTarget(call, input) }),
  receipt: ({ engine }, _, call) => {
    const { ledger, transaction } = transactionNamed(engine.state.ledgers, idInPath(call))
    return receiptOf(ledger, transaction, merchantProfileOf(engine.state, ledger.settings.merchantId))
  },
}

/** Streams the screens of a terminal. */
export function streamScreens(context: ControlContext, call: Call): Response {
  const terminalSn = serialInPath(call)
  screenNamed(context, terminalSn)
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

/** Terminals without a merchant: added or made unpaired, until their code is entered. assumption: pairing */

/** A code that no terminal of the sandbox has or ever had. */
function freeCode({ state }: Pick<EngineReader, 'state'>): string {
  const shown = new Set(unpairedIn(state.ledgers).map(({ code }) => code))
  return newPairingCode((code) => shown.has(code) || usedCode(state.ledgers, code) !== undefined)
}

/** Runs the command with a free code; resolves to the listed terminal. `home`: the ledger that stores it. */
const runUnpaired = (
  { engine }: ControlContext,
  home: Ledger,
  terminalSn: string,
  command: Omit<AddTerminal, 'code'> | Omit<UnpairTerminal, 'code'>,
): Promise<TerminalView> =>
  engine.run(home, { ...command, code: freeCode(engine) }, () => {
    const found = home.unpaired.get(terminalSn)
    return found === undefined ? refuseUnpaired(terminalSn) : unpairedView(found)
  })

/** Errors: SBX_UNREGISTERED for a code that no terminal shows, SBX_TERM_EXISTS for a used code. */
function terminalShowing({ state }: Pick<EngineReader, 'state'>, code: string): UnpairedTerminal {
  const shown = unpairedIn(state.ledgers).find((each) => each.code === code)
  if (shown !== undefined) return shown
  const used = usedCode(state.ledgers, code)
  const field = 'code'
  if (used === undefined)
    return reject('SBX_UNREGISTERED', {
      field,
      message: `No terminal shows the pairing code ${code}`,
      remedy:
        'See which terminals are not paired: `tillbox terminal list`; the code of one: `tillbox terminal show <serial>`',
    })
  const { terminalSn, merchantId } = used
  return reject('SBX_TERM_EXISTS', {
    field,
    message: 'The pairing code was used already',
    detail: `${code} paired ${terminalSn} with the merchant ${merchantId}`,
    remedy: `See the terminals: ${command('terminal list')}. A new code: ${command('terminal unpair', terminalSn)}`,
  })
}
