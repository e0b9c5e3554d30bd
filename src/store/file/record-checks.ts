import * as v from 'valibot'
import type { Ledger } from '../../domain/model/ledger.ts'
import { recordSchemas } from '../../domain/record-schemas.ts'
import type { State } from '../../domain/state.ts'
import type { RecordCheck } from './snapshot.ts'

/** Checks the records of one checkpoint as they are read: each against its schema, and that names are unique. */
export function recordChecks(): RecordCheck {
  const seen = new Set<string>()
  let merchantId = ''
  return (name, value) => {
    if (!Object.hasOwn(recordSchemas, name)) return `its kind ${JSON.stringify(name)} is unknown`
    const wrong = wrongIn(name, value)
    if (wrong !== undefined) return wrong
    if (name === 'ledger') merchantId = (value as Ledger).settings.merchantId
    const own = identityOf(name, value as object, merchantId)
    if (own === undefined) return undefined
    if (seen.has(own)) return `the ${own} stands there twice`
    seen.add(own)
    return undefined
  }
}

/** The member that names a record, unique within the checkpoint or within its merchant. */
const identities = {
  transaction: ['id', false],
  close: ['transactionRequestId', true],
  usedId: ['transactionRequestId', true],
  delivery: ['number', true],
  request: ['key', false],
} as const

function identityOf(name: Parameters<RecordCheck>[0], value: object, merchantId: string): string | undefined {
  if (name === 'ledger') return `ledger of ${merchantId}`
  if (name === 'order' || name === 'end') return name
  if (!(name in identities)) return undefined
  const [member, isOfMerchant] = identities[name as keyof typeof identities]
  return `${name} ${Object.entries(value).find(([each]) => each === member)?.[1]}${isOfMerchant ? ` of ${merchantId}` : ''}`
}

/** What is wrong with a record, in words with the path of the member; undefined for a valid record. */
function wrongIn(name: Parameters<RecordCheck>[0], value: unknown): string | undefined {
  const parsed = v.safeParse(recordSchemas[name], value, { abortEarly: true })
  if (parsed.success) return undefined
  const [issue] = parsed.issues
  const path = [name, ...(issue.path ?? []).map(({ key }) => String(key))]
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `the member ${JSON.stringify(path.pop())} of ${path.join('.')} is unknown`
  return `${path.join('.')}: ${issue.message}`
}

/** The first record that names a missing record, in words; undefined when all exist. */
export function missingIn({ ledgers }: State): string | undefined {
  for (const ledger of ledgers.values()) {
    const wrong = missingOf(ledger)
    if (wrong !== undefined) return `${wrong}, merchant ${ledger.settings.merchantId}`
  }
  return undefined
}

function missingOf({ transactions, terminals, outbox, usedIds }: Ledger) {
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
