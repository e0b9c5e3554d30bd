import { string as stringArg } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import type { SandboxAddress } from '../../../client/discover.ts'
import { command } from '../../../shared/text/commands.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { ownerIn, resolveTransactionId } from '../../operation/earlier-result.ts'
import { SandboxCommand } from '../../sandbox-command.ts'
import { atTerminal, requireSerial } from '../../terminal/terminal-command.ts'

export default class TerminalReceipt extends SandboxCommand {
  static override summary = 'Print a transaction’s receipt, or a terminal’s last one.'
  static override description = 'Prints the merchant and the customer copy; with --json, line by line.'
  static override examples = [
    'tillbox terminal receipt TBX-ATTENDED-001',
    'tillbox terminal receipt 1795161261276000 --copy customer',
  ]
  static override memberFlags = {
    terminalSn: 'terminal-or-transaction',
    transactionId: 'terminal-or-transaction',
  }
  static override args = {
    'terminal-or-transaction': stringArg({
      description:
        'Serial number, or transaction id such as @last; default: TILLBOX_TERMINAL_SN, or "terminal" of the profile.',
    }),
  }
  static override flags = {
    copy: string({ description: 'Print only this copy.', options: ['merchant', 'customer'] }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalReceipt)
    const named = requireSerial(args['terminal-or-transaction'], flags, 'terminal-or-transaction')
    const sandbox = await this.find(flags)
    const typed = await resolveTransactionId(named, ownerIn(sandbox))
    const id = /^\d{16}$/.test(typed) ? typed : await lastTransactionId(sandbox, typed)
    const receipt = await control(sandbox, 'receipt', undefined, { names: { id } })
    const { transactionId, merchant, customer } = receipt
    const copies = {
      transactionId,
      ...(flags.copy !== 'customer' && { merchant }),
      ...(flags.copy !== 'merchant' && { customer }),
    }
    await this.show(copies, async () =>
      (await import('../../terminal/render-terminal.ts')).renderReceipt(copies),
    )
  }
}

/** The transaction that the terminal finished last. */
async function lastTransactionId(sandbox: SandboxAddress, serial: string): Promise<string> {
  const { last } = await atTerminal(sandbox, 'screen', serial)
  if (last !== null) return last.transactionId
  const message = `Terminal ${serial} has not finished a payment yet`
  throw new UsageError(
    message,
    `See its screen: ${command('terminal show', serial)}`,
    'terminal-or-transaction',
  )
}
