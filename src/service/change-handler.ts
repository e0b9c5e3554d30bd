import type { HandlerResult } from '../answering/answer.ts'
import { reject } from '../contract/errors.ts'
import { argumentOf } from '../contract/operation-members.ts'
import type { OriginalReference } from '../contract/operations/request-members.ts'
import type { ServiceAnswer, ServiceInput } from '../contract/operations.ts'
import { cardFor } from '../domain/model/cards.ts'
import type { ChangeName, Command } from '../domain/model/commands.ts'
import { type Ledger, terminalOf } from '../domain/model/ledger.ts'
import { sessionOf } from '../domain/rules/checkout-sessions.ts'
import { findRepeated, findReused, refuseReused } from '../domain/rules/duplicates.ts'
import { hasReference, requireOriginal } from '../domain/rules/originals.ts'
import { waitsBehind } from '../domain/screen-flow.ts'
import type { RequestMark } from '../domain/state.ts'
import {
  type OperationHandler,
  partiesOfRequest,
  type RequestContext,
  type ServiceContext,
} from './request-context.ts'
import { markOf, sameAs } from './used-ids.ts'

/**
 * Makes the answer to an accepted request from the ledger after that request, both first and replayed. `transactionId`:
 * the transaction that the request opened or acted on, if any.
 */
type MakeAnswer<N extends ChangeName> = (
  ledger: Ledger,
  request: RequestContext<N>,
  transactionId: string | undefined,
) => ServiceAnswer<N>

/** The command's members that are not in the request, and notes for the request log. Errors: Refusal. */
type Preparation<N extends ChangeName> = (
  context: ServiceContext,
  request: RequestContext<N>,
) => { readonly members: object; readonly notes: readonly string[] }

const asItIs = { members: {}, notes: [] }

/**
 * Handles a request that changes the ledger, once. Nothing is awaited between the check for duplicates and the
 * decision, so of two equal requests at the same moment exactly one is accepted.
 */
export function change<N extends ChangeName>(
  answer: MakeAnswer<N>,
  prepare: Preparation<N> = () => asItIs,
): OperationHandler<N> {
  const changeOnce = (context: ServiceContext, request: RequestContext<N>): Promise<HandlerResult> => {
    const { engine, options } = context
    const mark = markOf(request)
    const repeated = findRepeated(engine.state, options.duplicates, mark, sameAs(mark))
    if (repeated === undefined) return applyChange(context, request, mark, answer, prepare)
    const { ledger } = partiesOfRequest(context, request)
    return replay(context, answer(ledger, request, repeated.transactionId))
  }
  return (context, request) =>
    context.engine.isReloading
      ? context.engine.ready().then(() => changeOnce(context, request))
      : changeOnce(context, request)
}

/** Applies the business rules, from the check of merchant and terminal to the decision. */
function applyChange<N extends ChangeName>(
  context: ServiceContext,
  request: RequestContext<N>,
  mark: RequestMark,
  answer: MakeAnswer<N>,
  prepare: Preparation<N>,
): Promise<HandlerResult> {
  const { operation, input, outcome, traceparent } = request
  const { fingerprint } = mark
  const { ledger, notes } = partiesOfRequest(context, request)
  const command = { type: operation, input, fingerprint, outcome, ...(traceparent && { traceparent }) }
  const mayReplay = context.options.duplicates === 'replay'
  const reused = mayReplay ? findReused(ledger, command, sameAs(mark)) : undefined
  if (reused !== undefined) {
    const again = { ...mark, ...reused }
    return context.engine
      .rememberRequest(ledger, again)
      .then(() => replay(context, answer(ledger, request, reused.transactionId)))
  }
  refuseReused(ledger, command)
  const more = prepare(context, request)
  const full = { ...command, ...more.members } as Command
  return context.engine.run(ledger, full, mark, ({ transactionId: made }) => {
    const transactionId = ledger.transactions.has(made) ? made : actedOn(ledger, request)
    if (transactionId !== undefined) mark.transactionId = transactionId
    const later = [...more.notes, ...notesOnOpened(ledger, made), ...tipNote(ledger, input, made)]
    return {
      data: answer(ledger, request, transactionId),
      notes: later.length === 0 ? notes : [...notes, ...later],
    }
  })
}

/**
 * Notes on a new transaction: that it waits because its terminal is busy, or that no card fits it.
 * assumption: terminal-queue, cards
 */
function notesOnOpened(ledger: Ledger, id: string): readonly string[] {
  const opened = ledger.transactions.get(id)
  if (opened === undefined) return []
  const behind = waitsBehind(ledger, opened)
  const terminal = terminalOf(ledger, opened)
  const asksCard = opened.originalId === null && terminal !== undefined
  const notes = behind == null ? [] : [`terminalSn: waits for ${behind}`]
  if (!asksCard || cardFor(ledger, terminal, opened.instructions) !== undefined) return notes
  const { category, method } = opened.instructions ?? {}
  const field = category === undefined && method === undefined ? 'cardNetworkType' : 'paymentMethod'
  return [...notes, `${field}: no test card of the terminal fits; the payment is declined (no-card-fits)`]
}

/** A note that an automatic terminal is asked for a tip and gives none. assumption: terminal-screens */
function tipNote(ledger: Ledger, input: object, id: string): readonly string[] {
  const isPushed = !('pushToTerminal' in input) || input.pushToTerminal !== false
  const { instructions, terminalSn } = ledger.transactions.get(id) ?? {}
  const profile = ledger.terminals.get(terminalSn ?? '')?.profile
  if (!isPushed || !instructions?.tip || profile?.mode !== 'auto' || profile.tipPercent !== undefined)
    return []
  return [
    `tipConfig: ${terminalSn} gives no tip by itself; tillbox terminal set ${terminalSn} --tip-percent 20 makes it give one`,
  ]
}

/** Id of the transaction that a request acted on without opening one. */
function actedOn(ledger: Ledger, { operation, input }: RequestContext<ChangeName>): string | undefined {
  if (argumentOf(operation)?.member === 'sessionId')
    return sessionOf(ledger, input as ServiceInput<'expire-session'>).id
  return hasReference(input as OriginalReference)
    ? requireOriginal(ledger, input as OriginalReference).id
    : undefined
}

/** Answers a replay only once its content is durable. Errors: SBX_STORE_FAIL. */
async function replay({ engine }: ServiceContext, data: object): Promise<HandlerResult> {
  if (!(await engine.written())) reject('SBX_STORE_FAIL')
  return { data, notes: [], replayed: true }
}
