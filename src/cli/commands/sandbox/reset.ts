import { boolean } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { counted } from '../../../shared/text/words.ts'
import { requireConfirmation } from '../../input/confirmation.ts'
import { clean } from '../../output/clean.ts'
import { SandboxCommand } from '../../sandbox-command.ts'
import { readyToWait, waitForDeliveries, waitWebhooksFlags } from '../../webhook/wait-webhooks.ts'

export default class SandboxReset extends SandboxCommand {
  static override summary = 'Delete the transactions of the running sandbox.'
  static override description =
    'Transactions, batches, waiting payments, queued outcomes and webhooks are deleted. Terminals with their ' +
    'settings, the clock, keys, the allow-list and faults stay; with --everything only snapshots, tokens and the audit log. Asks first; ' +
    'in a non-interactive shell, pass --yes. With --wait-webhooks, pending webhooks are first delivered or given up; if that takes ' +
    'too long, nothing is deleted.'
  static override examples = ['tillbox sandbox reset', 'tillbox sandbox reset --yes --json']
  static override flags = {
    everything: boolean({
      description:
        'Also reset the clock, faults, settings of terminals, added merchants and terminals, keys, secrets and the request log.',
    }),
    yes: boolean({ char: 'y', description: 'Do not ask.' }),
    ...waitWebhooksFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxReset)
    const sandbox = await this.find(flags, 'reset')
    await readyToWait(sandbox, flags)
    const { transactions } = await control(sandbox, 'state')
    const where = clean(`${sandbox.baseUrl} (${sandbox.state})`)
    if (!flags.yes)
      await requireConfirmation(
        'Resetting the sandbox',
        flags.everything
          ? `Reset the sandbox at ${where} to a fresh one? Its ${counted(transactions, 'transaction')} and all settings are lost.`
          : `Terminal settings are kept. Forget ${counted(transactions, 'transaction')}, batches, queued outcomes and webhooks of the sandbox at ${where}?`,
      )
    if (!(await waitForDeliveries(sandbox, flags)))
      return this.show({ status: 'kept', transactions }, () => 'Nothing was changed.\n')
    await control(sandbox, 'reset', { everything: flags.everything })
    const stays = flags.everything
      ? 'Everything else is fresh, too; snapshots, tokens and the audit log stay.'
      : 'Terminal settings are kept.'
    const text = `Deleted ${counted(transactions, 'transaction')} of the sandbox at ${where}.\n${stays}\n`
    await this.show({ status: 'reset', transactions }, () => text)
  }
}
