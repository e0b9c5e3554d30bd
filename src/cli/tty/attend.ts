import { type Connected, reconnecting } from '../../client/reconnect.ts'
import type { AnsweredControl } from '../../contract/sandbox/controls/controls.ts'
import type { Receipt } from '../../contract/sandbox/receipts.ts'
import type { ScreenView } from '../../contract/sandbox/screens.ts'
import { failureOf } from '../errors/failure.ts'
import type { Theme } from '../output/theme.ts'
import {
  type AttendState,
  asksAnew,
  initialState,
  loseSandbox,
  releaseKeys,
  shownTransactionId,
  showView,
} from './attend-state.ts'
import { openFullScreen, type Streams } from './full-screen.ts'
import type { Key } from './key-input.ts'
import { type KeyAction, press } from './key-presses.ts'
import { drawWindow, pageOf } from './window.ts'

/** The terminal at the other end. */
export interface TerminalConnection {
  /** Outcomes that the sandbox knows, by name. */
  readonly outcomes: readonly string[]
  /**
   * Streams the screen, immediately and after each change, until the sandbox is unreachable. Errors: when it cannot be
   * reached; a refusal.
   */
  readonly screens: (signal: AbortSignal) => AsyncIterable<ScreenView>
  readonly act: (name: AnsweredControl, members: Readonly<Record<string, unknown>>) => Promise<unknown>
  /** Starts a sale, in minor units. Errors: a refusal; when it cannot be reached. */
  readonly sell: (amount: number, currency: string) => Promise<unknown>
  readonly print: (transactionId: string) => Promise<Receipt>
}

/**
 * Shows a terminal in the window and acts on keys, until the user quits or `ending` aborts, over restarts of the sandbox
 * too. It always restores the window. Errors: those of the stream except a lost connection, such as a terminal that no
 * longer exists; those of an action that `failureOf` does not know. `holdTime`: milliseconds for which keys wait after
 * another transaction came.
 */
export async function attend(
  terminal: TerminalConnection,
  first: ScreenView,
  streams: Streams,
  theme: Theme,
  ending: AbortSignal,
  holdTime = 1_000,
): Promise<void> {
  const leaving = new AbortController()
  const signal = AbortSignal.any([ending, leaving.signal])
  let state = initialState(first, terminal.outcomes)
  let failed: unknown
  const show = () => screen.show(drawWindow(state, screen.size()))
  let held: NodeJS.Timeout | undefined
  const become = (next: AttendState) => {
    if (next.held && shownTransactionId(next.view) !== shownTransactionId(state.view)) {
      clearTimeout(held)
      held = setTimeout(() => become(releaseKeys(state)), holdTime)
    }
    state = next
    show()
  }
  const crash = (error: unknown) => {
    failed ??= error
    leaving.abort()
  }
  const type = (key: Key) => {
    const { state: next, act } = press(state, key, pageOf(state, screen.size()))
    become(next)
    if (act?.do === 'leave') leaving.abort()
    else if (act !== undefined) carryOut(terminal, act, () => state, become).catch(crash)
  }
  const screen = openFullScreen(streams, theme, { key: type, resized: show, gone: () => leaving.abort() })
  try {
    show()
    await follow(terminal, () => state, become, signal)
  } finally {
    clearTimeout(held)
    screen.close()
  }
  if (failed !== undefined) throw failed
}

/** Performs the action. Its effect is seen on the terminal; a refusal is shown. */
async function carryOut(
  terminal: TerminalConnection,
  act: Exclude<KeyAction, { do: 'leave' }>,
  now: () => AttendState,
  become: (state: AttendState) => void,
): Promise<void> {
  try {
    if (act.do === 'control') await terminal.act(act.name, act.members)
    else if (act.do === 'sell') await terminal.sell(act.amount, act.currency)
    else {
      const before = now().view
      const receipt = await terminal.print(act.transactionId)
      if (!asksAnew(before, now().view)) become({ ...now(), receipt: { receipt, copy: 'customer', top: 0 } })
    }
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) throw error
    become({ ...now(), notice: failure.detail ?? failure.message })
  }
}

/** Follows the screen of the terminal until the signal; waits for an unreachable sandbox. */
async function follow(
  terminal: TerminalConnection,
  now: () => AttendState,
  become: (state: AttendState) => void,
  signal: AbortSignal,
): Promise<void> {
  const session = async function* (connected: Connected) {
    for await (const view of terminal.screens(signal)) {
      connected()
      yield view
    }
  }
  for await (const view of reconnecting(session, signal, () => become(loseSandbox(now()))))
    become(showView(now(), view))
}
