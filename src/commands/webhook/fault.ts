import { isDeepStrictEqual } from 'node:util'
import { boolean, integer, string } from '@oclif/core/flags'
import { UsageError } from '../../cli/errors/exit-codes.ts'
import { shareFrom } from '../../cli/input/typed-values.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'
import { control } from '../../client/client.ts'
import { faultShares, type WebhookKind } from '../../contract/sandbox/fault-shares.ts'
import { mostReordered } from '../../contract/sandbox/faults.ts'
import { noFaults } from '../../contract/sandbox/webhook-faults.ts'
import { parseDurationRange } from '../../text/duration.ts'

const shareFlag = (description: string) => string({ description })

/** A flag for each fault that hits a share, named as the fault is. */
const shareFlags = Object.fromEntries(
  Object.values(faultShares).map(({ kind, does }) => [
    kind,
    shareFlag(`Share that is ${does}; 0 turns it off.`),
  ]),
) as Record<WebhookKind, ReturnType<typeof shareFlag>>

export default class WebhookFault extends SandboxCommand {
  static override summary = 'Inject webhook faults: drop, duplicate, delay, reorder.'
  static override description =
    'Faults apply to deliveries to every URL: a notifyUrl, --forward-to, and those of listen. ' +
    'A share is 0 to 1. Flags that are left out change nothing; a share of 0 turns one fault off, --clear all ' +
    'of them. Setting a fault restarts its random choices: the same seed injects the same faults into the next webhooks. ' +
    'webhook list shows the faults of the last attempt of each delivery.'
  static override examples = [
    'tillbox webhook fault --duplicate 0.2 --drop 0.1 --seed 7',
    'tillbox webhook fault --delay 1s..5s --reorder 3 --bad-signature 0.05 --stale 0.05',
    'tillbox webhook fault --drop 0',
    'tillbox webhook fault --clear',
  ]
  static override memberFlags = { delayMs: 'delay' }
  static override flags = {
    ...shareFlags,
    delay: string({
      description: 'Delay before the first attempt: 2s, 500ms, seconds, or 1s..5s; 0 turns it off.',
    }),
    reorder: integer({
      description:
        'Window size: send a random one of this many waiting notifications next; 1 keeps the order.',
      min: 1,
      max: mostReordered,
    }),
    seed: integer({
      description: 'Seed of the random choices; set again, the same seed repeats them.',
      min: 0,
    }),
    clear: boolean({ description: 'Turn all faults off.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookFault)
    const order = {
      ...parseShares(flags),
      ...(flags.delay !== undefined && { delayMs: parseDelay(flags.delay) }),
      ...(flags.reorder !== undefined && { reorder: flags.reorder }),
      ...(flags.seed !== undefined && { seed: flags.seed }),
    }
    const isChange = Object.keys(order).length > 0
    const both = '--clear cannot be combined with other faults'
    if (flags.clear && isChange) throw new UsageError(both, 'Remove the other flags, or --clear', 'clear')
    const sandbox = await this.find(flags)
    const before = flags.clear ? noFaults : await control(sandbox, 'webhook-faults')
    const wanted = { ...before, ...order }
    if (flags.seed !== undefined && isDeepStrictEqual({ ...wanted, seed: noFaults.seed }, noFaults))
      throw new UsageError('--seed needs a fault', 'Pass a share too, such as --drop 0.1')
    const faults = flags.clear || isChange ? await control(sandbox, 'set-webhook-faults', wanted) : before
    await this.show(faults, async () =>
      (await import('../../cli/webhook/render-webhooks.ts')).renderWebhookFaults(faults, sandbox.notifyUrl),
    )
  }
}

/** The shares that were given, by their members. Errors: UsageError. */
const parseShares = (flags: { readonly [K in WebhookKind]?: string | undefined }): Record<string, number> =>
  Object.fromEntries(
    Object.entries(faultShares).flatMap(([member, { kind }]) => {
      const text = flags[kind]
      return text === undefined ? [] : [[member, shareFrom(text, kind)]]
    }),
  )

/** From and to, in milliseconds; null for none. Errors: UsageError. */
function parseDelay(text: string): [number, number] | null {
  const delay = parseDurationRange(text)
  if (typeof delay === 'string')
    throw new UsageError(
      `--delay ${text} ${delay}`,
      'Use 500ms, 90s, or a range with the shorter duration first: 1s..5s',
    )
  return delay[1] === 0 ? null : [...delay]
}
