import { boolean } from '@oclif/core/flags'
import {
  applicationBaseFlags,
  applicationFlags,
  applicationMembers,
  callerFrom,
  terminalMerchantFlag,
} from '../../connection/application.ts'
import { summaryOf } from '../../sandbox-command.ts'
import {
  requireSerial,
  serialArg,
  settingFlags,
  settingsFrom,
  settingsText,
  TerminalCommand,
} from '../../terminal/terminal-command.ts'

export default class TerminalAdd extends TerminalCommand {
  static override summary = summaryOf('add-terminal')
  static override description =
    'The default --mode auto approves every payment without a person. The terminal survives restarts.'
  static override examples = [
    'tillbox terminal add DESK-2 --mode attended',
    'tillbox terminal add DESK-4 --merchant M2000000001',
    'tillbox terminal add DESK-5 --unpaired',
    'tillbox terminal add DESK-3 --pace 800 --outcome insufficient-funds',
  ]
  static override args = serialArg
  static override memberFlags = { ...applicationMembers, terminalSn: 'serial' }
  static override baseFlags = applicationBaseFlags
  static override flags = {
    unpaired: boolean({
      description: 'Without a merchant: it shows a code for tillbox terminal pair.',
      exclusive: ['merchant'],
    }),
    ...settingFlags,
    ...applicationFlags,
    merchant: terminalMerchantFlag('Merchant that gets the terminal'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalAdd)
    const { members, apiKey } = await callerFrom(flags)
    const isUnpaired = flags.unpaired === true // oclif leaves it undefined
    const { merchantId: _, ...application } = members
    const owner = isUnpaired ? { ...application, unpaired: true } : members
    const order = { ...owner, terminalSn: requireSerial(args.serial, flags), ...settingsFrom(flags) }
    await this.ask(flags, 'add-terminal', { members: order, apiKey }, settingsText)
  }
}
