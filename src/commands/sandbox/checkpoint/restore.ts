import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { BaseCommand } from '../../../cli/base-command.ts'
import { sandboxFlags, sandboxOf } from '../../../cli/connection/sandbox-address.ts'
import { requireConfirmation } from '../../../cli/input/confirmation.ts'
import { timeText } from '../../../cli/output/render-time.ts'
import { control } from '../../../client/client.ts'
import { counted } from '../../../text/words.ts'

export default class SandboxCheckpointRestore extends BaseCommand {
  static override summary = 'Restore a checkpoint in place of the current state.'
  static override description =
    'Transactions, batches, terminals, queues, webhook deliveries, request ids, the clock and the faults become what they ' +
    'were; everything since then is lost. API keys, webhook secrets and the allow-list stay as they are now. It is ' +
    'restored completely or not at all, even if the sandbox is killed meanwhile. Asks first; in a non-interactive shell, ' +
    'pass --yes. See docs/checkpoints.md.'
  static override examples = [
    '<%= config.bin %> sandbox checkpoint restore base',
    '<%= config.bin %> sandbox checkpoint restore base --yes --json',
  ]
  static override args = { name: string({ description: 'Checkpoint to restore.', required: true }) }
  static override flags = { yes: boolean({ char: 'y', description: 'Do not ask.' }), ...sandboxFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SandboxCheckpointRestore)
    const sandbox = await sandboxOf(flags)
    const { name } = args
    const { transactions } = await control(sandbox, 'state')
    const { checkpoints } = await control(sandbox, 'checkpoints')
    const saved = checkpoints.find((one) => one.name === name)
    const question =
      `Restore checkpoint ${name} (${counted(saved?.transactions ?? 0, 'transaction')}, saved ${timeText(saved?.savedAt ?? '')}) ` +
      `in place of the ${counted(transactions, 'transaction')} of the sandbox at ${sandbox.baseUrl}?`
    if (saved?.problem === null && !flags.yes) await requireConfirmation('Restoring a checkpoint', question)
    const restored = await control(sandbox, 'restore-checkpoint', undefined, { names: { name } })
    await this.show(flags.json, { status: 'restored', ...restored }, async () =>
      (await import('../../../cli/sandbox/render-checkpoints.ts')).renderRestored(
        restored,
        `checkpoint ${name}`,
      ),
    )
  }
}
