import { type Connected, reconnecting } from '../../client/reconnect.ts'
import type { AnsweredControl } from '../../contract/sandbox/controls/controls.ts'
import type { Receipt, ScreenView } from '../../contract/sandbox/screens.ts'
import { windowSize } from '../../text/display-width.ts'
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
import { type Key, type KeyListener, type KeyWindow, readKeys } from './key-input.ts'
import { type KeyAction, press } from './key-presses.ts'
import { type Line, paint } from './styled-line.ts'
import { drawWindow, receiptPageRows } from './window.ts'

/** The terminal at the other end. */
export interface TerminalConnection {
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
  window: KeyWindow,
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
    const { state: next, act } = press(state, key, receiptPageRows(state, screen.size()))
    become(next)
    if (act?.do === 'leave') leaving.abort()
    else if (act !== undefined) performAct(terminal, act, () => state, become).catch(crash)
  }
  const screen = openFullScreen(window, theme, { key: type, resized: show, gone: () => leaving.abort() })
  try {
    show()
    const session = async function* (connected: Connected) {
      for await (const view of terminal.screens(signal)) {
        connected()
        yield view
      }
    }
    for await (const view of reconnecting(session, signal, () => become(loseSandbox(state))))
      become(showView(state, view))
  } finally {
    clearTimeout(held)
    screen.close()
  }
  if (failed !== undefined) throw failed
}

/** Performs the action. Its effect is seen on the terminal; a refusal is shown. */
async function performAct(
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

/** Opens the window: alternate screen, no cursor, unbuffered keys. `close` restores it. */
function openFullScreen(window: KeyWindow, theme: Theme, listener: Omit<KeyListener, 'closed'>) {
  const { output } = window
  let shown: readonly string[] | undefined
  let open = true
  output.write(enterWindow)
  const close = readKeys(window, {
    ...listener,
    resized: () => {
      shown = undefined
      listener.resized()
    },
    closed: () => {
      open = false
      output.write(leaveWindow)
    },
  })
  return {
    size: () => windowSize(output),
    show: (lines: readonly Line[]) => {
      const painted = lines.map((each) => paint(each, theme))
      const text = open ? repaint(shown, painted) : ''
      shown = painted
      if (text !== '') output.write(text)
    },
    close,
  }
}

/** Begins and ends a picture that is shown at once, where the terminal knows how. */
const [begin, end] = ['\u001b[?2026h', '\u001b[?2026l']

/** What to write so that a window with these lines shows those: only lines that differ. Without a before, all. */
export function repaint(before: readonly string[] | undefined, after: readonly string[]): string {
  const changed = after
    .map((text, row) => (before?.[row] === text ? '' : `\u001b[${row + 1};1H${ended(text)}`))
    .join('')
  if (before === undefined) return `${begin}\u001b[2J${changed}${end}`
  return changed === '' ? '' : begin + changed + end
}

/** Trailing spaces are erased, not written, so that copied text has none. */
const ended = (text: string): string => (text === text.trimEnd() ? text : `${text.trimEnd()}\u001b[K`)

/** Takes the whole window, without a cursor, and gives it back with what it had. */
const [enterWindow, leaveWindow] = ['\u001b[?1049h\u001b[?25l', '\u001b[0m\u001b[?25h\u001b[?1049l']
