import { droppedByFault } from '../../contract/control/webhook-stream.ts'
import type { SeenWebhook } from '../../contract/exam/situation.ts'
import type { Meet, Run, RunNotification } from './run.ts'
import { hasLearned, isGenuine, isTaken, unlearned } from './told.ts'

type JudgeWebhook = (run: Run, notification: RunNotification, fault: string) => string | null | undefined

/** Notifications of which an attempt was as asked for, and what was left out after it. */
export function notified({ webhook, judged }: SeenWebhook): Meet {
  const judge: JudgeWebhook = { acknowledged, learned, refused, harmless: refusedOrAcknowledged }[judged]
  return (run) =>
    run.notifications
      .filter((notification) => isMet(webhook, notification))
      .flatMap((notification) => {
        const gap = judge(run, notification, webhook)
        return gap === undefined
          ? []
          : [{ gap, transactionId: notification.delivery.transactionId, traceId: null }]
      })
}

function isMet(webhook: string, { delivery, attempts, isOvertaken }: RunNotification): boolean {
  if (webhook === 'resent') return delivery.round !== undefined
  if (webhook === 'overtaken') return isOvertaken
  if (webhook === 'failed')
    return attempts.some((each) => isGenuine(each) && ![200, droppedByFault].includes(each.last))
  return attempts.some(({ fault }) => fault?.includes(webhook))
}

/** Every notification is acknowledged once; a repeat may be called one, with 409. */
function acknowledged(_: Run, { delivery, attempts }: RunNotification, fault: string): string | null {
  const { last = 'no answer', copy = last } = attempts.at(-1) ?? {}
  const refusal = attempts.find(
    (each) => isGenuine(each) && each.fault?.includes(fault) && [400, 401, 403].includes(Number(each.last)),
  )
  if (refusal !== undefined) return `your endpoint did not acknowledge it with 200: ${refusal.last}`
  const isKnown = delivery.delivered || attempts.some(isTaken)
  if (!isKnown) return `your endpoint did not acknowledge it with 200: ${last}`
  return [200, 409].includes(Number(copy)) ? null : `your endpoint did not acknowledge the repeat: ${copy}`
}

/** The result is known, by whichever way. */
function learned(run: Run, { delivery }: RunNotification): string | null {
  const transaction = run.transactions.find(({ id }) => id === delivery.transactionId)
  return transaction === undefined || hasLearned(run, transaction) ? null : unlearned
}

/** What nobody sent is refused each time, with a status of the client's fault once it was read. */
const refused: JudgeWebhook = (run, notification, fault) =>
  refusedUnless(run, notification, fault, 'refuse it with a status such as 401', () => {
    // what it was told so it may have ignored, and asked for
    const transaction = run.transactions.find(({ id }) => id === notification.delivery.transactionId)
    const others = run.notifications.filter((each) => each !== notification)
    if (transaction !== undefined && hasLearned({ ...run, notifications: others }, transaction)) return null
    return 'your endpoint acknowledged it, so it did not check the signature'
  })

/** What may be played back is refused for its time, or acknowledged: nothing is new in it. */
const refusedOrAcknowledged: JudgeWebhook = (run, notification, fault) =>
  refusedUnless(run, notification, fault, 'refuse it, or acknowledge it with 200', () => null)

/** `whenTaken`: the gap of an endpoint that acknowledged it. Undefined: the answers prove nothing. */
function refusedUnless(
  run: Run,
  notification: RunNotification,
  fault: string,
  must: string,
  whenTaken: () => string | null,
): string | null | undefined {
  const answers = notification.attempts
    .filter((each) => each.fault?.includes(fault))
    .flatMap(({ last }) => (typeof last !== 'number' || isAway(last) ? [] : [last]))
  if (answers.includes(200)) return whenTaken()
  if (answers.some(isRefusal)) return takesGenuine(run, notification) ? null : undefined
  return answers.length === 0 ? undefined : `your endpoint must ${must}; it answered ${answers.at(-1)}`
}

/**
 * True for an endpoint that takes genuine notifications: one that refuses all proves nothing by a refusal.
 */
const takesGenuine = ({ notifications }: Run, { delivery: { url } }: RunNotification): boolean =>
  notifications.some(({ delivery, attempts }) => delivery.url === url && attempts.some(isTaken))

const isRefusal = (status: number): boolean => status >= 400 && status < 500

/** A gateway answers so while no endpoint runs behind it, as during a deployment. */
const isAway = (status: number): boolean => status >= 502 && status <= 504
