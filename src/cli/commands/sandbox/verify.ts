import { BaseCommand } from '../../base-command.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { commandHint } from '../../hints/same-sandbox.ts'
import { stateFlag, stateFolder, stateFolderFlag, stateNamed } from '../../sandbox/state-folder.ts'

export default class SandboxVerify extends BaseCommand {
  static override summary = 'Check every file of a state folder.'
  static override description =
    'Reads the state file, the journal, the snapshots and the spaces, and compares every checksum and number. Nothing is ' +
    'changed; a sandbox may be running on the folder. See docs/state-files.md. Exits with 4 when the state is damaged.'
  static override examples = ['tillbox sandbox verify', 'tillbox sandbox verify --state ./tmp-state --json']
  static override flags = stateFolderFlag

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxVerify)
    const folder = stateFolder(stateNamed(flags.state))
    const { verifyState } = await import('../../../sandbox/store/file/verify.ts')
    const verdict = await verifyState(folder)
    await this.show(verdict, async () =>
      (await import('../../sandbox/render-state-folder.ts')).renderStateVerdict(verdict),
    )
    if (verdict.sound) return
    process.exitCode = exitCodes.unsuccessful
    if (flags.json) return
    const repair = commandHint(`tillbox sandbox repair${stateFlag(folder)}`)
    process.stderr.write(`  do        Restore the files from a copy, or keep what is sound: ${repair}\n`)
  }
}
