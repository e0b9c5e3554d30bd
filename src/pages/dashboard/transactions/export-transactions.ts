import { Readable } from 'node:stream'
import type { TransactionRow } from '../../../contract/control/transaction-list.ts'
import { localDate } from '../../../domain/model/local-time.ts'
import type { Call } from '../../../sandbox/http/call.ts'
import { refuseCardData } from '../../../sandbox/http/card-data.ts'
import type { TransactionList } from '../../../sandbox/views/statistics/statistics.ts'
import { type OwnedTransaction, transactionRow } from '../../../sandbox/views/transaction-text.ts'
import { csvLine } from '../../../shared/text/csv.ts'
import { nextTurn } from '../../../shared/timers.ts'
import { defaultTimeZone, type PagesContext } from '../../frame/page-view.tsx'
import { queryReader } from '../lists/filter-form.tsx'
import { readTransactionFilters } from './transaction-filter-form.tsx'
import { filtered, matchesIn } from './transaction-search.ts'

/** Most transactions that one file has. assumption: dashboard-list */
const mostExported = 100_000

const recordsPerTurn = 500

/** Columns of the CSV: fields of the list; only the JSON says what an open transaction waits for. */
const columns = [
  'transactionId',
  'transactionRequestId',
  'referenceOrderId',
  'originalTransactionId',
  'merchantId',
  'terminalSn',
  'type',
  'status',
  'amount',
  'currency',
  'card',
  'resultCode',
  'resultMessage',
  'createdAt',
  'completedAt',
] as const satisfies readonly (keyof TransactionRow)[]

/** Formats of a file: its beginning, a row, the separator, and its end. */
const formats = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csvLine(columns),
    between: '',
    row: (row: TransactionRow) => csvLine(columns.map((name) => String(row[name] ?? ''))),
    foot: () => '',
  },
  json: {
    type: 'application/json; charset=utf-8',
    head: '{"transactions":[\n',
    between: ',\n',
    row: (row: TransactionRow) => JSON.stringify(row),
    foot: (hasMore: boolean) => `\n],"more":${hasMore}}\n`,
  },
}

type FormatName = keyof typeof formats

/**
 * The transactions that the filters of the address leave, newest first, as a file: streamed, at most 100,000.
 * A filter that is wrong answers 422 in words.
 */
export function exportTransactions(context: PagesContext, call: Call, format: FormatName) {
  const query = call.req.query()
  refuseCardData(JSON.stringify(query))
  const reader = queryReader(query)
  const filters = readTransactionFilters(reader)
  if (reader.problems.length > 0) return call.text(`${reader.problems.join('\n')}\n`, 422)
  const { list, range, fits } = filtered(context, filters)
  const date = localDate(context.clock.now(), defaultTimeZone(context))
  const pieces = Readable.from(filePieces(formats[format], list, matchesIn(range, fits)))
  return new Response(Readable.toWeb(pieces) as ReadableStream, {
    headers: {
      'Content-Type': formats[format].type,
      'Content-Disposition': `attachment; filename="transactions-${date}.${format}"`,
      'Cache-Control': 'no-store',
    },
  })
}

/** The file in pieces, in turns of the event loop. */
async function* filePieces(
  { head, between, row, foot }: (typeof formats)[FormatName],
  { transactions }: TransactionList,
  matches: (owned: OwnedTransaction) => boolean,
): AsyncGenerator<Uint8Array> {
  let piece = head
  let written = 0
  let index = transactions.length - 1
  for (; index >= 0 && written < mostExported; index--) {
    const owned = transactions[index] as OwnedTransaction
    if (matches(owned)) piece += (written++ === 0 ? '' : between) + row(transactionRow(owned))
    if (index % recordsPerTurn === 0) {
      yield Buffer.from(piece)
      piece = ''
      await nextTurn()
    }
  }
  yield Buffer.from(piece + foot(index >= 0))
}
