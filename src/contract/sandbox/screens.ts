/** What a terminal shows. `idle`, `offline` and `result` between transactions; the others while one runs. */
export type ScreenName =
  | 'idle'
  | 'offline'
  | 'present-card'
  | 'insert-card'
  | 'tip'
  | 'pin'
  | 'processing'
  | 'signature'
  | 'result'

/** How long a terminal shows the result, unless the next transaction comes first. Milliseconds of the sandbox clock. */
export const resultTime = 8_000

/** The PIN of every test card; a window compares what is typed with it and sends only the result. assumption: test-pin */
export const testPin = '1234'

/** Digits of a PIN. ISO 9564-1 has 4 to 12; terminals commonly take 6. assumption: test-pin */
export const pinLength = { least: 4, most: 6 } as const

/** How a card is presented to a terminal: without contact, in the reader, through the slot, typed, or as a code. */
export const cardEntries = ['tap', 'insert', 'swipe', 'key', 'scan'] as const
export type CardEntry = (typeof cardEntries)[number]

/** What a person can do at a terminal: the last part of the path of its control operation. */
export type ActName = 'present' | 'tip' | 'pin' | 'sign' | 'cancel'

/** A transaction as a terminal shows it. Amounts in minor units; times in milliseconds of the sandbox clock. */
export interface ShownTransaction {
  readonly transactionId: string
  readonly type: string
  readonly status: string
  readonly currency: string
  readonly transactionAmount: number
  readonly orderAmount: number
  readonly tipAmount: number
  readonly description: string | null
  readonly referenceOrderId: string | null
  /** Network and masked number, once a card was presented. */
  readonly card: string | null
  readonly resultCode: string | null
  readonly resultMsg: string | null
  readonly authCode: string | null
  /** When it closes unpaid. */
  readonly expiresAt: number | null
  readonly completedAt: number | null
}

/** What `screen` answers, and each event of `terminal-events`. */
export interface ScreenView {
  readonly terminalSn: string
  readonly merchantId: string
  readonly merchantName: string
  readonly mode: 'auto' | 'attended'
  readonly online: boolean
  readonly screen: ScreenName
  /** The one that runs, or on the screen `result` the one that has just ended. */
  readonly transaction: ShownTransaction | null
  /** The one that ended last, for its receipt. */
  readonly last: ShownTransaction | null
  /** Transactions that wait: behind the one that runs; while the terminal is offline, all in its line. */
  readonly waiting: number
  /** Outcomes that are queued for the next transactions. */
  readonly queue: readonly { readonly outcome: string; readonly times: number }[]
  /** On the tip screen: what it offers. */
  readonly tips: readonly { readonly label: string; readonly tipAmount: number }[]
  /** On the PIN screen: tries that are left. */
  readonly pinTriesLeft: number | null
  /** Cards that can be presented now, by name, with the ways to do it. */
  readonly cards: readonly CardChoice[]
  /** What a person can do now. */
  readonly acts: readonly ActName[]
  /** Sandbox time of this view, in milliseconds. */
  readonly now: number
}

/** What an act answers: what the terminal shows then, and how the transaction ended, when the act ended it. */
export interface ActAnswer extends ScreenView {
  readonly ended: ShownTransaction | null
}

/** A test card that can be presented. */
export interface CardChoice {
  readonly name: string
  readonly network: string
  readonly maskedPan: string | null
  /** The card's own way first. */
  readonly entries: readonly CardEntry[]
  /** Outcome by name, where the card decides it. */
  readonly outcome: string | null
}
