import { string as stringArg } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { command } from '../../../shared/text/commands.ts'
import { BaseCommand } from '../../base-command.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { warn } from '../../hints/same-sandbox.ts'
import { clean } from '../../output/clean.ts'
import { profileNamed } from '../../profile/profiles.ts'
import { effectiveSettings } from '../../settings/effective.ts'
import { useProfile } from '../../settings/settings-files.ts'

export default class ProfileUse extends BaseCommand {
  static override summary = 'Choose the profile for commands that name none.'
  static override description =
    'The choice is yours alone and holds in every folder whose tillbox.config.json names no profile itself.'
  static override examples = ['tillbox profile use staging', 'tillbox profile use --none']
  static override args = { name: stringArg({ description: 'Name of the profile.' }) }
  static override flags = { none: boolean({ description: 'Use no profile.' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfileUse)
    if (args.name !== undefined && flags.none)
      throw new UsageError('<name> and --none exclude each other', 'Remove one of them', 'name')
    if (args.name === undefined && !flags.none)
      throw new UsageError('Name a profile, or pass --none', 'List them: `tillbox profile list`', 'name')
    const hint = 'For none: `tillbox profile use --none`' // default or none may have meant that
    const name = args.name === undefined ? undefined : profileNamed(args.name, 'user', hint).name
    useProfile(name)
    const { project, profile, overridden } = effectiveSettings({})
    const wins = overridden !== undefined || (profile !== undefined && profile.origin.kind !== 'user')
    if (wins)
      warn(
        `It is not used here: ${project?.path ?? profile?.origin.name} names a service or a profile, and wins. See ${command('whoami')}`,
      )
    const text =
      name === undefined
        ? 'No profile is chosen.\n'
        : `${clean(name)} is chosen for commands that name none.\n`
    await this.show({ current: name ?? null }, () => text)
  }
}
