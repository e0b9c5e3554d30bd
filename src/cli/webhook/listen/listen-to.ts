import { control } from '../../../client/client.ts'
import type { SandboxAddress } from '../../../client/discover.ts'
import { isUnsent, openRequest } from '../../../client/http.ts'
import { type Connected, reconnecting } from '../../../client/reconnect.ts'
import { type Listened, RecentIds, readListened } from '../../../client/server-sent-events.ts'
import type { ControlInput } from '../../../contract/control/controls/controls.ts'
import { receiverTimeout } from '../../../contract/control/webhook-delivery.ts'
import {
  droppedByFault,
  type HandedDelivery,
  type StreamedNotification,
} from '../../../contract/control/webhook-stream.ts'
import {
  type EndpointAnswer,
  failureReason,
  presenceText,
  readEndpointAnswer,
} from '../../../contract/transport/connection-errors.ts'
import type { ListenedAttempt } from '../../answer-shapes.ts'
import { clean } from '../../output/clean.ts'
import { shownUrl } from '../../sandbox/shown-start.ts'

/** What is listened to, and where it goes. */
export interface ListenOptions {
  readonly find: () => Promise<SandboxAddress>
  /** What the sandbox is asked for; without a URL the notifications are only read. */
  readonly wanted: ControlInput<'listen'>
  readonly added: Readonly<Record<string, string>>
  /** Said when the first stream opens. */
  readonly ready: string
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/** Shows a notification, with the attempt at it and a function that sends it again where it is forwarded. */
export type ShowListened = (
  notification: StreamedNotification,
  made?: ListenedAttempt,
  again?: () => void,
) => Promise<void>

/** Listens until `signal`, over restarts of the sandbox, which keeps the position. */
export async function listenTo(options: ListenOptions, show: ShowListened): Promise<void> {
  const { find, wanted, ready, say } = options
  const ended = new AbortController()
  const signal = AbortSignal.any([options.signal, ended.signal])
  const answers = new AnsweredAttempts()
  const forward = makeForwarder({ ...options, signal }, show, answers)
  const shownIds = new RecentIds()
  let lastId: string | undefined
  let failure: { readonly error: unknown } | undefined
  const underWay = new Set<Promise<void>>()
  let isFirst = true

  const handle = async (listened: Listened, address: SandboxAddress, connected: Connected) => {
    if ('followed' in listened) {
      isFirst = false
      answers.reconnected()
      lastId ??= listened.id
      const kind = connected()
      if (kind !== 'still')
        say(`${kind === 'first' ? ready : 'Listening again'}\n${missedText(listened.followed.missed)}`)
    } else if ('handed' in listened) {
      const delivered = forward(listened.handed, address)
        .catch((error: unknown) => {
          failure ??= { error }
          ended.abort()
        })
        .finally(() => underWay.delete(delivered))
      underWay.add(delivered)
    } else if ('superseded' in listened) {
      say(
        `${shownUrl(String(wanted.url))}: ${listened.superseded ? supersededText : 'notifications come here again'}\n`,
      )
    } else {
      const { notification } = listened
      if (!shownIds.has(notification.id)) await show(notification)
      shownIds.add(notification.id)
      lastId = notification.id
    }
  }
  const session = async function* (connected: Connected) {
    const address = await find()
    const now = isFirst ? wanted : { ...wanted, fromNow: false }
    for await (const listened of readListened(address, now, lastId, signal))
      yield { listened, address, connected }
  }
  const onLost = (wasConnected: boolean) => {
    if (wasConnected) say('The sandbox is gone; waiting for it\n')
  }
  try {
    for await (const { listened, address, connected } of reconnecting(session, signal, onLost))
      await handle(listened, address, connected)
  } finally {
    const pending = underWay.size
    await Promise.all(underWay)
    if (pending > 0)
      say(`${shownUrl(String(wanted.url))}: unforwarded notifications follow at the next start\n`)
  }
  if (failure !== undefined) throw failure.error
}

const supersededText = 'a later tillbox listen forwards there; notifications come here again when it ends'

/** Posts a delivery, reports what came of it, and shows it. */
function makeForwarder(
  { wanted, added, say, signal }: ListenOptions,
  show: ShowListened,
  answers: AnsweredAttempts,
) {
  const url = wanted.url ?? ''
  const to = url && shownUrl(url)
  const waits = wanted.retries == null || wanted.retries.length > 0
  let isGone = false
  const notePresence = ({ absent, error }: ForwardAnswer) => {
    if (absent !== isGone) say(`${clean(presenceText(to, absent ? error : null))}\n`)
    isGone = absent
  }
  return async (handed: HandedDelivery, address: SandboxAddress): Promise<void> => {
    const { notification, attempt, fault } = handed
    const again = () =>
      void resend(address, notification.id, wanted).catch((error: Error) => say(`${clean(error.message)}\n`))
    const shown = (
      { status, error, durationMs }: Pick<ForwardAnswer, 'status' | 'error' | 'durationMs'>,
      retryMs: number | null,
    ) => show(notification, { to, attempt, status, error, durationMs, fault, retryMs }, again)
    if (handed.handed === null) return shown({ status: null, error: droppedByFault, durationMs: 0 }, null)
    const earlier = answers.before(handed)
    if (earlier !== undefined) return report(address, handed.handed, earlier)
    const headers = { ...notification.headers, ...added }
    const answer = await forwardOnce(new URL(url), headers, notification.body, signal)
    if (signal.aborted && answer.status === null) return
    if (waits) notePresence(answer)
    if (answer.status !== null) answers.add(handed, answer)
    await report(address, handed.handed, answer)
    if (answer.absent && waits) return
    await shown(answer, answer.status === 200 ? null : handed.retryMs)
  }
}

/** Answers that are remembered for each connection. */
const mostAnswers = 1_000

/**
 * Answers to attempts whose reports a stopped sandbox may not have recorded: it hands those attempts over
 * again, and gets the answer without another post.
 */
class AnsweredAttempts {
  #before = new Map<string, ForwardAnswer>()
  #now = new Map<string, ForwardAnswer>()

