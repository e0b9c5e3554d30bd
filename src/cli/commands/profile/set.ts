import { string as stringArg } from '@oclif/core/args'
import { boolean, option, string } from '@oclif/core/flags'
import { command } from '../../../shared/text/commands.ts'
import { shellQuote } from '../../../shared/text/shell-quote.ts'
import { BaseCommand } from '../../base-command.ts'
import { apiKeyFlags, typedKey } from '../../connection/credentials.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { hint } from '../../hints/same-sandbox.ts'
import { clean } from '../../output/clean.ts'
import { setProfile } from '../../profile/profiles.ts'
import { userFilePath } from '../../settings/settings-files.ts'
import { profileSettings } from '../../settings/settings-schema.ts'

export default class ProfileSet extends BaseCommand {
  static override summary = 'Create a profile, or change its settings.'
  static override description =
    'Settings that are left out stay. The profile is yours alone: it is kept in your settings folder, in a file that only ' +
    'you can read. See docs/profiles.md.'
  static override examples = [
    'tillbox profile set staging --base-url https://api.staging.example --api-key @key.txt',
    'tillbox profile set shop --base-url https://api.example --api-key-env SHOP_KEY --live --use',
    'tillbox profile set staging --terminal TBX-AUTO-001 --unset merchantId',
  ]
  static override args = { name: stringArg({ description: 'Name of the profile.', required: true }) }
  static override flags = {
    'base-url': string({ description: 'Base URL of the service.' }),
    state: string({ description: 'State folder of a sandbox on this machine, instead of a URL.' }),
    space: string({ description: 'Space of the sandbox.', helpValue: '<name>' }),
    ...apiKeyFlags,
    'api-key-env': string({ description: 'Environment variable that has the API key.', helpValue: '<name>' }),
    'app-id': string({ description: 'Application id.' }),
    'merchant-id': string({ description: 'Merchant id.' }),
    terminal: string({
      description: 'Terminal that operations and terminal commands use.',
      helpValue: '<serial>',
    }),
    live: boolean({ description: 'Money is real there: operations ask first.', allowNo: true }),
    unset: option({
      description: 'Setting to remove. Can be repeated.',
      options: profileSettings,
      multiple: true,
    })(),
    use: boolean({ description: 'Use the profile from now on when no other is named.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfileSet)
    const key = await typedKey(flags)
    const settings = {
      baseUrl: flags['base-url'],
      state: flags.state,
      space: flags.space,
      apiKey: key?.value,
      apiKeyEnv: flags['api-key-env'],
      appId: flags['app-id'],
      merchantId: flags['merchant-id'],
      terminal: flags.terminal,
      live: flags.live,
    }
    const { unset = [] } = flags
    const both = unset.find((each) => settings[each] !== undefined)
    if (both !== undefined)
      throw new UsageError(
        ['--unset', `${both} and the flag that sets it exclude each other`],
        'Remove one of them',
      )
    const { name } = args
    const { use = false } = flags
    const current = (await setProfile(name, { ...settings, unset, use })).profile === name
    const file = userFilePath()
    const next = use
      ? 'It is the current profile.'
      : `Use it: --profile ${shellQuote(name)}, or ${command('profile use', name)}`
    const text = `${hint(clean(`Saved ${name} to ${file}. ${next}`))}\n`
    await this.show({ status: 'saved', name, file, current }, () => text)
  }
}
