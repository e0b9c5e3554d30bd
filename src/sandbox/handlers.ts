import { Refusal, reject, rejectField } from '../api/errors.ts'
import type { Input, OperationName } from '../api/operations.ts'
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
import { endOfTurn } from './turn.ts'

/** A request that passed the guard and keeps the schema. */
export interface Asked<N extends OperationName = OperationName> extends Passed {
  readonly operation: N
  readonly input: Input<N>
  /** The body as it came; empty for a GET. */
  readonly body: string
  readonly reader: Reader
}

/** The data of an answer, and what the request log should know. */
export interface Handled {
  readonly data: object
  readonly notes: readonly string[]
  readonly replayed?: boolean
}

type Handler<N extends OperationName> = (sandbox: Sandbox, asked: Asked<N>) => Promise<Handled> | Handled

/** Operations that change something. */
type ChangeName = Exclude<OperationName, 'query'>

/** The answer to an accepted request, from the transaction it opened or acted on. */
type Answer<N extends ChangeName> = (transaction: Transaction, asked: Asked<N>) => object

const opened: Answer<OpeningName> = (transaction, { operation, input, reader }) =>
  openedAnswer(operation, transaction, input as OriginalPair, reader)

/** One handler for each row of the operation table. */
export const handlers: { readonly [N in OperationName]: Handler<N> } = {
  sale: change(opened),
  auth: change(opened),
  'forced-auth': change(opened),
  'incremental-auth': change(opened),
  'post-auth': change(opened),
  refund: change(opened),
  void: change(opened),
  abort: change((transaction, { input }) => abortAnswer(transaction, input)),
  'tip-adjust': change((transaction, { input }) => tipAdjustAnswer(transaction, input)),
  query,
}

/**
 * Carries out a request, once. Everything from the check for duplicates to the decision happens in one step, so that of
 * two equal requests at the same moment exactly one is accepted.
 */
function change<N extends ChangeName>(answer: Answer<N>): Handler<N> {
  return async (sandbox, asked) => {
    const { engine, options, clock } = sandbox
    const fingerprint = fingerprintOf(asked.operation, asked.outcome, asked.body)
    const mark: RequestMark = {
      key: `${asked.application.appId} ${asked.requestId}`,
      at: clock.wall(),
      fingerprint,
    }
    await engine.ready()
    const repeated = findRepeated(engine.book, options.duplicates, mark)
    return repeated === undefined
      ? orRemember(sandbox, asked, mark, () => carryOut(sandbox, asked, mark, answer))
      : replay(sandbox, answer(repeated, asked))
  }
}

/** The business rules, from whose merchant and terminal it is to the decision. */
function carryOut<N extends ChangeName>(
  sandbox: Sandbox,
  asked: Asked<N>,
  mark: RequestMark,
  answer: Answer<N>,
): Promise<Handled> {
  const { operation, input, outcome } = asked
  const { fingerprint } = mark
  const { ledger, notes } = find(sandbox, asked)
  const reused = findReused(ledger, sandbox.options.duplicates, input as Partial<Input<'sale'>>, fingerprint)
  if (reused !== undefined) {
    const again = { ...mark, transactionId: reused.id }
    return sandbox.engine.rememberRequest(ledger, again).then(() => replay(sandbox, answer(reused, asked)))
  }
  const command = { type: operation, input, fingerprint, outcome } as Command
  const data = sandbox.engine.run(ledger, command, mark, ({ transactionId }) => {
    const transaction =
      ledger.transactions.get(transactionId) ?? requireOriginal(ledger, input as OriginalPair)
    mark.transactionId = transaction.id
    return answer(transaction, asked)
  })
  return data.then((done) => ({ data: done, notes }))
}

/** A request that a rule refused has used its X-Client-Request-Id up, too. assumption: duplicates */
async function orRemember(
  { engine }: Sandbox,
  { application }: Asked,
  mark: RequestMark,
  carryOut: () => Promise<Handled>,
): Promise<Handled> {
  try {
    return await carryOut()
  } catch (error) {
    const home = engine.book.ledgers.get(application.merchants[0]?.merchantId ?? '')
    if (!(error instanceof Refusal) || error.code === 'SBX_STORE_FAIL' || home === undefined) throw error
    const { code, field, detail } = error
    const refusal = { code, ...(field && { field }), ...(detail && { detail }) }
    await engine.rememberRequest(home, { ...mark, refusal })
    throw error
  }
}

/** A replayed answer leaves only when what it tells of is durable. */
async function replay({ engine }: Sandbox, data: object): Promise<Handled> {
  if (!(await engine.written())) reject('SBX_STORE_FAIL')
  return { data, notes: [], replayed: true }
}

const find = ({ engine, directory, options }: Sandbox, { application, input }: Asked) =>
  partiesOf(engine.book, directory, application, input as Parties, options.strict)

/**
 * Shows a transaction as it is now, once that is durable; after a failed write it looks again.
 * spec: Endpoints 3.1; Payload shapes. assumption: query-parameters
 */
async function query(sandbox: Sandbox, asked: Asked<'query'>): Promise<Handled> {
  const { engine } = sandbox
  await endOfTurn()
  await engine.ready()
  const shown = show(sandbox, asked)
  return !engine.unsettled || (await engine.written()) ? shown : show(sandbox, asked)
}

function show(sandbox: Sandbox, asked: Asked<'query'>): Handled {
  const { transactionId, transactionRequestId } = asked.input
  const { ledger, notes } = find(sandbox, asked)
  const [field, id, found] =
    transactionId != null
      ? (['transactionId', transactionId, ledger.transactions.get(transactionId)] as const)
      : ([
          'transactionRequestId',
          transactionRequestId,
          ledger.byRequestId.get(transactionRequestId ?? ''),
        ] as const)
  if (id == null) rejectField('transactionId', 'is required, or transactionRequestId')
  if (found === undefined)
    reject('SBX_TXN_UNKNOWN', {
      field,
      detail: `merchant ${ledger.settings.merchantId} has no transaction ${id}`,
    })
  return { data: recordOf(ledger, found, asked.reader), notes }
}
