import { string as stringArg } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { BaseCommand } from '../../base-command.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { clean } from '../../output/clean.ts'
import { profileNamed } from '../../profile/profiles.ts'
import { useProfile } from '../../settings/settings-files.ts'

export default class ProfileUse extends BaseCommand {
  static override summary = 'Choose the default profile of your commands.'
  static override description =
    'The choice is yours alone, and holds in every folder. A flag or an environment variable wins over the profile.'
  static override examples = ['tillbox profile use staging', 'tillbox profile use --none']
  static override args = { name: stringArg({ description: 'Name of the profile.' }) }
  static override flags = { none: boolean({ description: 'Use no profile.' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfileUse)
    if (args.name !== undefined && flags.none)
      throw new UsageError(['<name>', 'and --none exclude each other'], 'Remove one of them')
    if (args.name === undefined && !flags.none)
      throw new UsageError('Name a profile, or pass --none', 'List them: `tillbox profile list`', 'name')
    const hint = 'For none: `tillbox profile use --none`' // default or none may have meant that
    const name = args.name === undefined ? undefined : profileNamed(args.name, hint).name
    useProfile(name)
    const text =
      name === undefined
        ? 'No profile is chosen.\n'
        : `${clean(name)} is chosen for commands that name none.\n`
    await this.show({ current: name ?? null }, () => text)
  }
}
