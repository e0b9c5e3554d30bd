import { asText } from '../../../client/tolerant.ts'
import { isFinal, parseStatus, statusWordOf } from '../../../contract/statuses.ts'
import type { Members } from '../../../contract/validate.ts'
import { foundWithin } from '../../helpers/wait-for.ts'
import type { Difference } from '../file/match.ts'
import { isStatus } from '../file/match.ts'
import { type RunContext, StepFailure } from './run-context.ts'

/** How a transaction is looked up. */
export type TransactionReference =
  | { readonly transactionId: string }
  | { readonly transactionRequestId: string }

/** The record of a transaction. */
export const fetchRecord = (run: RunContext, query: TransactionReference): Promise<Members> =>
  run.service.operate('query', query) as Promise<Members>

/** Queries until the transaction has the status, or can no longer get it. Returns its record. */
export async function statusReached(
  run: RunContext,
  query: TransactionReference,
  wanted: string,
  { waitMs, path }: { readonly waitMs: number; readonly path: Difference['path'] },
): Promise<Members> {
  let record: Members = {}
  await foundWithin(waitMs, async () => {
    record = await fetchRecord(run, query)
    return isStatus(wanted, asText(record.transactionStatus)) || isOver(record) || undefined
  })
  run.subject = asText(record.transactionId) ?? run.subject
  if (isStatus(wanted, asText(record.transactionStatus))) {
    run.done({ step: statusIn(record) ?? String(record.transactionStatus), answer: record })
    return record
  }
  throw otherStatus(record, wanted, path, waitMs, await waitReason(run, record))
}

const statusIn = ({ transactionStatus }: Members) => parseStatus(asText(transactionStatus) ?? '')

const isOver = (record: Members): boolean => {
  const status = statusIn(record)
  return status !== undefined && isFinal(status)
}

/** What an open payment waits for, from its sandbox: `: it waits for …`; empty when unknown. */
async function waitReason({ service: { call } }: RunContext, record: Members): Promise<string> {
  const id = asText(record.transactionId)
  if (call === undefined || id === undefined || isOver(record)) return ''
  const { waitsFor } = await call('transaction', undefined, { id })
  return waitsFor === null ? '' : `: it waits for ${waitsFor}`
}

function otherStatus(
  record: Members,
  wanted: string,
  path: Difference['path'],
  waitMs: number,
  waits: string,
): StepFailure {
  const { transactionId, transactionResultCode: code, transactionResultMsg: message } = record
  const known = statusIn(record)
  const status = known ?? String(record.transactionStatus)
  const word = known ? statusWordOf(known) : status
  const reason = [code, message].map(asText).filter(Boolean).join(' ')
  const isEnd = isOver(record)
  const actual = `${word} (${status})${isEnd && reason !== '' && status !== 'SUCCESS' ? `: ${reason}` : ''}`
  return new StepFailure(
    isEnd
      ? `Payment ${String(transactionId)} is ${word}, not ${wanted}`
      : `Payment ${String(transactionId)} is still ${word} after ${waitMs / 1000} s, not ${wanted}${waits}`,
    [{ path, expected: wanted, actual }],
    undefined,
    { transactionId: String(transactionId), status, wanted, isFinal: isEnd },
  )
}
