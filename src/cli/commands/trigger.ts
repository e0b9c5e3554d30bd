import { string as stringArg } from '@oclif/core/args'
import { boolean, integer } from '@oclif/core/flags'
import { asText } from '../../client/tolerant.ts'
import type { Done } from '../../testing/scenario/steps/run-context.ts'
import { BaseCommand } from '../base-command.ts'
import { connectionFlags, resolveProfile } from '../connection/profile.ts'
import { requireSandbox, tellSent } from '../connection/sandbox-address.ts'
import { UsageError } from '../errors/exit-codes.ts'
import {
  renderStep,
  renderTriggers,
  runTrigger,
  toldFor,
  triggerNamed,
  triggers,
} from '../scenario/triggers.ts'
import { readyToWait, waitForDeliveries, waitWebhooksFlags } from '../webhook/wait-webhooks.ts'

export default class Trigger extends BaseCommand {
  static override summary = 'Run a scenario in the running sandbox, with its webhooks.'
  static override description =
    'A trigger is a built-in scenario, which --list shows, or a scenario file of your own: see docs/scenarios.md. ' +
    'host-timeout and late-approval advance the sandbox clock by a minute; tillbox sandbox clock ' +
    '--reset undoes that.'
  static override examples = [
    'tillbox trigger --list',
    'tillbox trigger refund-partial',
    'tillbox trigger checkout-paid --json',
    'tillbox trigger refund-partial --count 200',
    'tillbox trigger ./own.yaml',
  ]
  static override args = { trigger: stringArg({ description: 'Name of the trigger, or a scenario file.' }) }
  static override flags = {
    list: boolean({ description: 'List every trigger.' }),
    count: integer({
      description: 'How often to run it.',
      default: 1,
      min: 1,
      max: 10_000,
      helpValue: '<n>',
    }),
    ...waitWebhooksFlags,
    ...connectionFlags,
  }

  protected override listIn(flags: Readonly<Record<string, unknown>>): string | undefined {
    return flags.list === true ? 'triggers' : undefined
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Trigger)
    if (flags.list) {
      const all = await triggers()
      const named = all.map(({ name, summary }) => ({ name, summary }))
      return this.show({ triggers: named }, () => renderTriggers(all))
    }
    if (args.trigger === undefined)
      throw new UsageError(['<trigger>', 'is missing'], 'List the triggers: `tillbox trigger --list`')
    const { name, scenario } = await triggerNamed(args.trigger)
    const profile = await resolveProfile(flags, this.config.version, toldFor(scenario))
    await requireSandbox(profile, 'A trigger')
    tellSent(profile.target)
    await readyToWait(profile.target, flags)
    const done: Done[] = []
    for (let run = 0; run < flags.count; run++)
      await runTrigger(scenario, profile, (step) => {
        done.push(step)
        if (!flags.json) process.stdout.write(renderStep(step))
      })
    await this.show({ trigger: name, steps: done }, () => '')
    const ids = done.flatMap(
      ({ answer }) => asText((answer as { transactionId?: unknown }).transactionId) ?? [],
    )
    await waitForDeliveries(profile.target, flags, { transactionIds: [...new Set(ids)] })
  }
}
