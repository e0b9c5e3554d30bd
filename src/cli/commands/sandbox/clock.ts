import { boolean, string } from '@oclif/core/flags'
import { highestSpeed } from '../../../contract/control/controls/clock-controls.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { parseDurationFlag } from '../../input/typed-values.ts'
import { SandboxCommand } from '../../sandbox-command.ts'
import { waitWebhooksFlags } from '../../webhook/wait-webhooks.ts'

const actions = ['advance', 'freeze', 'resume', 'set', 'speed', 'reset'] as const

export default class SandboxClock extends SandboxCommand {
  static override summary = 'Show, freeze, set, advance or speed up the sandbox clock.'
  static override description =
    'Expiry, late answers, the refund period and the day of a void follow this clock; request headers follow the wall ' +
    'clock. --advance runs everything that becomes due, in order, then returns. With --speed 60x a minute of the sandbox takes ' +
    'a second, also for retries of webhooks.'
  static override examples = [
    'tillbox sandbox clock',
    'tillbox sandbox clock --advance 181d',
    'tillbox sandbox clock --freeze',
    'tillbox sandbox clock --speed 60x',
  ]
  static override memberFlags = { milliseconds: 'advance', time: 'set', speed: 'speed' }
  static override flags = {
    advance: string({
      description: 'Move the clock forward: 5m, 2h, 181d, or seconds.',
      exclusive: ['freeze', 'resume', 'set', 'speed', 'reset'],
    }),
    set: string({
      description: 'Set the clock to a time, such as 2026-11-20T18:02:00Z.',
      exclusive: ['freeze', 'resume', 'speed', 'reset'],
    }),
    freeze: boolean({ description: 'Stop the clock.', exclusive: ['resume', 'speed', 'reset'] }),
    resume: boolean({ description: 'Continue from the frozen time.', exclusive: ['speed', 'reset'] }),
    speed: string({
      description: `Run that many times as fast as the wall clock, at most ${highestSpeed}x; 1x is its usual speed.`,
      helpValue: '60x',
      exclusive: ['reset'],
    }),
    reset: boolean({ description: 'Return to the wall clock.' }),
    ...waitWebhooksFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxClock)
    const action = actions.find((name) => flags[name] !== undefined && flags[name] !== false)
    const members = action && {
      action,
      milliseconds: flags.advance === undefined ? undefined : parseDurationFlag(flags.advance, 'advance'),
      time: flags.set,
      speed: flags.speed === undefined ? undefined : speedFrom(flags.speed),
    }
    await this.ask(flags, action ? 'set-clock' : 'clock', { members }, async (reading) =>
      (await import('../../output/render-time.ts')).renderClock(reading),
    )
  }
}

function speedFrom(text: string): number {
  const speed = Number(/^(\d{1,4})x?$/.exec(text)?.[1])
  if (speed >= 1 && speed <= highestSpeed) return speed
  throw new UsageError(
    ['--speed', `${text} is not a speed`],
    `Write a whole number from 1x to ${highestSpeed}x, such as 60x`,
  )
}
