import type { TerminalView } from '../../contract/sandbox/answers.ts'
import { BaseCommand } from '../base-command.ts'
import { sandboxOf } from '../connection/sandbox-address.ts'
import { exitHelp } from '../errors/exit-codes.ts'
import { atTerminal, serialArg, serialOf, whereFlags } from './terminal-request.ts'

/** Switches a terminal on or off. */
export abstract class TerminalSwitch extends BaseCommand {
  static override description = exitHelp
  static override args = serialArg
  static override flags = whereFlags

  protected abstract readonly online: boolean

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalSwitch)
    const { online } = this
    const serial = serialOf(args.serial)
    const terminal = await atTerminal<TerminalView>(await sandboxOf(flags), 'set-terminal', serial, {
      online,
    })
    await this.show(flags.json, terminal, async () =>
      (await import('./render-terminal.ts')).renderSettings(terminal),
    )
  }
}
