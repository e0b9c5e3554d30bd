import type { Interfaces } from '@oclif/core'
import { boolean, string } from '@oclif/core/flags'
import { control } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { controlLimits } from '../../contract/control/control.ts'
import type { SessionView } from '../../contract/control/control-answers.ts'
import type { ControlInput } from '../../contract/control/controls/controls.ts'
import { answerTime } from '../../contract/control/webhook-delivery.ts'
import type { WebhookWait } from '../../contract/control/webhooks.ts'
import { command } from '../../shared/text/commands.ts'
import { counted } from '../../shared/text/words.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { warn } from '../hints/same-sandbox.ts'
import { parseWait } from '../input/typed-values.ts'

/** The wait for deliveries: of `webhook wait`, and of `--wait-webhooks` wherever deliveries are caused. */

export const waitWebhooksFlag = {
  'wait-webhooks': boolean({
    description:
      'Wait until the resulting webhooks are delivered or given up; exit code 5 when --wait is over.',
    helpGroup: 'WEBHOOKS',
    exclusive: ['no-wait'],
  }),
}

/** `--wait-webhooks` of a command that causes deliveries and waits for nothing else. */
export const waitWebhooksFlags = {
  ...waitWebhooksFlag,
  wait: string({
    description: 'How long --wait-webhooks waits.',
    helpValue: '<duration>',
    default: '30s',
    helpGroup: 'WEBHOOKS',
  }),
}

/** The flags as they were given. */
export type WaitWebhooksFlags = Readonly<Partial<Interfaces.InferredFlags<typeof waitWebhooksFlags>>>

/** The deliveries to wait for; an absent member matches all. */
export type WaitFor = Omit<ControlInput<'wait-for-webhooks'>, 'timeoutMs'>

/** Deliveries of the transaction of a hosted page. */
export const ofSession = ({ transactionId }: Pick<SessionView, 'transactionId'>): WaitFor => ({
  transactionIds: [transactionId],
})

/** How long a wait of a flag takes at most. */
export const parseWebhookWait = (text: string, flag: string): number =>
  parseWait(text, flag, controlLimits.webhookWait)

/** What asks a sandbox to answer once it came about, or the time is over. */
export const waitRequest = (wanted: WaitFor, timeoutMs: number) => ({
  members: { ...wanted, timeoutMs },
  timeout: timeoutMs + answerTime,
})

function waitFor(address: SandboxAddress, wanted: WaitFor, timeoutMs: number): Promise<WebhookWait> {
  const { members, timeout } = waitRequest(wanted, timeoutMs)
  return control(address, 'wait-for-webhooks', members, { timeout })
}

/** Checks the flags first: the timeout, and with `--wait-webhooks` that a sandbox answers. */
export async function readyToWait(address: SandboxAddress, flags: WaitWebhooksFlags): Promise<void> {
  parseWebhookWait(flags.wait ?? '30s', 'wait')
  if (flags['wait-webhooks'] !== true) return
  await waitFor(address, { ids: [] }, 0)
}

/**
 * With `--wait-webhooks`, waits until the deliveries of these transactions or notifications, or all, are
 * delivered or given up. On a timeout it prints the missing ones on standard error, and sets exit code 5 if
 * the command itself succeeded. Resolves to whether they were.
 */
export async function waitForDeliveries(
  address: SandboxAddress,
  flags: WaitWebhooksFlags,
  of: WaitFor = {},
): Promise<boolean> {
  if (flags['wait-webhooks'] !== true) return true
  const timeout = flags.wait ?? '30s'
  const result = await waitFor(address, { ...of, delivered: true }, parseWebhookWait(timeout, 'wait'))
  if (result.heldCount) {
    const { heldText } = await import('./render-deliveries.ts')
    const { errorTheme } = await import('../output/theme.ts')
    process.stderr.write(heldText(result.heldCount, errorTheme))
  }
  if (result.givenUpCount > 0)
    warn(`${counted(result.givenUpCount, 'webhook')} given up: ${command('webhook list --failed')}`)
  if (result.reached) return true
  const { renderMissing } = await import('./render-deliveries.ts')
  process.stderr.write(`Webhooks are not delivered within ${timeout}.\n${renderMissing(result)}`)
  process.exitCode ||= exitCodes.notFinal
  return false
}
