import { boolean, string } from '@oclif/core/flags'
import { sandboxFlags } from '../../cli/connection/sandbox-address.ts'
import { durationOf } from '../../cli/input/typed-values.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'
import { waitWebhooksFlags } from '../../cli/webhook/wait-webhooks.ts'

const actions = ['advance', 'freeze', 'resume', 'set', 'reset'] as const

export default class SandboxClock extends SandboxCommand {
  static override summary = 'Show the sandbox clock, or freeze, set and advance it.'
  static override description =
    'Expiry, late answers, the refund period and the day of a void follow this clock; request headers follow the wall ' +
    `clock. --advance runs everything that becomes due, in order, then returns.`
  static override examples = [
    'tillbox sandbox clock',
    'tillbox sandbox clock --advance 181d',
    'tillbox sandbox clock --freeze',
  ]
  static override memberFlags = { milliseconds: 'advance', time: 'set' }
  static override flags = {
    advance: string({
      description: 'Move the clock forward: 5m, 2h, 181d, or seconds.',
      exclusive: ['freeze', 'resume', 'set', 'reset'],
    }),
    set: string({
      description: 'Set the clock to a time, such as 2026-11-20T18:02:00Z.',
      exclusive: ['freeze', 'resume', 'reset'],
    }),
    freeze: boolean({ description: 'Stop the clock.', exclusive: ['resume', 'reset'] }),
    resume: boolean({ description: 'Continue from the frozen time.', exclusive: ['reset'] }),
    reset: boolean({ description: 'Return to the wall clock.' }),
    ...waitWebhooksFlags,
    ...sandboxFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxClock)
    const action = actions.find((name) => flags[name] !== undefined && flags[name] !== false)
    const members = action && {
      action,
      ...(flags.advance !== undefined && { milliseconds: durationOf(flags.advance, 'advance') }),
      ...(flags.set !== undefined && { time: flags.set }),
    }
    await this.ask(flags, action ? 'set-clock' : 'clock', { members }, async (reading) =>
      (await import('../../cli/output/render-time.ts')).renderClock(reading),
    )
  }
}
