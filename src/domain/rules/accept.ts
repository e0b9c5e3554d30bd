import { type AmountParts, type Amounts, readAmounts } from '../../contract/amounts.ts'
import { reject, rejectField } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import { operations, type ServiceInput } from '../../contract/operations.ts'
import type { TransactionType } from '../../contract/statuses.ts'
import type { Card } from '../fixtures.ts'
import { readOnline } from '../model/cards.ts'
import type { Request, Stamp } from '../model/commands.ts'
import type { Events, Opened, TerminalSet } from '../model/events.ts'
import { type Ledger, newTerminal, plainTerminal, type Terminal } from '../model/ledger.ts'
import { numberAfter } from '../model/record-numbers.ts'
import type { OnlineOrder, TerminalInstructions, Transaction } from '../model/transaction.ts'
import { startsAtOnce } from '../screen-flow.ts'
import { plainInstructions } from './terminal/instructions.ts'
import { refuseRemoved, refuseUnpaired } from './terminal/refuse-at.ts'

/**
 * Tolerance for clock differences and the network at the shortest and longest expiry. Milliseconds.
 * assumption: abort-and-expiry
 */
const expirySlack = 5_000

/** The data that every kind of transaction is opened with. */
interface TransactionDraft {
  readonly kind: TransactionType
  readonly money: Amounts & { readonly currency: string }
  readonly orderId: string | null
  /** Absent: it is not a follow-up. */
  readonly original?: Transaction
  readonly instructions: TerminalInstructions | null
  readonly fingerprint: string
}

/** Additional data of an in-person transaction. */
interface InPersonDraft extends TransactionDraft {
  readonly inCloud?: boolean
  /** ISO 8601; absent or null: the longest expiry applies. */
  readonly timeExpire?: string | null | undefined
}

/** Additional data of an online payment. */
interface OnlineDraft extends TransactionDraft {
  readonly online: OnlineOrder
  /** The card, if the request has it; otherwise the hosted page waits for a card until `expiresAt`. */
  readonly card?: Card
  readonly expiresAt?: number
}

type OpeningMembers = Pick<ServiceInput<'void'>, 'transactionRequestId' | 'terminalSn'> &
  Partial<Pick<ServiceInput<'void'>, 'description' | 'attach' | 'notifyUrl' | 'terminalEventNotifyUrl'>>

/** Accepts an in-person transaction: runs the checks of every kind, and opens it. */
export function accept(ledger: Ledger, input: OpeningMembers, draft: InPersonDraft, stamp: Stamp): Events {
  requireSound(ledger, input.transactionRequestId, draft)
  const terminalSn = input.terminalSn ?? draft.original?.terminalSn
  const inCloud = draft.inCloud || (input.terminalSn == null && isGone(ledger, terminalSn))
  const { terminal, registered } = terminalFor(ledger, terminalSn, inCloud)
  if (!inCloud) refuseBusy(terminal)
  const expiresAt = inCloud ? undefined : parseExpiry(draft.timeExpire ?? null, stamp.at)
  const opened = openedBy(ledger, input, draft, stamp, {
    terminalSn: terminal.terminalSn,
    inCloud: inCloud || undefined,
    online: undefined,
    card: undefined,
    cardRead: undefined,
    expiresAt,
    voucherNo: numberAfter(terminal.voucherNo),
    wakeAt: startsAtOnce(terminal) ? undefined : expiresAt,
  })
  return registered === null ? [opened] : [registered, opened]
}

/** Accepts an in-person follow-up; absent `instructions`: a receipt and an outcome. */
export function acceptFollowUp(
  ledger: Ledger,
  { type, input, outcome, fingerprint }: Request<'incremental-auth' | 'post-auth' | 'refund' | 'void'>,
  original: Transaction,
  money: AmountParts,
  stamp: Stamp,
  instructions = plainInstructions(input.printReceipt, outcome),
): Events {
  const { order, tip, tax, surcharge, cashback } = money
  const draft = {
    kind: operations[type].opens,
    money: { currency: original.currency, order, tip, tax, surcharge, cashback },
    orderId: original.orderId,
    original,
    inCloud: input.pushToTerminal === false,
    instructions,
    fingerprint,
  }
  return accept(ledger, input, draft, stamp)
}

/** Accepts an online payment: runs the checks of every kind, and opens it. */
export function acceptOnline(
  ledger: Ledger,
  input: Omit<OpeningMembers, 'terminalSn'>,
  draft: OnlineDraft,
  stamp: Stamp,
): Events {
  requireSound(ledger, input.transactionRequestId, draft)
  const { online, card, expiresAt } = draft
  const voucherNo = numberAfter(ledger.lastStan)
  const processing: Processing = {
    terminalSn: undefined,
    inCloud: true,
    online,
    card: card?.name,
    cardRead: card && readOnline(card, online.wallet),
    expiresAt,
    voucherNo,
    wakeAt: expiresAt,
  }
  return [openedBy(ledger, input, draft, stamp, processing)]
}

/** The data that an online payment stores from its request; absent values are left out. */
export const onlineOrder = (
  input: {
    readonly [Member in keyof OnlineOrder]?: OnlineOrder[Member] | null | undefined
  },
): OnlineOrder => ({
  sessionId: input.sessionId ?? null,
  wallet: input.wallet ?? null,
  returnUrl: input.returnUrl ?? null,
  products: input.products ?? [],
  collectsBillingAddress: input.collectsBillingAddress ?? false,
  collectsShippingAddress: input.collectsShippingAddress ?? false,
})

