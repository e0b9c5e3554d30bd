import { string as stringArg } from '@oclif/core/args'
import { BaseCommand } from '../../base-command.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { profileNamed, profileViews } from '../../profile/profiles.ts'

export default class ProfileShow extends BaseCommand {
  static override summary = 'Show the settings of a profile, its key redacted.'
  static override examples = ['tillbox profile show', 'tillbox profile show staging --json']
  static override args = {
    name: stringArg({ description: 'Name of the profile; default: the current one.' }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ProfileShow)
    const name = args.name ?? profileViews().find(({ current }) => current)?.name
    if (name === undefined)
      throw new UsageError(
        'No profile is current',
        'Name one, or choose one: `tillbox profile use <name>`',
        'name',
      )
    const profile = profileNamed(name)
    await this.show(profile, async () =>
      (await import('../../profile/render-profiles.ts')).renderProfile(profile),
    )
  }
}
