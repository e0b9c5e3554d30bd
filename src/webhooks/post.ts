import type { AttemptView } from '../contract/sandbox/webhooks.ts'
import { elapsedTime, wallTime } from '../timers.ts'
import { connectionErrors, notConnected } from '../transport/connection-errors.ts'
import { exchange } from './exchange/exchange.ts'
import type { KeptConnections } from './exchange/kept-connections.ts'
import { checkedAddresses, hasAddress, type Resolve, TargetRefused } from './webhook-target.ts'

/** One attempt to deliver, as it is stored. `at`: wall clock, milliseconds. */
export interface Attempt extends Omit<AttemptView, 'at' | 'fault'> {
  readonly at: number
}

/** An attempt that was made. */
export interface PostResult {
  readonly attempt: Attempt
  /** The address may not be called: another attempt would fail too. */
  readonly refused: boolean
  /** No connection to the URL could be opened: the attempts of all deliveries that waited for it fail too. */
  readonly unreachable: boolean
}

/** What limits an attempt. Times in milliseconds. */
export interface PostLimits {
  readonly allowedHosts: readonly string[]
  readonly connectTimeout: number
  readonly readTimeout: number
  readonly resolve?: Resolve
  /** Port at which the sandbox listens, which is never called on this machine; null where it does not. */
  readonly ownPort?: () => number | null
  /** False while another sandbox may have taken over these notifications. assumption: postgres-lease */
  readonly mayPost?: () => boolean
  /** Cuts the attempt off. */
  readonly signal?: AbortSignal
}

/** Connections that outlast an attempt. */
export interface ConnectionReuse {
  readonly kept: KeptConnections
  /** No other attempt follows immediately. */
  readonly isLast: boolean
}

/**
 * Posts once. Redirects are not followed, long answers are cut, slow ones given up. Resolves in every case. The addresses
 * that are checked are the ones that are called; of a name that is whenever a connection is opened, which without `keep`
 * is for each attempt. assumption: webhook-delivery
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowedHosts, resolve, ownPort, mayPost, ...limits }: PostLimits,
  keep: ConnectionReuse | { readonly kept: null; readonly isLast: true } = { kept: null, isLast: true },
): Promise<PostResult> {
  const [at, started] = [wallTime(), elapsedTime()]
  const sent = { at, url, requestHeaders: headers, requestBody: body }
  const took = () => ({ durationMs: elapsedTime() - started })
  try {
    if (limits.signal?.aborted) throw cutOff()
    if (mayPost?.() === false) throw new Error('another node may serve the space')
    const target = new URL(url)
    const addresses = () => checkedAddresses(target, allowedHosts, resolve, ownPort)
    if (hasAddress(target)) await addresses()
    const answer = await exchange({ url: target, addresses, headers, body, ...limits, ...keep })
    return { attempt: { ...sent, ...answer, ...took(), error: null }, refused: false, unreachable: false }
  } catch (error) {
    const none = { status: null, responseHeaders: {}, responseBody: '' }
    return {
      attempt: { ...sent, ...none, ...took(), error: whyOf(error as Error) },
      refused: error instanceof TargetRefused,
      unreachable: isUnreachable(error as Error),
    }
  }
}

const cutOff = () => new Error('cut off: the sandbox was stopped')

/** ETIMEDOUT: no connection within the time for it. */
const isUnreachable = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  notConnected.has(code) || code === 'ETIMEDOUT'

const reasons: Readonly<Record<string, string>> = connectionErrors

const whyOf = (error: NodeJS.ErrnoException): string =>
  error.name === 'AbortError' ? cutOff().message : (reasons[error.code ?? ''] ?? error.message)
