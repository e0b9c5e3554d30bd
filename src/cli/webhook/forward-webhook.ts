import { isUnsent, openRequest } from '../../client/http.ts'
import { receiverTimeout } from '../../contract/sandbox/webhooks.ts'
import { type EndpointAnswer, readEndpointAnswer, reasonOf } from '../../transport/connection-errors.ts'

/** The result of forwarding a notification; the status is null when no answer came. */
export interface ForwardAnswer extends EndpointAnswer {
  readonly durationMs: number
  readonly error: string | null
  /** True when no connection could be opened: nothing was sent. */
  readonly absent: boolean
}

/**
 * Posts a notification once, byte for byte with its headers. Only the status counts as answer; the body, or a switch of
 * protocol, is ignored. Always resolves; immediately when `signal` aborts.
 */
export async function forwardOnce(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
  timeout = receiverTimeout,
): Promise<ForwardAnswer> {
  const started = performance.now()
  const took = () => Math.round((performance.now() - started) * 10) / 10
  try {
    const answer = await openRequest({ method: 'POST', url, headers, body, signal, timeout })
    const deadline = setTimeout(() => answer.destroy(), timeout - (performance.now() - started))
    const endpointAnswer = await readEndpointAnswer(answer)
    clearTimeout(deadline)
    return { ...endpointAnswer, durationMs: took(), error: null, absent: false }
  } catch (error) {
    const why = error as NodeJS.ErrnoException
    return {
      status: null,
      durationMs: took(),
      error: reasonOf(why) || 'no answer',
      responseHeaders: {},
      responseBody: '',
      absent: isUnsent(why),
    }
  }
}
