import { BaseCommand } from '../../cli/base-command.ts'
import { exitCodes, exitHelpWith } from '../../cli/errors/exit-codes.ts'
import { forState, stateFolder, stateFolderFlag } from '../../cli/sandbox/state-folder.ts'

export default class SandboxVerify extends BaseCommand {
  static override summary = 'Check every file of a state folder.'
  static override description =
    'Reads the manifest, the snapshot, the journals and the settings, and compares every checksum and number. Nothing is ' +
    `changed; a sandbox may be running on the folder. See docs/state-files.md.\n\n${exitHelpWith('the state is damaged')}`
  static override examples = [
    '<%= config.bin %> sandbox verify',
    '<%= config.bin %> sandbox verify --state ./tmp-state --json',
  ]
  static override flags = stateFolderFlag

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxVerify)
    const folder = stateFolder(flags.state)
    const { verifyState } = await import('../../store/check/verify.ts')
    const verdict = await verifyState(folder)
    await this.show(flags.json, verdict, async () =>
      (await import('../../cli/sandbox/render-state-folder.ts')).renderVerdict(verdict),
    )
    if (verdict.sound) return
    process.exitCode = exitCodes.unsuccessful
    if (flags.json) return
    const repair = `tillbox sandbox repair${forState(flags.state)}`
    process.stderr.write(`  do        Restore the files from a copy, or keep what is sound: ${repair}\n`)
  }
}
