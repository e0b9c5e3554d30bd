import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { uploadState } from '../../../client/transfer-state.ts'
import { counted } from '../../../shared/text/words.ts'
import { requireConfirmation } from '../../input/confirmation.ts'
import { clean } from '../../output/clean.ts'
import { openPortable, withFileErrors } from '../../sandbox/state-file-errors.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

export default class SandboxImport extends SandboxCommand {
  static override summary = 'Replace the state of the running sandbox with an export.'
  static override description =
    'Reads a file of sandbox export, compressed or not, or a snapshot file. It restores what a snapshot ' +
    'restores, and API keys, webhook secrets and allow-lists if the file has them. A file that is damaged, or of a ' +
    'newer tillbox, is refused and nothing changes. Asks first if the sandbox has transactions; in a non-interactive shell, ' +
    'pass --yes. See docs/snapshots.md.'
  static override examples = [
    'tillbox sandbox import state.json.gz',
    'tillbox sandbox import state.json --yes --json',
  ]
  static override memberFlags = { body: 'file', replace: 'yes' }
  static override args = { file: string({ description: 'File to read.', required: true }) }
  static override flags = {
    yes: boolean({ char: 'y', description: 'Replace transactions without asking.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SandboxImport)
    const { file } = args
    const source = await withFileErrors(file, () => openPortable(file))
    const sandbox = await this.find(flags, 'import')
    const { transactions } = await control(sandbox, 'state')
    const question = `Replace the ${counted(transactions, 'transaction')} of the sandbox at ${sandbox.baseUrl} by ${file}?`
    if (transactions > 0 && !flags.yes) await requireConfirmation('Replacing transactions', question)
    const upload = uploadState(sandbox, source, flags.yes === true || transactions > 0)
    const restored = await withFileErrors(file, upload)
    await this.show({ status: 'imported', file, ...restored }, async () =>
      (await import('../../sandbox/render-snapshots.ts')).renderRestored(restored, clean(file)),
    )
  }
}
