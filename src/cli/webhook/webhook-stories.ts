import { control } from '../../client/client.ts'
import type { FoundSandbox, SandboxAddress } from '../../client/discover.ts'
import { controlLimits } from '../../contract/control/control.ts'
import type { WebhookStory } from '../../contract/control/webhooks.ts'
import type { Members } from '../../contract/validate.ts'
import { NothingFound } from '../errors/exit-codes.ts'
import { ownerIn, resolveTransactionId } from '../operation/earlier-result.ts'

/** Ids of the notifications whose deliveries are `wanted`, each once. */
export async function notificationIds(sandbox: SandboxAddress, wanted: Members): Promise<string[]> {
  const { deliveries } = await control(sandbox, 'webhooks', wanted)
  return [...new Set(deliveries.map(({ id }) => id))]
}

/** Ids of the notifications that a word names: its own, or those of a transaction by id or `@last`. */
export async function notificationsNamed(sandbox: FoundSandbox, typed: string): Promise<readonly string[]> {
  const id = await resolveTransactionId(typed, ownerIn(sandbox))
  if (!/^\d+$/.test(id)) return [id]
  const ids = await notificationIds(sandbox, { transactionId: id, limit: controlLimits.deliveries })
  if (ids.length > 0) return ids
  throw new NothingFound(
    `The transaction ${id} has no webhook`,
    `Send one: \`tillbox webhook send ${id} --to <url>\``,
  )
}

/** Notifications with every attempt. */
export async function webhookStories(sandbox: SandboxAddress, ids: readonly string[]): Promise<WebhookStory> {
  const stories: WebhookStory[] = []
  for (const id of ids) stories.push(await control(sandbox, 'webhook', undefined, { names: { id } }))
  return { deliveries: stories.flatMap(({ deliveries }) => deliveries) }
}
