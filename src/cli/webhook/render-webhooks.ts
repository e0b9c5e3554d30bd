import type { WebhookSchedule } from '../../contract/control/webhook-delivery.ts'
import type { Verdict } from '../../contract/control/webhook-signing.ts'
import type { Resent, WebhookHold, WebhookRelease } from '../../contract/control/webhooks.ts'
import type { WebhookRequest } from '../../contract/signature/verify-webhook.ts'
import { command } from '../../shared/text/commands.ts'
import { hangingText, wrapText } from '../../shared/text/display-width.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleaned } from '../output/clean.ts'
import { clockTime } from '../output/render-time.ts'
import { theme } from '../output/theme.ts'
import { renderDeliveries } from './render-deliveries.ts'

/** The order of deliveries to one URL. */
export function renderOrder({ order, concurrency }: WebhookSchedule): string {
  const orderText = {
    relaxed: 'one after another; later ones go on while a failed one is retried',
    strict: 'one after another; later ones wait until a failed one is delivered or given up',
    concurrent: `at most ${concurrency} at the same time, in any order`,
  }[order]
  return `${hangingText(`${theme.strong(order)}  To each URL ${orderText}.`, order.length + 2, theme.width)}\n`
}

/** That deliveries are held back, and how many wait already. */
export function renderHold({ held }: WebhookHold): string {
  const waiting = held === 0 ? '' : ` ${deliveriesAre(held)} held.`
  const text = hint(`Webhooks are held back.${waiting} ${command('webhook release')} sends them.`)
  return `${wrapText(text, theme.width).join('\n')}\n`
}

/** The released notifications, one line each, and the number still held. */
export function renderRelease({ hold, held, released }: WebhookRelease): string {
  if (!hold) return 'Webhooks are sent as usual.\n'
  return `${renderDeliveries({ deliveries: released }, true)}${deliveriesAre(held)} still held.\n`
}

const deliveriesAre = (count: number): string => (count === 1 ? '1 delivery is' : `${count} deliveries are`)

/** The result of verifying a webhook. */
export function renderSignatureVerdict(verdict: Verdict): string {
  const { valid, note, why, remedy } = cleaned(verdict)
  if (valid) return `${theme.good('✓')} ${note ?? 'The signature is valid'}.\n`
  const problem = hangingText(`The webhook is not valid: ${why}`, 2, theme.width)
  return `${theme.bad('✗')} ${problem}\n  ${theme.faint('do')}  ${hangingText(hint(remedy ?? ''), 6, theme.width)}\n`
}

/** A webhook that webhook receive got, and its answer. */
export interface VerifiedWebhook extends WebhookRequest {
  readonly path: string
  readonly status: number
  readonly verdict: Verdict
}

/** A webhook that webhook receive got. */
export function renderReceived(received: VerifiedWebhook): string {
  const { path, headers, body, status, verdict } = cleaned(received)
  const signature = verdict.valid
    ? theme.good(verdict.note ?? 'signature valid')
    : theme.bad(verdict.why ?? 'not valid')
  const id = headers['x-client-request-id'] ?? headers['webhook-id'] ?? ''
  return `${theme.faint(clockTime(Date.now()))}  ${path}  ${status}  ${signature}  ${theme.faint(id)}\n  ${theme.faint(bodyExcerpt(body, theme.width - 2))}\n`
}

const bodyExcerpt = (body: string, width: number): string =>
  body.length <= Math.min(width, 200) ? body : `${body.slice(0, Math.min(width, 200) - 1)}…`

/** How many were resent; their results are not known yet. One webhook may have several URLs. */
export function renderResent({ resent }: Resent): string {
  if (resent.length === 0) return 'No webhook matches; nothing is sent.\n'
  const webhooks = new Set(resent).size
  const several = webhooks < resent.length
  const of = several ? ` of ${webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`}, one to each URL,` : ''
  const count = several ? `${resent.length} deliveries${of} are` : deliveriesAre(resent.length)
  return hint(`${count} resent; ${command('webhook list')} shows the result.\n`)
}