  add(handed: HandedDelivery, answer: ForwardAnswer): void {
    this.#now.set(attemptKey(handed), answer)
    const [oldest = ''] = this.#now.keys()
    if (this.#now.size > mostAnswers) this.#now.delete(oldest)
  }

  /** The answer that the same attempt got over an earlier connection; returned once. */
  before(handed: HandedDelivery): ForwardAnswer | undefined {
    const key = attemptKey(handed)
    const answer = this.#before.get(key)
    this.#before.delete(key)
    return answer
  }

  reconnected(): void {
    this.#before = this.#now
    this.#now = new Map()
  }
}

const attemptKey = ({ notification, resends, attempt }: HandedDelivery): string =>
  `${notification.id} ${resends} ${attempt}`

/** A report that does not arrive is made up for: the sandbox hands the delivery over again. */
async function report(address: SandboxAddress, handed: string, answer: ForwardAnswer): Promise<void> {
  const { status, error, absent: unreachable, ...others } = answer
  const members = {
    handed,
    ...others,
    unreachable,
    ...(status !== null && { status }),
    ...(error !== null && { error }),
  }
  await control(address, 'report-attempt', members).catch(() => undefined)
}

const resend = (address: SandboxAddress, id: string, { url, listener }: ControlInput<'listen'>) =>
  control(address, 'resend-webhooks', { ids: [id], to: url, listener })

function missedText(count: number): string {
  if (count === 0) return ''
  return count === 1
    ? '1 notification was missed meanwhile; it follows if it fits the filters\n'
    : `${count} notifications were missed meanwhile; those that fit the filters follow\n`
}

/** The result of forwarding a notification; the status is null when no answer came. */
export interface ForwardAnswer extends EndpointAnswer, Pick<ListenedAttempt, 'durationMs' | 'error'> {
  /** True when no connection could be opened: nothing was sent. */
  readonly absent: boolean
}

/**
 * Posts a notification once, byte for byte with its headers. Only the status counts as answer; the body, or a
 * switch of protocol, is ignored. Always resolves; immediately when `signal` aborts.
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
      error: failureReason(why) || 'no answer',
      responseHeaders: {},
      responseBody: '',
      absent: isUnsent(why),
    }
  }
}
