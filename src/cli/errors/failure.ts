import { ServiceRefusal } from '../../client/client.ts'
import { ForeignAnswer, Unreachable, UnusableAnswer } from '../../client/http.ts'
import { asLostAnswer, type LookUpIds, LostAnswer } from '../../client/lost-answer.ts'
import { whyBare } from '../../client/read-envelope.ts'
import { UnusableLock } from '../../client/sandbox-lock.ts'
import { NoSandbox } from '../../client/which-sandbox.ts'
import { isOnLoopback } from '../../contract/control/state-folder.ts'
import { type ErrorCode, errorTable, Refusal } from '../../contract/errors.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Members } from '../../contract/validate.ts'
import { command } from '../../shared/text/commands.ts'
import { isDatabaseUrl } from '../../shared/text/http-url.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import type { Failure } from '../answer-shapes.ts'
import { isUrlTyped } from '../hints/same-sandbox.ts'
import { exitCodes, FailureError } from './exit-codes.ts'
import { fileFailure } from './system-error.ts'

/** The failure for an error, or undefined for a bug. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof ServiceRefusal) return refusedByService(error)
  if (error instanceof LostAnswer) return lostAnswer(error)
  if (error instanceof FailureError) return error.failure
  if (!(error instanceof Error)) return undefined
  const { message } = error
  if (error instanceof Refusal)
    return { exitCode: exitCodes.usage, message, field: error.field, remedy: error.remedy }
  const file = fileFailure(error)
  if (file !== undefined) return { exitCode: exitCodes.usage, message: file[0], remedy: file[1] }
  const remedy = connectionRemedy(error)
  return remedy === undefined ? undefined : { exitCode: exitCodes.unreachable, message, remedy }
}

/** What to do where nothing usable answers; undefined for any other error. */
function connectionRemedy(error: Error): string | undefined {
  if (error instanceof Unreachable) return remedyOfUnreachable(error, isUrlTyped())
  if (error instanceof NoSandbox) {
    const again = error.isNode ? ', with the --store that it had: its state is in a database' : ''
    if (error.other !== undefined) return otherRemedy(error.other)
    if (error.isProject) return `Start it: ${command('sandbox start')}${again}`
    return `Start one: ${command('sandbox start --state', error.state)}${again}`
  }
  if (error instanceof UnusableLock)
    return 'If that sandbox is yours, start it again or name it with --base-url; if it is not, name another folder with --state'
  if (error instanceof UnusableAnswer)
    return 'Check --base-url and TILLBOX_BASE_URL: no service of this API answers there'
  if (error instanceof ForeignAnswer)
    return 'Check --base-url and TILLBOX_BASE_URL: another program may listen there'
  return undefined
}

/** Nobody said which of two sandboxes is meant. */
const otherRemedy = ({ baseUrl, state }: NonNullable<NoSandbox['other']>): string => {
  const folder = isDatabaseUrl(state) ? '' : `--state ${shellQuote(state)}, or `
  return `Name that one with ${folder}--base-url ${baseUrl}. Or start one here: ${command('sandbox start')}. Nothing was changed`
}

/**
 * Remedy when no service answers. A cut connection to http:// may mean that the service requires TLS.
 * `isNamed`: the URL was typed.
 */
function remedyOfUnreachable({ url, wasCut, isLate }: Unreachable, isNamed: boolean): string {
  const tls = wasCut && url.startsWith('http:') ? '. If it serves TLS, use https://' : ''
  if (isNamed) return `Check --base-url${tls}; left out, the sandbox of this folder is used`
  if (!isOnLoopback(url)) return `Check the base URL${tls}. What set it: ${command('whoami')}`
  if (isLate) return `It may be busy: try again. If it hangs, ${command('sandbox stop')} says how to end it`
  return `Start a sandbox: ${command('sandbox start')}. Or check the base URL${tls}. What set it: ${command('whoami')}`
}

function lostAnswer(lost: LostAnswer): Failure | undefined {
  const failure = failureOf(lost.cause)
  if (failure === undefined) return undefined
  const { transactionRequestId, transactionId } = lost.ids
  return {
    ...failure,
    transactionRequestId,
    transactionId,
    detail: 'The request was sent and may have been carried out',
    remedy: afterLost(lost) ?? failure.remedy,
  }
}

/**
 * The error of an operation. After a 5xx of the service, which may have carried the request out, it has the
 * id of the request and the look-up command. An injected fault says itself that nothing happened, and to send
 * the same ids again.
 */
export function withLookUp(error: Error, name: OperationName, members: Members): Error {
  if (!(error instanceof ServiceRefusal)) return error
  const failure = refusedByService(error)
  const isHarmless = failure.code === 'SBX_INJECTED'
  if (!error.outcomeUnknown && !isHarmless) return error
  const lost = asLostAnswer(error, name, members)
  return new FailureError({
    ...failure,
    transactionRequestId: lost.ids.transactionRequestId,
    remedy: [failure.remedy, isHarmless ? '' : afterLost(lost)].filter(Boolean).join('. '),
  })
}

/** What to do before a request is sent again; undefined for one without an id. */
function afterLost({ closesBatch, ids, opensSession }: LostAnswer): string | undefined {
  const { transactionRequestId } = ids
  if (opensSession && transactionRequestId !== undefined)
    return `Close it before you open another: ${command('checkout expire --transaction-request-id', transactionRequestId)}`
  const look = closesBatch ? command('batch list') : lookUp(ids)
  return look && `Look it up before you send another: ${look}`
}

/** The command that looks up the result of a request; undefined when no id identifies it. */
function lookUp(ids: LookUpIds): string | undefined {
  const byRequest = ids.transactionRequestId ?? ids.originalTransactionRequestId
  if (ids.transactionRequestId === undefined && ids.originalTransactionId !== undefined)
    return command('query', ids.originalTransactionId)
  if (byRequest !== undefined) return command('query --transaction-request-id', byRequest)
  return (
    ids.sessionId && `${command('checkout expire', ids.sessionId)}, which is refused if it is closed already`
  )
}

/** Refusals of a key, which a flag, the environment or a settings file may have set. */
const keyRefusals: ReadonlySet<string> = new Set<ErrorCode>([
  'SBX_KEY_UNKNOWN',
  'SBX_KEY_ENV',
  'SBX_KEY_EXPIRED',
])

/**
 * The service's own words, completed from the error table if it has the code. After a 5xx the request may
 * have been carried out, whoever answered.
 */
function refusedByService({ envelope, httpStatus, retryAfter }: ServiceRefusal): Failure {
  const row = Object.hasOwn(errorTable, envelope.code) ? errorTable[envelope.code as ErrorCode] : undefined
  return {
    exitCode: httpStatus >= 500 ? exitCodes.unreachable : exitCodes.refused,
    message: envelope.msg || row?.message || `The service refused with code ${envelope.code}`,
    code: envelope.code,
    field: envelope.field,
    detail: envelope.detail ?? whyBare(envelope),
    remedy: [
      retryAfter !== undefined && `Try again in ${retryAfter} s`,
      envelope.remedy ?? row?.remedy,
      keyRefusals.has(envelope.code) && 'What set the key: `tillbox whoami`',
    ]
      .filter(Boolean)
      .join('. '),
    others: envelope.others,
    traceId: envelope.traceId || undefined,
    httpStatus,
  }
}
