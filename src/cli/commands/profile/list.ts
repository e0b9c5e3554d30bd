import { BaseCommand } from '../../base-command.ts'
import { profileViews } from '../../profile/profiles.ts'

export default class ProfileList extends BaseCommand {
  static override summary = 'List your profiles.'
  static override examples = ['tillbox profile list', 'tillbox profile list --json']

  static override listMember = 'profiles'

  async run(): Promise<void> {
    await this.parse(ProfileList)
    const profiles = profileViews()
    await this.show({ profiles }, async () =>
      (await import('../../profile/render-profiles.ts')).renderProfiles(profiles),
    )
  }
}