/** Where a transaction runs, and when it first acts by itself. */
type Processing = Pick<
  Opened,
  'terminalSn' | 'inCloud' | 'online' | 'card' | 'cardRead' | 'expiresAt' | 'wakeAt'
> & {
  readonly voucherNo: number
}

/** The opening event, built in one literal: a spread of this many members costs more than all the rules. */
function openedBy(
  ledger: Ledger,
  input: Omit<OpeningMembers, 'terminalSn'>,
  draft: TransactionDraft,
  stamp: Stamp,
  processing: Processing,
): Opened {
  return {
    type: 'opened',
    id: stamp.transactionId,
    transactionRequestId: input.transactionRequestId,
    orderId: draft.orderId ?? undefined,
    kind: draft.kind,
    fingerprint: draft.fingerprint,
    currency: draft.money.currency,
    order: draft.money.order,
    tip: draft.money.tip || undefined,
    tax: draft.money.tax || undefined,
    surcharge: draft.money.surcharge || undefined,
    cashback: draft.money.cashback || undefined,
    terminalSn: processing.terminalSn,
    inCloud: processing.inCloud,
    online: processing.online,
    card: processing.card,
    cardRead: processing.cardRead,
    originalId: draft.original?.id,
    expiresAt: processing.expiresAt,
    description: input.description ?? undefined,
    attach: input.attach ?? undefined,
    notifyUrl: input.notifyUrl ?? ledger.settings.notifyUrl ?? undefined,
    terminalEventNotifyUrl: input.terminalEventNotifyUrl ?? undefined,
    instructions: draft.instructions ?? undefined,
    stan: numberAfter(ledger.lastStan),
    voucherNo: processing.voucherNo,
    wakeAt: processing.wakeAt,
  }
}

/** The checks of every kind. docs/api.md#ids-4. */
function requireSound({ settings }: Ledger, transactionRequestId: string, draft: TransactionDraft): void {
  if (transactionRequestId === draft.orderId)
    rejectField(
      'transactionRequestId',
      'must not equal referenceOrderId, because one order can have many transactions',
    )
  const { merchantId, currencies } = settings
  const { currency } = draft.money
  if (draft.original !== undefined || currencies === null || currencies.includes(currency)) return
  const detail = `${merchantId} takes ${currencies.join(', ') || 'none'}, not ${currency}`
  reject('SBX_NO_CURRENCY', { field: 'priceCurrency', detail })
}

/** True for a terminal that was removed or unpaired. assumption: terminal-identity */
const isGone = ({ terminals, removed }: Ledger, terminalSn: string | null | undefined): boolean =>
  terminalSn != null && removed.has(terminalSn) && !terminals.has(terminalSn)

/**
 * The named terminal, the original's, the merchant's first, or a new one, registered by this request. In the
 * cloud, a removed one is accepted. assumption: parties, terminal-identity
 */
function terminalFor(ledger: Ledger, named: string | null | undefined, inCloud = false) {
  const first: Terminal | undefined = ledger.terminals.values().next().value
  const terminalSn = named ?? first?.terminalSn
  if (terminalSn === undefined)
    return rejectField('terminalSn', 'is required: the merchant has no terminal yet')
  const removed = ledger.removed.get(terminalSn)
  const existing = ledger.terminals.get(terminalSn) ?? (inCloud ? removed : undefined)
  if (existing !== undefined) return { terminal: existing, registered: null }
  if (ledger.unpaired.has(terminalSn)) refuseUnpaired(terminalSn)
  if (removed !== undefined) refuseRemoved(terminalSn)
  const profile = plainTerminal(terminalSn)
  const registered: TerminalSet = { type: 'terminal-set', profile, wakeAt: null }
  return { terminal: newTerminal(ledger, profile), registered }
}

/** Refuses a busy or occupied terminal. assumption: terminal-queue */
function refuseBusy({ terminalSn, profile, line }: Terminal): void {
  if (profile.occupied || (profile.busy === 'reject' && line.length > 0))
    reject('SBX_TERM_BUSY', {
      field: 'terminalSn',
      ...(profile.occupied
        ? { detail: `${terminalSn} is always busy`, remedy: 'Use another terminal' }
        : { detail: `${terminalSn} is busy with ${line[0]}` }),
    })
}

/** Sandbox time at which an unpaid transaction closes: 3 minutes to 1 day from `at`. */
function parseExpiry(timeExpire: string | null, at: number): number {
  if (timeExpire === null) return at + limits.longestExpiry
  const ahead = Date.parse(timeExpire) - at
  if (ahead < limits.shortestExpiry - expirySlack || ahead > limits.longestExpiry + expirySlack)
    rejectField(
      'timeExpire',
      `must be 3 minutes to 1 day after ${new Date(at).toISOString()} (sandbox time), but is ${timeExpire}`,
    )
  return at + ahead
}

/** The request's amounts for an opening. */
export function readMoney(input: Parameters<typeof readAmounts>[0]): Amounts & { readonly currency: string } {
  const { currency, ...parts } = readAmounts(input)
  return { currency: currency ?? rejectField('priceCurrency', 'is required'), ...parts }
}

/** Refuses cashback in an authorisation or its capture. assumption: authorisations */
export function refuseCashback({ cashback }: AmountParts): void {
  if (cashback > 0)
    rejectField('cashbackAmount', 'must not be sent for an authorisation or its capture; take a sale')
}
