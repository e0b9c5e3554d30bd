import type { WhyAnswer, WhyStep } from '../../contract/control/why-answers.ts'
import { type ErrorCode, rejectSaying } from '../../contract/errors.ts'
import {
  type Check,
  checksOf,
  claimsOf,
  effects,
  isAbout,
  refusedBy,
} from '../../contract/evidence/checks.ts'
import { type ClaimName, claimsAbout } from '../../contract/evidence/evidence.ts'
import { claimsAboutError, explained, explainName } from '../../contract/evidence/explain.ts'
import { withRecorded } from '../../contract/evidence/recorded.ts'
import { sandboxHeaders, userAgents } from '../../contract/headers.ts'
import { type OperationName, operationNames, operationRow } from '../../contract/operations.ts'
import { amountText } from '../../contract/presentation/money.ts'
import { deciders } from '../../contract/presentation/why-status.ts'
import { statusChanges } from '../../contract/statuses.ts'
import { type Ledger, terminalOf } from '../../domain/model/ledger.ts'
import type { TerminalProfile } from '../../domain/model/terminal-profile.ts'
import { momentsOf } from '../../domain/model/timeline.ts'
import { batchStatusOf } from '../../domain/model/totals.ts'
import type { OutcomeRule, Transaction } from '../../domain/model/transaction.ts'
import { relatedStatusOf } from '../../domain/original-effects.ts'
import { waitingReason, waitsFor } from '../../domain/screen-flow.ts'
import { counted } from '../../shared/text/words.ts'
import { type ReadableLog, requestNamed } from '../request-log/request-views.ts'
import { type OwnedTransaction, transactionIn } from './transaction-text.ts'
import { decisionOf } from './views.ts'

/**
 * Why an answer is as it is: worked out from the request log, the record and the tables when it is asked for.
 * Requests collect nothing for it.
 */

/** Why, of a request by its trace id, a transaction, or a name: an error, a member, a header, a claim. */
export function why(log: ReadableLog, about: string): WhyAnswer {
  const known = explainName(about)
  if (known !== undefined) return withRecorded(known, log.recorded, [known.about])
  if (log.log.find(about) !== undefined) return whyRequest(log, about)
  const owned = transactionIn(log.engine.state.ledgers, about)
  if (owned !== undefined) return whyTransaction(log, owned)
  const remedy =
    'Name a trace id that `tillbox logs tail` shows, a transaction of `tillbox list`, an error code or a member'
  return rejectSaying('about', `There is no request, transaction, error or member ${about}`, remedy)
}

/** Why a request was answered as it was, with what was recorded of its operation or its code. */
export function whyRequest(log: ReadableLog, traceId: string): WhyAnswer {
  const { operation, code } = requestNamed(log, traceId)
  const about = ['answers', ...(code === '0' ? [operation ?? ''] : [code, 'refusals'])]
  return withRecorded(answerOf(log, traceId), log.recorded, about)
}

function answerOf(log: ReadableLog, traceId: string): WhyAnswer {
  const { operation, method, code, refusal, notes, fault, ...story } = requestNamed(log, traceId)
  const about = `request ${traceId}`
  const named = operationNames.find((name) => name === operation)
  if (named === undefined) {
    if (refusal === null) return explained(about, 'It was accepted; it is no request of the payment API.', [])
    const detail = notes.find((note) => note !== refusal.message) ?? null
    const step: WhyStep = { what: refusal.message, result: 'refused', detail, claims: claimsAboutError(code) }
    return explained(about, `The request was refused with ${code}.`, [step], {
      code,
      remedy: refusal.remedy,
    })
  }
  const { headers } = story.request
  const agent = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1]
  const checks = checksOf(named, {
    isForm: agent === userAgents.dashboard,
    isFree: log.log.find(traceId)?.hasOriginal !== true,
    hasBody: method === 'POST',
  })
  const isReplayed = story.answer.headers.some(([name]) => name === sandboxHeaders.replayed)
  const since = [
    ...(isReplayed ? [decided('It was answered as the first time', null, 'duplicates')] : []),
    ...(fault === null || code === 'SBX_INJECTED'
      ? []
      : [decided('A fault changed the answer on its way', fault, 'api-faults')]),
  ]
  if (refusal !== null) {
    const at = refusedBy(checks, code as ErrorCode, notes[0] ?? '')
    const check = checks[at]
    const fields = code === 'C17' ? claimsAbout('fields', (refusal.field ?? '').split('.')[0] ?? '') : []
    const step: WhyStep = {
      what: check?.what ?? refusal.message,
      result: 'refused',
      detail: notes[0] ?? null,
      claims:
        check === undefined
          ? claimsAboutError(code)
          : [...new Set([...claimsOf(check, [named], [code]), ...fields])].filter((each) =>
              isAbout(each, [named]),
            ),
    }
    const before = passed(named, checks.slice(0, Math.max(at, 0)))
    const summary = `${named} was refused with ${code}, after ${counted(before.length, 'check')} passed.`
    return explained(about, summary, [...before, step, ...since], { code, remedy: refusal.remedy })
  }
  const owned = transactionIn(log.engine.state.ledgers, story.transactionId ?? '')
  const isOpened = owned !== undefined && operationRow(named).opens !== undefined
  const effect = effects[named]
  return explained(about, `${named} was accepted: ${checks.length} checks passed.`, [
    ...passed(named, checks),
    ...since,
    ...notes.map((note): WhyStep => ({ what: note, result: 'noted', detail: null, claims: [] })),
    ...(effect === undefined ? [] : [decided(effect[0], null, effect[1])]),
    ...(isOpened ? lifeOf(owned) : []),
  ])
}

