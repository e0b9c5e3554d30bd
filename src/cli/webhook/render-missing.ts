import type { WebhookWait } from '../../contract/sandbox/webhooks.ts'
import { notificationInWords } from '../../presentation/words.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleaned } from '../output/clean.ts'
import { timeText } from '../output/render-time.ts'

/** Maximum deliveries that are listed; the others are only counted. */
const mostNamed = 10

/** What a wait is missing: a line for each unfinished delivery and payment. */
export function renderMissing(wait: WebhookWait): string {
  const { pending, pendingCount, processing } = cleaned(wait)
  const deliveries = pending.slice(0, mostNamed).map((delivery) => {
    const { last, attempts, nextAt, url, transactionId } = delivery
    const tries = attempts === 1 ? '1 try' : `${attempts} tries`
    const progress = attempts === 0 ? 'not tried yet' : `${last} after ${tries}`
    const next = attempts === 0 || nextAt === null ? '' : `, next ${timeText(nextAt)} (sandbox clock)`
    return `  pending     ${notificationInWords(delivery)}, transaction ${transactionId} → ${url}: ${progress}${next}\n`
  })
  const more = pendingCount - deliveries.length
  return [
    ...deliveries,
    ...(more > 0 ? [hint(`  pending     and ${more} more: tillbox webhook list --pending\n`)] : []),
    ...processing.map((id) => `  processing  transaction ${id} has not ended yet\n`),
  ].join('')
}
