import { formatAmount } from '../../../contract/currencies.ts'
import { acceptedBy, memberSchemas } from '../../../contract/operation-members.ts'
import {
  type Operation,
  type OperationName,
  operationNames,
  operations,
} from '../../../contract/operations.ts'
import { isFinal, statusWordOf, typeNames, typeWordOf } from '../../../contract/statuses.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { type Moment, momentsOf } from '../../../domain/model/timeline.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'

/** A line of the test, and when it happened: sandbox time in milliseconds. */
interface Line {
  readonly at: number
  readonly text: string
}

/** What a customer did at a terminal: the screen that asks for it, and the method of the library that does the same. */
const customerActs: Readonly<Record<string, (detail: string) => readonly [screen: string, method: string]>> =
  {
    'card-presented': (card) => ['present-card', `present(${quoted(card)})`],
    'tip-chosen': (tip) => ['tip', `tip(${tip})`],
    'pin-wrong': () => ['pin', 'pin({ correct: false })'],
    'pin-entered': () => ['pin', 'pin()'],
    signed: () => ['signature', 'sign()'],
  }

/** Rules by which something outside of the request decided: the test asks for that outcome. assumption: outcome-order */
const askedFor: readonly (Transaction['rule'] | undefined)[] = ['header', 'queue', 'person', 'terminal']

/**
 * A vitest test that does what happened to a payment, its follow-ups included, and expects how each ended; null for an
 * online payment without a page, whose wallet data is not kept. `root`: the first of the chain.
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

/** Names transactions in the test: `sale`, `refund`, `refund2`. */
function namer(): Namer {
  const counts = new Map<string, number>()
  return ({ online, type }) => {
    const word = camelCase(online === null ? typeWordOf(type) : 'page')
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    return count === 1 ? word : `${word}${count}`
  }
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`

const camelCase = (words: string): string =>
  words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The lines of a transaction and its follow-ups. `original`: the name of the one that it follows. */
function testLines(ledger: Ledger, transaction: Transaction, nameFor: Namer, original?: string): Line[] {
  const name = nameFor(transaction)
  const children = (transaction.followUps?.children ?? []).flatMap((id) => ledger.transactions.get(id) ?? [])
  return [
    ...openingCode(transaction, name, original).map((text) => ({ at: transaction.createdAt, text })),
    ...momentsOf(transaction).flatMap((moment) =>
      actCode(ledger, transaction, name, moment).map((text) => ({ at: moment.at, text })),
    ),
    ...(isFinal(transaction.status) ? endLines(transaction, name) : []),
    ...children.flatMap((child) => testLines(ledger, child, nameFor, name)),
  ]
}

function openingCode(transaction: Transaction, name: string, original: string | undefined): string[] {
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
function membersAsCode(transaction: Transaction, operation: OperationName, original: string | undefined) {
  const { order, tax, surcharge, cashback, currency, terminalSn } = transaction
  const tip = has(transaction, 'tip-chosen', 'tip-adjusted') ? 0 : transaction.tip
  const members = acceptedBy(operation, {
    originalTransactionId: original !== undefined && `${original}.transactionId`,
    amount: String(order),
    tipAmount: tip,
    taxAmount: tax,
    surchargeAmount: surcharge,
    cashbackAmount: cashback,
    priceCurrency: original === undefined && quoted(currency),
    terminalSn: original === undefined && terminalSn !== null && quoted(terminalSn),
    tipConfig: has(transaction, 'tip-chosen') && '{ onScreenTip: true }',
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
        return isAttended ? [`${terminal}.cancel()`] : []
      default:
        return []
    }
  if (online !== null)
    return what === 'card-presented'
      ? [`await sandbox.checkout(${name}.sessionId).pay(${quoted(detail ?? '')})`]
      : []
  const [screen, method] = customerActs[what]?.(detail ?? '') ?? []
  return screen === undefined || !isAttended
    ? []
    : [`${terminal}.waitForScreen('${screen}')`, `${terminal}.${method}`]
}

const has = (transaction: Transaction, ...moments: readonly string[]): boolean =>
  momentsOf(transaction).some(({ what }) => moments.includes(what))

function endLines(transaction: Transaction, name: string): Line[] {
  const { status, resultCode, completedAt, createdAt } = transaction
  const at = completedAt ?? createdAt
  const expected = [
    ...(resultCode === null ? [] : [`transactionResultCode: '${resultCode}'`]),
    ...(status === 'SUCCESS' && !has(transaction, 'tip-adjusted')
      ? [`transactionAmount: ${amountOf(transaction)}`]
      : []),
  ]
  const ended = `await sandbox.payments.waitFor(${name}.transactionId, '${statusWordOf(status)}')`
  if (expected.length === 0) return [{ at, text: ended }]
  const record = `${name}Record`
  return [
    { at, text: `const { record: ${record} } = ${ended}` },
    { at, text: `expect(${record}).toMatchObject({ ${expected.join(', ')} })` },
  ]
}
