import { string as stringArg } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { BaseCommand } from '../../base-command.ts'
import { requireConfirmation } from '../../input/confirmation.ts'
import { clean } from '../../output/clean.ts'
import { profileNamed } from '../../profile/profiles.ts'
import { changeProfile } from '../../settings/settings-files.ts'

export default class ProfileRemove extends BaseCommand {
  static override summary = 'Remove one of your profiles, with its key.'
  static override examples = ['tillbox profile remove staging', 'tillbox profile remove staging --yes --json']
  static override args = { name: stringArg({ description: 'Name of the profile.', required: true }) }
  static override flags = { yes: boolean({ char: 'y', description: 'Do not ask.' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfileRemove)
    const { name, file } = profileNamed(args.name)
    if (!flags.yes) await requireConfirmation('Removing a profile', `Remove the profile ${name} and its key?`)
    changeProfile(name, () => undefined)
    const text = `${clean(`Removed ${name} from ${file}`)}.\n`
    await this.show({ status: 'removed', name }, () => text)
  }
}
