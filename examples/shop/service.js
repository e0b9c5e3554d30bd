import { setTimeout } from 'node:timers/promises'
import { createClient, ServiceRefusal } from 'tillbox'

/** Codes that the shop knows. These are the sandbox's own: in production, those of your service go here. */
export const codes = {
  batchClosed: 'SBX_BATCH_CLOSED',
  idUsed: 'SBX_DUP_TXN_ID',
  noSession: 'SBX_SESSION_NONE',
  nothingOpen: 'SBX_BATCH_EMPTY',
  settlementFailed: 'SBX_SETTLE_FAIL',
  unknown: 'SBX_TXN_UNKNOWN',
  voidTooLate: 'SBX_VOID_LATE',
}

/** Whether the service refused a request with one of these codes. */
export const isRefused = (error, ...some) =>
  error instanceof ServiceRefusal && some.includes(error.envelope.code)

/** Whether a refusal is final. After any other error a request may have been carried out, or may be sent again. */
export const isFinal = (error) =>
  error instanceof ServiceRefusal &&
  !error.outcomeUnknown && // HTTP 5xx
  error.httpStatus !== 429

/** How often a request is sent that has no answer. */
const mostTries = 3

/** Calls the service. `apiKeys`: both, while one replaces the other; the other options are those of `createClient`. */
export function openService({ apiKeys, ...options }) {
  const clients = apiKeys.map((apiKey) => createClient({ ...options, apiKey }))

  /** Calls an operation with the first key that the service takes. */
  async function call(operation, members, [client, ...others] = clients) {
    try {
      return await client[operation](members)
    } catch (error) {
      if (error.httpStatus === 401 && others.length > 0) return call(operation, members, others)
      throw error
    }
  }

  /**
   * Has a request carried out once, whatever becomes of its answer: it is looked up before it is sent again, with the
   * same transactionRequestId. Returns the answer, or the record that was found.
   */
  async function send(operation, request) {
    for (let tries = 1; ; tries++) {
      try {
        return await call(operation, request)
      } catch (error) {
        if (isRefused(error, codes.idUsed)) return find(request.transactionRequestId) // it arrived before
        if (isFinal(error) || tries === mostTries) throw error
        await setTimeout((error.retryAfter ?? 0) * 1_000)
      }
      const record = await find(request.transactionRequestId)
      if (record !== undefined) return record
    }
  }

  /** The record of a request; undefined: it never arrived. Any other refusal proves nothing. */
  async function find(transactionRequestId) {
    try {
      return await call('query', { transactionRequestId })
    } catch (error) {
      if (isRefused(error, codes.unknown)) return undefined
      throw error
    }
  }

  return { call, send, find }
}
