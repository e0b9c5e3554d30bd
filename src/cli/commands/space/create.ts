import { string as stringArg } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { parseDurationFlag } from '../../input/typed-values.ts'
import { ServerCommand, summaryOf } from '../../sandbox-command.ts'

export default class SpaceCreate extends ServerCommand {
  static override summary = summaryOf('create-space')
  static override description =
    'It has applications, keys, terminals, a clock, faults, webhooks, a log and snapshots of its own. Its API key leads ' +
    'to it on the usual paths; its pages and everything else are under /s/<name>/. Other commands act on it with --space.'
  static override examples = [
    'tillbox space create ci-1 --ttl 1h',
    'tillbox sale --amount 10.00 --space ci-1',
    'eval "$(tillbox sandbox env --space ci-1)"',
    'tillbox space create --ttl 15m --json',
  ]
  static override args = {
    name: stringArg({ description: 'Name: lower-case letters, digits, dashes; default: a generated one.' }),
  }
  static override memberFlags = { ttlMs: 'ttl' }
  static override flags = {
    ttl: string({
      description:
        'Remove it automatically after this time: 15m, 1h, 7d; default: it stays until it is removed.',
      helpValue: '<duration>',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SpaceCreate)
    const ttlMs = flags.ttl === undefined ? undefined : parseDurationFlag(flags.ttl, 'ttl')
    await this.ask(flags, 'create-space', { members: { name: args.name, ttlMs } }, async (space) =>
      (await import('../../sandbox/render-spaces.ts')).renderCreatedSpace(space),
    )
  }
}
