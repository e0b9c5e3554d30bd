import { Refusal, reject } from '../api/errors.ts'
import type { Input, OperationName } from '../api/operations.ts'
import type { ChangeName, Command, OpeningName } from '../domain/commands.ts'
import type { BatchClose, Ledger, Transaction } from '../domain/ledger.ts'
import { hasReference, type OriginalPair, requireOriginal } from '../domain/rules/originals.ts'
import { abortAnswer, openedAnswer, tipAdjustAnswer } from './answers.ts'
import { profileOf, type RequestMark } from './book.ts'
import { type Reader, recordOf } from './dialect.ts'
import { findRepeated, findReused } from './duplicates.ts'
import type { Passed } from './guard.ts'
import { fingerprintOf } from './identifiers.ts'
import {
  batchCloseAnswer,
  batchCloseList,
  batchList,
  merchantRecord,
  terminalPage,
  transactionOf,
} from './lookups.ts'
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

/** Operations that only read. */
type ReadName = Exclude<OperationName, ChangeName>

type Handler<N extends OperationName> = (sandbox: Sandbox, asked: Asked<N>) => Promise<Handled> | Handled

/**
 * The answer to an accepted request, from the ledger as it is after it; the first time, and when replayed.
 * `transactionId`: what the request opened or acted on, if anything.
 */
type Answer<N extends ChangeName> = (
  ledger: Ledger,
  asked: Asked<N>,
  transactionId: string | undefined,
) => object

const opened: Answer<OpeningName> = (ledger, { operation, input, reader }, id) =>
  openedAnswer(operation, requireOpened(ledger, id), input as OriginalPair, reader)

/** One handler for each row of the operation table. */
export const handlers: { readonly [N in OperationName]: Handler<N> } = {
  sale: change(opened),
  auth: change(opened),
  'forced-auth': change(opened),
  'incremental-auth': change(opened),
  'post-auth': change(opened),
  refund: change(opened),
  void: change(opened),
  abort: change((ledger, { input }, id) => abortAnswer(requireOpened(ledger, id), input)),
  'tip-adjust': change((_, { input }) => tipAdjustAnswer(input)),
  query: read((ledger, { input, reader }) => recordOf(ledger, transactionOf(ledger, input), reader)),
  'batch-query': read((ledger, { input }) => batchList(ledger, input)),
  'batch-close': change((ledger, { input, reader }) =>
    batchCloseAnswer(ledger, ledger.closes.get(input.transactionRequestId) as BatchClose, reader),
  ),
  'batch-close-list': read((ledger, { input }, { clock }) => batchCloseList(ledger, input, clock.now())),
  'merchant-query': read((ledger, _, { engine }) =>
    merchantRecord(ledger, profileOf(engine.book, ledger.settings.merchantId)),
  ),
  'merchant-terminals': read((ledger, { input }, { engine }) =>
    terminalPage(ledger, input, profileOf(engine.book, ledger.settings.merchantId)),
  ),
}

/** The transaction of an accepted request: it is there, or the request had not been accepted. */
const requireOpened = (ledger: Ledger, id: string | undefined): Transaction =>
  ledger.transactions.get(id ?? '') ?? reject('SBX_TXN_UNKNOWN', { detail: 'it was forgotten by a reset' })

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
      : replay(sandbox, answer(find(sandbox, asked).ledger, asked, repeated.transactionId))
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
    const again = { ...mark, ...reused }
    return sandbox.engine
      .rememberRequest(ledger, again)
      .then(() => replay(sandbox, answer(ledger, asked, reused.transactionId)))
  }
  const command = { type: operation, input, fingerprint, outcome } as Command
  const data = sandbox.engine.run(ledger, command, mark, ({ transactionId: made }) => {
    const transactionId = ledger.transactions.has(made) ? made : originalOf(ledger, input as OriginalPair)
    if (transactionId !== undefined) mark.transactionId = transactionId
    return answer(ledger, asked, transactionId)
  })
  return data.then((done) => ({ data: done, notes }))
}

const originalOf = (ledger: Ledger, input: OriginalPair): string | undefined =>
  hasReference(input) ? requireOriginal(ledger, input).id : undefined

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

/** A look-up, at the ledger that the request is for. */
type Look<N extends ReadName> = (ledger: Ledger, asked: Asked<N>, sandbox: Sandbox) => object

/** Shows things as they are now, once that is durable; after a failed write it looks again. */
function read<N extends ReadName>(look: Look<N>): Handler<N> {
  return async (sandbox, asked) => {
    const { engine } = sandbox
    await endOfTurn()
    await engine.ready()
    const show = (): Handled => {
      const { ledger, notes } = find(sandbox, asked)
      return { data: look(ledger, asked, sandbox), notes }
    }
    const shown = show()
    return !engine.unsettled || (await engine.written()) ? shown : show()
  }
}
