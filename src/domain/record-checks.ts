import * as v from 'valibot'
import { ledgerSchema } from './ledger-record.ts'
import { count } from './model/kinds.ts'
import { closeSchema, type Ledger, usedIdSchema } from './model/ledger.ts'
import { deliverySchema } from './model/outbox.ts'
import { transactionSchema } from './model/transaction.ts'
import { orderSchema, requestSchema, type State } from './state.ts'

/**
 * The schemas of records, by their names in a state file. A state folder belongs to this sandbox, and
 * checksums protect it; a snapshot may come from anybody, so its records are checked.
 */
const recordSchemas = {
  ledger: ledgerSchema,
  transaction: transactionSchema,
  close: closeSchema,
  usedId: usedIdSchema,
  delivery: deliverySchema,
  request: requestSchema,
  order: orderSchema,
  /** The last line: the number of lines before it. */
  end: count,
} as const
/** The records of a state by their kind. Those after a ledger belong to it, up to the requests. */
export type Records = { readonly [K in Kind]: v.InferOutput<(typeof recordSchemas)[K]> }

/** What is wrong with a record of that kind, in words; undefined for a valid one. */
export type RecordCheck = (kind: string, value: unknown) => string | undefined

/** Checks the records of one snapshot as they are read: each by its schema, and that names are unique. */
export function recordChecks(): RecordCheck {
  const seen = new Set<string>()
  let merchantId = ''
  return (kind, value) => {
    if (!isKind(kind)) return `its kind ${JSON.stringify(kind)} is unknown`
    const wrong = wrongIn(kind, value)
    if (wrong !== undefined) return wrong
    if (kind === 'ledger') merchantId = (value as Ledger).settings.merchantId
    const identity = recordIdentity(kind, value as Readonly<Record<string, unknown>>, merchantId)
    if (identity === undefined) return undefined
    if (seen.has(identity)) return `the ${identity} stands there twice`
    seen.add(identity)
    return undefined
  }
}

type Kind = keyof typeof recordSchemas

const isKind = (kind: string): kind is Kind => Object.hasOwn(recordSchemas, kind)

/** The name of a record, unique in its snapshot; undefined for a kind that may be there more often. */
function recordIdentity(kind: Kind, value: Readonly<Record<string, unknown>>, merchantId: string) {
  if (kind === 'ledger') return `ledger of ${merchantId}`
  if (kind === 'order' || kind === 'end') return kind
  if (kind === 'transaction') return `transaction ${value.id}`
  if (kind === 'request') return `request ${value.key}`
  if (kind === 'delivery') return `delivery ${value.number} of ${merchantId}`
  if (kind === 'close' || kind === 'usedId') return `${kind} ${value.transactionRequestId} of ${merchantId}`
  return undefined
}

/** What is wrong with a record, in words with the path of the member; undefined for a valid record. */
function wrongIn(kind: Kind, value: unknown): string | undefined {
  const parsed = v.safeParse(recordSchemas[kind], value, { abortEarly: true })
  if (parsed.success) return undefined
  const [issue] = parsed.issues
  const path = [kind, ...(issue.path ?? []).map(({ key }) => String(key))]
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `the member ${JSON.stringify(path.pop())} of ${path.join('.')} is unknown`
  return `${path.join('.')}: ${issue.message}`
}

/** The first record that names a missing record, in words; undefined when all exist. */
export function missingIn({ ledgers }: State): string | undefined {
  for (const ledger of ledgers.values()) {
    const wrong = findMissing(ledger)
    if (wrong !== undefined) return `${wrong}, merchant ${ledger.settings.merchantId}`
  }
  return undefined
}

function findMissing({ transactions, terminals, outbox, usedIds }: Ledger) {
  const lacks = (id: string | null | undefined): id is string => id != null && !transactions.has(id)
  const transactionRequestIds = new Set(Array.from(transactions, (each) => each.transactionRequestId))
  if (transactionRequestIds.size !== transactions.size)
    return 'two transactions have the same transactionRequestId'
  for (const { id, originalId, followUps } of transactions) {
    if (lacks(originalId)) return `the original ${originalId} of transaction ${id} is missing`
    const child = followUps?.children.find((each) => transactions.get(each)?.originalId !== id)
    if (child !== undefined) return `the follow-up ${child} of transaction ${id} is missing`
  }
  for (const { terminalSn, line, last } of terminals.values()) {
    if (lacks(last)) return `the last transaction ${last} of terminal ${terminalSn} is missing`
    if (new Set(line).size < line.length) return `the line of terminal ${terminalSn} has a transaction twice`
    const stranger = line.find((id) => transactions.get(id)?.terminalSn !== terminalSn)
    if (stranger !== undefined)
      return `transaction ${stranger} in the line of terminal ${terminalSn} is missing`
  }
  for (const { number, transactionId } of outbox.deliveries.values())
    if (lacks(transactionId)) return `the transaction ${transactionId} of delivery ${number} is missing`
  for (const { transactionRequestId, transactionId } of usedIds.values())
    if (lacks(transactionId))
      return `the transaction ${transactionId} of request ${transactionRequestId} is missing`
  return undefined
}