/**
 * Why a transaction is where it is. It was accepted, so every check of its request passed; once the log has
 * dropped that, it is not known whether it had headers.
 */
export function whyTransaction(log: ReadableLog, owned: OwnedTransaction): WhyAnswer {
  const { id, type, status, originalId } = owned.transaction
  const name = openedBy(owned.transaction)
  const request = log.log
    .list()
    .find(({ operation, answer }) => operation === name && answer.includes(`"transactionId":"${id}"`))
  const known = request && answerOf(log, request.traceId)
  const checks = checksOf(name, { isForm: true, isFree: originalId === null })
  const steps = known?.steps ?? [...passed(name, checks), ...lifeOf(owned)]
  return withRecorded(explained(`transaction ${id}`, `${type} ${id} is ${status}.`, steps), log.recorded, [
    name,
  ])
}

/** The operation that opened a transaction. */
function openedBy({ type, online }: Transaction): OperationName {
  const found = operationNames.find((name) => {
    const { opens, opensPage = false, path } = operationRow(name)
    const isOnline = path.startsWith('/v1/checkout/')
    return opens === type && isOnline === (online !== null) && opensPage === (online?.sessionId != null)
  })
  if (found === undefined) throw new Error(`no operation opens a ${type}`)
  return found
}

const passed = (name: OperationName, checks: readonly Check[]): WhyStep[] =>
  checks.map((check) => ({
    what: check.what,
    result: 'passed',
    detail: null,
    claims: claimsOf(check, [name]),
  }))

const decided = (what: string, detail: string | null, ...names: readonly ClaimName[]): WhyStep => ({
  what,
  result: 'decided',
  detail,
  claims: [...new Set(names)],
})

/** The claims about each rule that decides an outcome. */
const outcomeClaims: Readonly<Record<OutcomeRule, ClaimName>> = {
  header: 'outcome-order',
  fault: 'api-faults',
  queue: 'outcome-order',
  person: 'attended-terminal',
  terminal: 'fixtures',
  amount: 'trigger-amounts',
  card: 'cards',
  default: 'outcome-order',
  settled: 'batch-close',
}

/** What decided the outcome of a transaction, the changes of its status, and its marks. */
function lifeOf({ ledger, transaction }: OwnedTransaction): WhyStep[] {
  const { outcome, rule } = decisionOf(transaction)
  const profile = terminalOf(ledger, transaction)?.profile
  const changes = momentsOf(transaction).flatMap(({ what, detail }): WhyStep[] => {
    if (what === 'tip-chosen') return [chosenTip(Number(detail), transaction, profile)]
    if (what === 'tip-adjusted')
      return [decided(`The tip was set to ${moneyText(Number(detail), transaction)}`, null, 'tip-adjust')]
    const cause = what === 'closed' ? (detail ?? '') : what
    if (!Object.hasOwn(statusChanges, cause)) return []
    const step = cause as keyof typeof statusChanges
    const { to, why } = statusChanges[step]
    const by = step === 'cancel' ? canceller(transaction, profile) : null
    return [decided(`${to}: ${why}`, by, ...claimsAbout('steps', step))]
  })
  const result = [transaction.resultCode, transaction.resultMsg].filter(Boolean).join(' ')
  const mark = relatedStatusOf(transaction)
  return [
    ...(outcome === null || rule === null
      ? []
      : [
          decided(
            `The outcome is ${outcome}, ${deciders[rule]}`,
            result || null,
            outcomeClaims[rule],
            'outcome-order',
          ),
        ]),
    ...changes,
    ...waits(ledger, transaction),
    ...(mark === null ? [] : [decided(`A follow-up marked it ${mark}`, null, 'statuses')]),
    decided(
      batchWords[batchStatusOf(ledger, transaction)],
      transaction.batchNo === null ? null : `batch ${transaction.batchNo}`,
      'batches',
    ),
  ]
}

const moneyText = (amount: number, { currency }: Transaction): string => amountText(amount, currency)

/** Where a payment was cancelled. */
function canceller({ online, terminalSn }: Transaction, profile: TerminalProfile | undefined): string {
  if (online !== null) return 'on its page'
  return profile?.cancels ? `${terminalSn} is set to cancel` : `at ${terminalSn}`
}

/** The tip that a cardholder chose on the screen. */
function chosenTip(tip: number, transaction: Transaction, profile: TerminalProfile | undefined): WhyStep {
  const { mode, tipPercent = 0 } = profile ?? {}
  const by = mode === 'auto' ? `${transaction.terminalSn} is set to choose ${tipPercent} %` : null
  return decided(`A tip of ${moneyText(tip, transaction)} was chosen`, by, 'terminal-screens')
}

/** The claims about what a transaction waits for. */
const waitingClaims: Readonly<Record<NonNullable<ReturnType<typeof waitingReason>>['for'], ClaimName>> = {
  host: 'abort-and-expiry',
  shopper: 'checkout',
  online: 'terminal-queue',
  line: 'terminal-queue',
  person: 'attended-terminal',
}

function waits(ledger: Ledger, transaction: Transaction): WhyStep[] {
  const waiting = waitingReason(ledger, transaction)
  const words = waitsFor(ledger, transaction)
  return waiting === null || words === null
    ? []
    : [decided(`It waits for ${words}`, null, waitingClaims[waiting.for])]
}

const batchWords = { N: 'It is in no batch', U: 'Its batch is open', C: 'Its batch is closed' } as const
