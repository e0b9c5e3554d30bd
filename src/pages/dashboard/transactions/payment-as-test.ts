import { formatAmount } from '../../../contract/currencies.ts'
import { acceptedBy, memberSchemas } from '../../../contract/operation-members.ts'
import {
  type Operation,
  type OperationName,
  operationNames,
  operations,
} from '../../../contract/operations.ts'
import { statusWordOf, typeNames, typeWordOf } from '../../../contract/statuses.ts'
import { possibleEntries, readAtTerminal, usualEntry } from '../../../domain/model/cards.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { type Moment, momentsOf, resultMoments } from '../../../domain/model/timeline.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { durationText } from '../../../shared/text/duration.ts'

/** A line of the test, and when it happened. */
interface Line {
  readonly at: Moment['journalOrder']
  readonly text: string
}

/** What a customer did at a terminal: the screen that asks for it, and the library's method for it. */
const customerActs: Readonly<Record<string, (detail: string) => readonly [screen: string, method: string]>> =
  {
    'card-presented': (card) => ['present-card', `present(${card})`],
    'tip-chosen': (tip) => ['tip', `tip(${tip})`],
    'pin-wrong': () => ['pin', 'pin({ correct: false })'],
    'pin-entered': () => ['pin', 'pin()'],
    signed: () => ['signature', 'sign()'],
    'signature-skipped': () => ['signature', 'cancel()'],
  }

/** Rules by which something outside the request decided: the test asks for it. assumption: outcome-order */
const askedFor: readonly (Transaction['rule'] | undefined)[] = [
  'header',
  'fault',
  'queue',
  'person',
  'terminal',
  'settled',
]

/**
 * A vitest test that does what happened to a payment, its follow-ups included, and expects how each ended;
 * null for an online payment without a page, whose wallet data is not kept. `root`: the first of the chain.
 */
export function paymentAsTest(ledger: Ledger, root: Transaction): string | null {
  if (root.online !== null && root.online.sessionId === null) return null
  const title = `${typeNames[root.type]} ${formatAmount(amountOf(root), root.currency)} ${root.currency} is ${statusWordOf(root.status)}`
  const lines = testLines(ledger, root, namer()).toSorted((one, other) => one.at - other.at)
  return [
    "import { expect } from 'vitest'",
    "import { test } from 'tillbox/vitest'",
    '',
    `test('${title}', async ({ sandbox }) => {`,
    ...lines.map(({ text }) => `  ${text}`),
    '})',
    '',
  ].join('\n')
}

type Namer = (transaction: Transaction) => string

