import { reject, rejectField } from '../api/errors.ts'
import type { Input, OperationName } from '../api/operations.ts'
import type { TransactionRecord } from '../api/records.ts'
import type { Command, OpeningName } from '../domain/commands.ts'
import type { Transaction } from '../domain/ledger.ts'
import { type OriginalPair, requireOriginal } from '../domain/rules/originals.ts'
import { abortAnswer, openedAnswer, tipAdjustAnswer } from './answers.ts'
import type { RequestMark } from './book.ts'
import { type Reader, recordOf } from './dialect.ts'
import { findRepeated, findReused } from './duplicates.ts'
import type { Passed } from './guard.ts'
import { fingerprintOf } from './identifiers.ts'
import { type Parties, partiesOf } from './parties.ts'
import type { Sandbox } from './sandbox.ts'

/** A request that passed the guard and keeps the schema. */
export interface Asked<N extends OperationName = OperationName> extends Passed {
  readonly operation: N
  readonly input: Input<N>
  readonly reader: Reader
}

/** The data of an answer, and what the request log should know. */
export interface Handled {
  readonly data: object
  readonly notes: readonly string[]
  readonly replayed?: boolean
}

type Handler<N extends OperationName> = (sandbox: Sandbox, asked: Asked<N>) => Promise<Handled>

/** One handler for each row of the operation table. */
export const handlers: { readonly [N in OperationName]: Handler<N> } = {
  sale: open,
  auth: open,
  'forced-auth': open,
  'incremental-auth': open,
  'post-auth': open,
  refund: open,
  void: open,
  abort: (sandbox, asked) => act(sandbox, asked, abortAnswer),
  'tip-adjust': (sandbox, asked) => act(sandbox, asked, tipAdjustAnswer),
  query,
}

/** Opens a transaction. */
async function open<N extends OpeningName>(sandbox: Sandbox, asked: Asked<N>): Promise<Handled> {
  const { operation, input, outcome, reader } = asked
  const fingerprint = fingerprintOf(operation, input)
  const { mark, repeated } = await begin(sandbox, asked, fingerprint)
  if (repeated !== undefined) return repeated
  const { ledger, notes } = find(sandbox, asked)
  const first = findReused(ledger, sandbox.options.duplicates, input.transactionRequestId, fingerprint)
  if (first !== undefined)
    return replay(sandbox, openedAnswer(operation, first, input as OriginalPair, reader), notes)
  const command = { type: operation, input, fingerprint, outcome } as Command
  const data = await sandbox.engine.run(ledger, command, mark, ({ transactionId }) => {
    const opened = ledger.transactions.get(transactionId) as Transaction
    mark.transactionId = opened.id
    return openedAnswer(operation, opened, input as OriginalPair, reader)
  })
  return { data, notes }
}

/** Acts on a transaction without opening one. */
async function act<N extends 'abort' | 'tip-adjust'>(
  sandbox: Sandbox,
  asked: Asked<N>,
  answer: (transaction: Transaction, input: Input<N>) => object,
): Promise<Handled> {
  const { operation, input, outcome } = asked
  const fingerprint = fingerprintOf(operation, input)
  const { mark, repeated } = await begin(sandbox, asked, fingerprint)
  if (repeated !== undefined) return repeated
  const { ledger, notes } = find(sandbox, asked)
  const command = { type: operation, input, fingerprint, outcome } as Command
  const data = await sandbox.engine.run(ledger, command, mark, () => {
    const original = requireOriginal(ledger, input)
    mark.transactionId = original.id
    return answer(original, input)
  })
  return { data, notes }
}

/** The mark of this request, or the answer of the first one under the same id. Errors: Refusal. */
async function begin(
  sandbox: Sandbox,
  { application, requestId }: Asked,
  fingerprint: string,
): Promise<{ mark: RequestMark; repeated?: Handled }> {
  await sandbox.engine.ready()
  const key = `${application.appId} ${requestId}`
  const at = sandbox.clock.wall()
  const mark: RequestMark = { key, at, fingerprint }
  const first = findRepeated(sandbox.engine.book, sandbox.options.duplicates, key, fingerprint, at)
  return first === undefined ? { mark } : { mark, repeated: await replay(sandbox, first.answer ?? {}, []) }
}

/** A replayed answer leaves only when what it tells of is durable. */
async function replay(sandbox: Sandbox, data: object, notes: readonly string[]): Promise<Handled> {
  await sandbox.engine.durable()
  return { data, notes, replayed: true }
}

const find = ({ engine, directory, options }: Sandbox, { application, input }: Asked) =>
  partiesOf(engine.book, directory, application, input as Parties, options.strict)

/** Shows a transaction; what it shows is durable. spec: Endpoints 3.1; Payload shapes. assumption: query-parameters */
async function query(
  sandbox: Sandbox,
  asked: Asked<'query'>,
): Promise<Handled & { data: TransactionRecord }> {
  const { transactionId, transactionRequestId } = asked.input
  if (transactionId == null && transactionRequestId == null)
    rejectField('transactionId', 'is required, or transactionRequestId')
  if (sandbox.engine.unsettled) await sandbox.engine.durable()
  const { ledger, notes } = find(sandbox, asked)
  const found =
    transactionId != null
      ? ledger.transactions.get(transactionId)
      : ledger.byRequestId.get(transactionRequestId as string)
  if (found === undefined)
    reject('SBX_TXN_UNKNOWN', {
      field: transactionId != null ? 'transactionId' : 'transactionRequestId',
      detail: `merchant ${ledger.settings.merchantId} has no transaction ${transactionId ?? transactionRequestId}`,
    })
  return { data: recordOf(ledger, found, asked.reader), notes }
}
