import { string as stringArg } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import {
  applicationBaseFlags,
  applicationFlags,
  applicationMembers,
  callerFrom,
  terminalMerchantFlag,
} from '../../connection/application.ts'
import { summaryOf } from '../../sandbox-command.ts'
import { settingsText, TerminalCommand } from '../../terminal/terminal-command.ts'

export default class TerminalPair extends TerminalCommand {
  static override summary = summaryOf('pair-terminal')
  static override description =
    'The merchant is the first one of the application, or --merchant. The code is on the terminal’s screen and page, and in ' +
    'tillbox terminal show; case, spaces and dashes do not matter. It works once and never expires.'
  static override examples = [
    'tillbox terminal pair K7M3PX',
    'tillbox terminal pair k7m-3px --merchant M2000000001 --name "Bar, left"',
  ]
  static override args = {
    code: stringArg({ description: 'Pairing code, of 6 characters.', required: true }),
  }
  static override memberFlags = { ...applicationMembers, code: 'code', label: 'name' }
  static override baseFlags = applicationBaseFlags
  static override flags = {
    name: string({ description: 'Name that people read beside the serial number.', helpValue: '<name>' }),
    ...applicationFlags,
    merchant: terminalMerchantFlag('Merchant to pair with'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalPair)
    const { members, apiKey } = await callerFrom(flags)
    const order = { ...members, code: args.code, label: flags.name }
    await this.ask(flags, 'pair-terminal', { members: order, apiKey }, settingsText)
  }
}
