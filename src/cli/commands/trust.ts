import { boolean } from '@oclif/core/flags'
import { BaseCommand } from '../base-command.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { requireConfirmation } from '../input/confirmation.ts'
import { clean, cleanLines } from '../output/clean.ts'
import {
  approveProject,
  findProjectFile,
  isTrusted,
  projectFileName,
  revokeApproval,
} from '../settings/settings-files.ts'

export default class Trust extends BaseCommand {
  static override summary = "Approve this project's tillbox.config.json."
  static override description =
    'Until you approve a project file, it can only point to sandboxes on this machine, and no key is sent because of ' +
    'it. Prints the file, then asks. An edit needs a new approval.'
  static override examples = ['tillbox trust', 'tillbox trust --revoke']
  static override flags = {
    yes: boolean({ char: 'y', description: 'Do not ask.' }),
    revoke: boolean({ description: 'Withdraw the approval.', exclusive: ['yes'] }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Trust)
    const project = findProjectFile()
    if (project === undefined)
      throw new UsageError(
        `There is no ${projectFileName} in this folder or above it`,
        'Write one: docs/profiles.md has an example',
      )
    const { path } = project
    const report = (approved: boolean, text: string) =>
      this.show({ file: path, approved }, () => `${clean(path)} ${text}.\n`)
    if (flags.revoke)
      return report(false, revokeApproval(path) ? 'is no longer approved' : 'was not approved')
    if (isTrusted(project)) return report(true, 'is approved already, as it is now')
    process.stderr.write(`${clean(path)}\n\n${cleanLines(project.text.trimEnd())}\n\n`)
    if (!flags.yes) await requireConfirmation('Approving a project file', 'Approve it as it is now?')
    approveProject(project)
    return report(true, 'is approved, until it is edited')
  }
}
