import type { CardChoice, Receipt, ScreenView, ShownTransaction } from '../../contract/sandbox/screens.ts'

/** Both copies, and which of them is looked at from which line on. */
export interface OpenReceipt {
  readonly receipt: Receipt
  readonly copy: 'merchant' | 'customer'
  readonly top: number
}

/** The state of an attended terminal: its screen, and the person's pending input. */
export interface AttendState {
  readonly view: ScreenView
  /** False while the sandbox is unreachable. */
  readonly linked: boolean
  /** True for a moment after the next transaction begins: keys may be meant for the previous one. */
  readonly held: boolean
  /** Name of the chosen card; it stays chosen for the next payments. */
  readonly card: string | null
  /** Index of the tip that is marked; -1 until one is, so that nothing is taken by the return key alone. */
  readonly tip: number
  /** Digits that begin the number of a card. */
  readonly jump: string
  /** What the host can be made to answer: as usual, or an outcome by name. */
  readonly answers: readonly (string | null)[]
  /** Index in `answers` of what the host is to answer. */
  readonly answer: number
  /** A tip that is typed, as it is typed; null while none is. */
  readonly tipText: string | null
  /** The amount of a sale that is typed, as it is typed; null while none is. */
  readonly saleText: string | null
  /** The digits of the PIN. They are compared here, and never sent or shown. */
  readonly pin: string
  readonly receipt: OpenReceipt | null
  /** Transactions that ended while the person was here, the newest first. */
  readonly ended: readonly ShownTransaction[]
  /** What went wrong with the last key. */
  readonly notice: string | null
}

const untouched = { tip: -1, jump: '', tipText: null, saleText: null, pin: '', notice: null } as const

/** The state before any key is pressed. `outcomes`: names of the outcomes that the sandbox knows; by default none. */
export const initialState = (view: ScreenView, outcomes: readonly string[] = []): AttendState => ({
  view,
  answers: [null, ...outcomes],
  linked: true,
  held: false,
  card: null,
  answer: 0,
  receipt: null,
  ended: view.last === null ? [] : [view.last],
  ...untouched,
})

/** The terminal shows this now. Input for another screen is dropped; the chosen card is kept. */
export function showView(state: AttendState, view: ScreenView): AttendState {
  const saleText = canSell(view) ? state.saleText : null // a result that disappears by itself does not interrupt typing
  const updated = { ...state, view, linked: true, ended: withLast(state.ended, view.last) }
  if (isSame(view, state.view)) return updated
  const receipt = asksAnew(state.view, view) ? null : state.receipt
  if (shownTransactionId(view) === shownTransactionId(state.view))
    return { ...updated, ...untouched, saleText, receipt }
  const held = shownTransactionId(state.view) !== undefined && shownTransactionId(view) !== undefined
  return { ...updated, ...untouched, saleText, held, receipt, answer: 0 }
}

function withLast(ended: readonly ShownTransaction[], last: ShownTransaction | null) {
  if (last === null) return ended
  return [last, ...ended.filter(({ transactionId }) => transactionId !== last.transactionId)].slice(0, 20)
}

/** True where a sale would be the next thing that the terminal does. */
export const canSell = ({ screen }: ScreenView): boolean => screen === 'idle' || screen === 'result'

/** The currency of a new sale: that of the last one. */
export const saleCurrency = ({ last }: ScreenView): string => last?.currency ?? 'USD'

const isSame = (one: ScreenView, other: ScreenView): boolean =>
  one.screen === other.screen && shownTransactionId(one) === shownTransactionId(other)

/** True when a person is asked for something else than before: that must be seen, and no receipt over it. */
export const asksAnew = (before: ScreenView, now: ScreenView): boolean =>
  !isSame(before, now) && now.acts.length > 0

/** The moment is over: keys act again. */
export const releaseKeys = (state: AttendState): AttendState => ({ ...state, held: false })

/** The sandbox is unreachable. */
export const loseSandbox = (state: AttendState): AttendState => ({
  ...state,
  ...untouched,
  linked: false,
  held: false,
})

/** The transaction that the terminal shows. */
export const shownTransactionId = ({ transaction }: ScreenView): string | undefined =>
  transaction?.transactionId

/** Index of the chosen card among the cards that can be presented; 0 if it is not among them. */
export const cardIndex = ({ view, card }: AttendState): number =>
  Math.max(
    0,
    view.cards.findIndex(({ name }) => name === card),
  )

/** The card that is presented next, where one can be. */
export const chosenCard = (state: AttendState): CardChoice | undefined => state.view.cards[cardIndex(state)]

/** The transaction whose receipt can be printed now. */
export const receiptId = ({ view }: AttendState): string | undefined => view.last?.transactionId
