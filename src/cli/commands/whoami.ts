import { BaseCommand } from '../base-command.ts'
import { connectionFlags } from '../connection/profile.ts'
import { whoami } from '../profile/whoami.ts'

export default class Whoami extends BaseCommand {
  static override summary = 'Show every setting in use, and what set it.'
  static override description =
    'The first of these that has a setting decides: a flag, the environment, your profile. Keys are redacted. The service ' +
    'is not called.'
  static override examples = ['tillbox whoami', 'tillbox whoami --profile staging --json']
  static override flags = connectionFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami)
    const answer = await whoami(flags)
    await this.show(answer, async () => (await import('../profile/render-profiles.ts')).renderWhoami(answer))
  }
}