/** Names transactions in the test: `sale`, `refund`, `refund2`; `void` names nothing in JavaScript. */
function namer(): Namer {
  const counts = new Map<string, number>()
  return ({ online, type }) => {
    const word = type === 'VOID' ? 'voided' : camelCase(online === null ? typeWordOf(type) : 'page')
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    return count === 1 ? word : `${word}${count}`
  }
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`

const camelCase = (words: string): string =>
  words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The lines of a transaction and its follow-ups. `original`: the one that it follows, and its name. */
function testLines(ledger: Ledger, transaction: Transaction, nameFor: Namer, original?: Original): Line[] {
  const name = nameFor(transaction)
  const children = (transaction.followUps?.children ?? []).flatMap((id) => ledger.transactions.get(id) ?? [])
  const moments = momentsOf(transaction)
  let last = moments[0] as Moment // the last that somebody caused
  const codeOf = (moment: Moment) => {
    if (moment.what === 'opened') return openingCode(transaction, name, original)
    const act = actCode(ledger, transaction, name, moment)
    if (act.length > 0) last = moment
    const ends = resultMoments.includes(moment.what)
    return ends ? [...act, ...timeCode(last, moment), ...endCode(transaction, name)] : act
  }
  return [
    ...moments.flatMap((moment) => codeOf(moment).map((text) => ({ at: moment.journalOrder, text }))),
    ...children.flatMap((child) => testLines(ledger, child, nameFor, { transaction, name })),
  ]
}

interface Original {
  readonly transaction: Transaction
  readonly name: string
}

/** What lets the time pass that ended a payment; a second is more than a terminal takes by itself. */
function timeCode(last: Moment, end: Moment): string[] {
  if (end.what === 'closed' && end.detail === 'expiry') return [advance('1d')] // the latest expiry
  const passed = end.journalOrder - last.journalOrder
  return passed < 1000 ? [] : [advance(durationText(Math.ceil(passed / 1000) * 1000))]
}

const advance = (duration: string): string => `await sandbox.clock.advance('${duration}')`

function openingCode(transaction: Transaction, name: string, original: Original | undefined): string[] {
  const { outcome, rule, online } = transaction
  const operation = openingOperation(transaction, original !== undefined)
  const options = outcome !== null && askedFor.includes(rule) ? `, { outcome: ${quoted(outcome)} }` : ''
  const members = membersAsCode(transaction, operation, original).join(', ')
  const opened = `await sandbox.client.${camelCase(operation)}({ ${members} }${options})`
  if (online?.sessionId == null) return [`const ${name} = ${opened}`]
  const session = `${name}Session`
  return [
    `const ${session} = ${opened}`,
    `const ${name} = await sandbox.checkout(${session}.sessionId).state()`,
  ]
}

function openingOperation({ type, online }: Transaction, isFollowUp: boolean): OperationName {
  const found = operationNames.find((each) => {
    const { opens, opensPage }: Operation = operations[each]
    const isAtTerminal = Object.hasOwn(memberSchemas(each), 'terminalSn')
    return opens === type && isAtTerminal === (online === null) && (isAtTerminal || isFollowUp || opensPage)
  })
  return found as OperationName // every type is opened by one
}

/** Members as code, without ids that the client makes, and parts of nothing. Amounts in minor units. */
function membersAsCode(transaction: Transaction, operation: OperationName, original: Original | undefined) {
  const { order, tax, surcharge, cashback, currency, terminalSn, inCloud, instructions } = transaction
  const { category, method: id, subMethod: subId, cardNetworkType, signatureFrom } = instructions ?? {}
  const isElsewhere = !inCloud && terminalSn !== (original?.transaction.terminalSn ?? null)
  const tip = has(transaction, 'tip-chosen', 'tip-adjusted') ? 0 : transaction.tip
  const members = acceptedBy(operation, {
    originalTransactionId: original && `${original.name}.transactionId`,
    referenceOrderId: transaction.type === 'REFUND' && !original && quoted(transaction.orderId ?? ''),
    amount: String(order),
    tipAmount: tip,
    taxAmount: tax,
    surchargeAmount: surcharge,
    cashbackAmount: cashback,
    priceCurrency: original === undefined && quoted(currency),
    terminalSn: isElsewhere && quoted(terminalSn ?? ''),
    pushToTerminal: original && inCloud && 'false',
    paymentMethod: (category ?? id ?? subId) && JSON.stringify({ category, id, subId }),
    cardNetworkType: cardNetworkType && quoted(cardNetworkType),
    tipConfig: has(transaction, 'tip-chosen') && '{ onScreenTip: true }',
    signatureConfig:
      (signatureFrom !== undefined &&
        `{ useHostConfig: false, entryLocation: 'ON_SCREEN', threshold: ${signatureFrom} }`) ||
      (instructions?.signature && `{ useHostConfig: false, entryLocation: '${instructions.signature}' }`),
  })
  return members.filter(([, code]) => code).map(([member, code]) => `${member}: ${code}`)
}

/** The lines of a moment that somebody caused. */
function actCode(ledger: Ledger, transaction: Transaction, name: string, { what, detail }: Moment): string[] {
  const { terminalSn, online, inCloud } = transaction
  const original = `originalTransactionId: ${name}.transactionId`
  const isAttended = !inCloud && ledger.terminals.get(terminalSn ?? '')?.profile.mode === 'attended'
  const terminal = `await sandbox.terminal(${quoted(terminalSn ?? '')})`
  if (what === 'tip-adjusted')
    return [`await sandbox.client.tipAdjust({ ${original}, tipAmount: ${detail} })`]
  if (what === 'closed')
    switch (detail) {
      case 'abort':
        return [`await sandbox.client.abort({ ${original} })`]
      case 'cancel':
        if (online !== null) return [`await sandbox.checkout(${name}.sessionId).cancel()`]
        return isAttended ? [`${terminal}.cancel()`] : []
      case 'expired':
        return [`await sandbox.client.expireSession({ sessionId: ${name}.sessionId })`]
      default:
        return []
    }
  if (online !== null)
    return what === 'card-presented'
      ? [`await sandbox.checkout(${name}.sessionId).pay(${quoted(detail ?? '')})`]
      : []
  const shown = what === 'card-presented' ? presentedCard(ledger, transaction) : detail
  const isLastPin = what === 'declined' && !has(transaction, 'host-asked') // its decline says what it was
  const [screen, method] = customerActs[isLastPin ? 'pin-wrong' : what]?.(shown ?? '') ?? []
  return screen === undefined || !isAttended
    ? []
    : [`${terminal}.waitForScreen('${screen}')`, `${terminal}.${method}`]
}

const has = (transaction: Transaction, ...moments: readonly string[]): boolean =>
  momentsOf(transaction).some(({ what }) => moments.includes(what))

/** The card by name, and how it was read where that is not its usual way. */
function presentedCard({ catalogue }: Ledger, { card: name, cardRead }: Transaction): string {
  const card = catalogue.cardNamed(name ?? '')
  const entry =
    card &&
    possibleEntries(card).find((each) => readAtTerminal(card, null, each).entryMode === cardRead?.entryMode)
  const isUsual = card === undefined || entry === undefined || entry === usualEntry(card)
  return `${quoted(name ?? '')}${isUsual ? '' : `, { entry: '${entry}' }`}`
}

function endCode(transaction: Transaction, name: string): string[] {
  const { status, resultCode } = transaction
  const expected = [
    ...(resultCode === null ? [] : [`transactionResultCode: '${resultCode}'`]),
    ...(status === 'SUCCESS' && !has(transaction, 'tip-adjusted')
      ? [`transactionAmount: ${amountOf(transaction)}`]
      : []),
  ]
  const ended = `await sandbox.payments.waitFor(${name}.transactionId, '${statusWordOf(status)}')`
  if (expected.length === 0) return [ended]
  const record = `${name}Record`
  return [
    `const { record: ${record} } = ${ended}`,
    `expect(${record}).toMatchObject({ ${expected.join(', ')} })`,
  ]
}
