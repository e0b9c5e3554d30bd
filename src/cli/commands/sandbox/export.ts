import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { downloadState } from '../../../client/transfer-state.ts'
import { clean } from '../../output/clean.ts'
import { refuseExisting, withFileErrors, writePortable } from '../../sandbox/state-file-errors.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

export default class SandboxExport extends SandboxCommand {
  static override summary = 'Write the state of the running sandbox to one file.'
  static override description =
    'The file holds what a snapshot holds, as JSON, one object a line; with a name that ends in .gz it is ' +
    'compressed. It has no API key and no webhook secret unless you ask for them. Only you can read it. See ' +
    'docs/snapshots.md.'
  static override examples = [
    'tillbox sandbox export state.json.gz',
    'tillbox sandbox export state.json --with-secrets --json',
  ]
  static override args = { file: string({ description: 'File to write.', required: true }) }
  static override flags = {
    'with-secrets': boolean({ description: 'Include API keys, webhook secrets and allow-lists.' }),
    force: boolean({ char: 'f', description: 'Replace the file if it exists.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SandboxExport)
    const { file } = args
    const withSecrets = flags['with-secrets'] === true
    if (!flags.force) refuseExisting(file)
    const sandbox = await this.find(flags)
    const source = await downloadState(sandbox, withSecrets)
    await withFileErrors(file, writePortable(file, source))
    const answer = { status: 'exported', file, withSecrets, baseUrl: clean(sandbox.baseUrl) }
    await this.show(answer, async () =>
      (await import('../../sandbox/render-snapshots.ts')).renderExported(file, withSecrets),
    )
  }
}
