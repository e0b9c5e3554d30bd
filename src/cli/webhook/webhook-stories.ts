import { control } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import type { WebhookStory } from '../../contract/sandbox/webhooks.ts'
import type { Members } from '../../contract/validate.ts'

/** Ids of the notifications whose deliveries are `wanted`, each once. Errors: as `control`. */
export async function notificationIds(sandbox: SandboxAddress, wanted: Members): Promise<string[]> {
  const { deliveries } = await control(sandbox, 'webhooks', wanted)
  return [...new Set(deliveries.map(({ id }) => id))]
}

/** Notifications with every attempt. Errors: as `control`. */
export async function webhookStories(sandbox: SandboxAddress, ids: readonly string[]): Promise<WebhookStory> {
  const stories: WebhookStory[] = []
  for (const id of ids) stories.push(await control(sandbox, 'webhook', undefined, { names: { id } }))
  return { deliveries: stories.flatMap(({ deliveries }) => deliveries) }
}
