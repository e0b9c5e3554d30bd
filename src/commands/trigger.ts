import { string as stringArg } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { BaseCommand } from '../cli/base-command.ts'
import { connectionFlags, profileOf } from '../cli/connection/profile.ts'
import { requireSandbox } from '../cli/connection/sandbox-only.ts'
import { UsageError } from '../cli/errors/usage-error.ts'
import { runTrigger, triggerNamed, triggers } from '../cli/operation/run-trigger.ts'
import { readyToSettle, settle, settleFlags } from '../cli/webhook/settle.ts'
import { textOf } from '../client/tolerant.ts'

const renderers = () => import('../cli/operation/render-triggers.ts')

export default class Trigger extends BaseCommand {
  static override summary = 'Run a scenario through the API, with real notifications.'
  static override description =
    'A trigger is a list of API calls, a file in fixtures/triggers; --list shows all. host-timeout and late-approval ' +
    `advance the sandbox clock by a minute; tillbox sandbox clock --reset undoes that.`
  static override examples = [
    '<%= config.bin %> trigger --list',
    '<%= config.bin %> trigger refund-partial',
    '<%= config.bin %> trigger checkout-paid --json',
  ]
  static override args = { trigger: stringArg({ description: 'Name of the trigger.' }) }
  static override flags = {
    list: boolean({ description: 'List every trigger.' }),
    ...settleFlags,
    ...connectionFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Trigger)
    if (flags.list) {
      const all = triggers()
      const named = all.map(({ name, summary }) => ({ name, summary }))
      return this.show(flags.json, { triggers: named }, async () => (await renderers()).renderTriggers(all))
    }
    if (args.trigger === undefined)
      throw new UsageError('<trigger> is missing', 'List the triggers: tillbox trigger --list', 'trigger')
    const trigger = triggerNamed(args.trigger)
    const profile = await profileOf(flags, this.config.version)
    await requireSandbox(profile, 'A trigger')
    await readyToSettle(profile.target, flags)
    const done = []
    for await (const step of runTrigger(trigger, profile)) {
      done.push(step)
      if (!flags.json) process.stdout.write((await renderers()).renderStep(step))
    }
    await this.show(flags.json, { trigger: trigger.name, steps: done }, () => '')
    const ids = done.flatMap(
      ({ answer }) => textOf((answer as { transactionId?: unknown }).transactionId) ?? [],
    )
    await settle(profile.target, flags, { transactionIds: [...new Set(ids)] })
  }
}
