import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { control } from '../../../../client/client.ts'
import type { FoundSandbox } from '../../../../client/discover.ts'
import { counted } from '../../../../shared/text/words.ts'
import { requireConfirmation } from '../../../input/confirmation.ts'
import { timeText } from '../../../output/render-time.ts'
import { SandboxCommand, summaryOf } from '../../../sandbox-command.ts'

export default class SandboxSnapshotRestore extends SandboxCommand {
  static override summary = summaryOf('restore-snapshot')
  static override description =
    'Transactions, batches, terminals, queues, webhook deliveries, request ids, the clock and the faults become what they ' +
    'were; everything since then is lost. API keys, webhook secrets and the allow-list stay as they are now. It is ' +
    'restored completely or not at all, even if the sandbox is killed meanwhile. Asks first; in a non-interactive shell, ' +
    'pass --yes. See docs/snapshots.md.'
  static override examples = [
    'tillbox sandbox snapshot restore base',
    'tillbox sandbox snapshot restore base --yes --json',
  ]
  static override args = { name: string({ description: 'Snapshot to restore.', required: true }) }
  static override flags = { yes: boolean({ char: 'y', description: 'Do not ask.' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SandboxSnapshotRestore)
    const sandbox = await this.find(flags, 'restore-snapshot')
    const { name } = args
    if (!flags.yes) await confirmRestore(sandbox, name)
    const restored = await control(sandbox, 'restore-snapshot', undefined, { names: { name } })
    await this.show({ status: 'restored', ...restored }, async () =>
      (await import('../../../sandbox/render-snapshots.ts')).renderRestored(restored, `snapshot ${name}`),
    )
  }
}

/** Asks, unless the sandbox will refuse. */
async function confirmRestore(sandbox: FoundSandbox, name: string): Promise<void> {
  const { transactions } = await control(sandbox, 'state')
  const { snapshots } = await control(sandbox, 'snapshots')
  const saved = snapshots.find((one) => one.name === name)
  if (saved?.problem !== null) return
  const question =
    `Restore snapshot ${name} (${counted(saved.transactions ?? 0, 'transaction')}, saved ${timeText(saved.savedAt ?? '')}) ` +
    `in place of the ${counted(transactions, 'transaction')} of the sandbox at ${sandbox.baseUrl}?`
  await requireConfirmation('Restoring a snapshot', question)
}
