import { readScreens } from '../../client/server-sent-events.ts'
import type { CardName, OutcomeName } from '../../contract/built-in-names.ts'
import type { TerminalView } from '../../contract/control/control-answers.ts'
import type { ControlInput } from '../../contract/control/controls/controls.ts'
import {
  type ActAnswer,
  type CardEntry,
  type Receipt,
  type ScreenName,
  type ScreenView,
  screenName,
} from '../../contract/control/screens.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { clearTimeout, setTimeout } from '../../shared/timers.ts'
import type { Address, CallControl } from './caller.ts'
import { InvalidOption, shownValue } from './options.ts'
import { timeLimitMs, WaitFailed, type WaitOptions, waitedText } from './wait-for.ts'

/** Restricts an action to a transaction: it is refused unless the terminal shows that one. */
interface OnlyTransaction {
  readonly transactionId?: string
}

/** The entry mode of a card; by default its usual one. `outcome`: the host's answer, by name. */
interface Presenting extends OnlyTransaction {
  readonly entry?: CardEntry
  readonly outcome?: OutcomeName
}

/** Settings of a terminal; absent ones stay. `pace`: milliseconds a screen; limits in minor units. */
export type TerminalSettings = ControlInput<'set-terminal'>

/** A virtual terminal, and the person at it. Errors of acts: ServiceRefusal where the screen forbids it. */
export interface TestTerminal {
  readonly terminalSn: string
  /** The current screen. */
  screen(): Promise<ScreenView>
  /** Resolves when the terminal shows that screen. Errors: WaitFailed with the current screen. */
  waitForScreen(name: ScreenName, options?: WaitOptions): Promise<ScreenView>
  /** Presents a test card, by name. */
  present(card: CardName, options?: Presenting): Promise<ActAnswer>
  /** Chooses a tip in minor units; 0 means no tip. */
  tip(tipAmount: number, options?: OnlyTransaction): Promise<ActAnswer>
  /** Enters a PIN, by default the right one. */
  pin(options?: OnlyTransaction & { readonly correct?: boolean }): Promise<ActAnswer>
  sign(options?: OnlyTransaction): Promise<ActAnswer>
  /** Presses cancel. */
  cancel(options?: OnlyTransaction): Promise<ActAnswer>
  /** The receipt of a transaction, by default of the last one. Errors: WaitFailed when there is none. */
  receipt(transactionId?: string): Promise<Receipt>
  /** Queues an outcome, by name, for the next transactions; `times` 0 clears the queue. */
  queue(outcome: OutcomeName, times?: number): Promise<TerminalView>
  set(settings: TerminalSettings): Promise<TerminalView>
  /** Takes the terminal offline: payments wait until it is online again, or expire. */
  offline(): Promise<TerminalView>
  online(): Promise<TerminalView>
}

export function testTerminal(address: Address, call: CallControl, terminalSn: string): TestTerminal {
  const names = { sn: terminalSn }
  const screen = () => call('screen', undefined, names)
  const set = (settings: TerminalSettings) => call('set-terminal', { ...settings }, names)
  return {
    terminalSn,
    screen,
    waitForScreen: (name, options) => waitForScreen(address, terminalSn, name, options),
    present: (card, options) => call('present-card', { card, ...options }, names),
    tip: (tipAmount, options) => call('choose-tip', { tipAmount, ...options }, names),
    pin: (options) => call('enter-pin', { ...options }, names),
    sign: (options) => call('sign', { ...options }, names),
    cancel: (options) => call('cancel-at-terminal', { ...options }, names),
    receipt: async (transactionId) => {
      const id = transactionId ?? (await screen()).last?.transactionId
      if (id === undefined) throw new WaitFailed(`${terminalSn} has no transaction that ended`)
      return call('receipt', undefined, { id })
    },
    queue: (outcome, times) => call('queue-outcome', { outcome, times }, names),
    set,
    offline: () => set({ online: false }),
    online: () => set({ online: true }),
  }
}

/** Reads screens until the one with that name. Errors: WaitFailed. */
async function waitForScreen(address: Address, terminalSn: string, name: ScreenName, options?: WaitOptions) {
  if (!screenName.options.includes(name))
    throw new InvalidOption(
      'name',
      `${shownValue(name)} is not a screen: ${suggestion(String(name), screenName.options)}`,
    )
  const timeout = timeLimitMs(options)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeout)
  let shown: ScreenView | undefined
  const why = () => `${terminalSn} shows ${shown?.screen ?? 'nothing'}, not ${name}`
  try {
    for await (shown of readScreens(address, terminalSn, late.signal)) if (shown.screen === name) return shown
    throw new WaitFailed(`${why()}: its sandbox was closed`)
  } catch (error) {
    if (!late.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    late.abort()
  }
  throw new WaitFailed(waitedText(why(), timeout))
}
