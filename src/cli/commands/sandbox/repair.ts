import { boolean, string } from '@oclif/core/flags'
import type { StateRepair } from '../../../contract/control/state-folder.ts'
import { BaseCommand } from '../../base-command.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { warn } from '../../hints/same-sandbox.ts'
import { requireInteractive, requireYes } from '../../input/confirmation.ts'
import { throwStartError } from '../../sandbox/start-error.ts'
import { stateFolder, stateFolderFlag, stateNamed } from '../../sandbox/state-folder.ts'

export default class SandboxRepair extends BaseCommand {
  static override summary = 'Repair a damaged state folder, and keep what is intact.'
  static override description =
    'Copies the folder, then keeps every sound line of the state file and the journal entries before the first damaged one, ' +
    'and lists what it left out. A sound folder is not changed. Stop the sandbox of the folder first. Asks first; ' +
    'in a non-interactive shell, pass --yes.'
  static override examples = [
    'tillbox sandbox repair',
    'tillbox sandbox repair --state ./tmp-state --yes --json',
  ]
  static override flags = {
    yes: boolean({ char: 'y', description: 'Do not ask.' }),
    ...stateFolderFlag,
    fixtures: string({
      description: 'The --fixtures that the sandbox starts with, if any.',
      helpValue: '<path>',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxRepair)
    const folder = stateFolder(stateNamed(flags.state))
    const repair = await this.repair(folder, flags.yes, flags.fixtures)
    await this.show(repair, async () =>
      (await import('../../sandbox/render-state-folder.ts')).renderRepair(repair),
    )
  }

  async repair(folder: string, isSure: boolean, fixtures: string | undefined): Promise<StateRepair> {
    const refuse = (error: Error) => throwStartError(error, folder)
    const catalogue = fixtures === undefined ? undefined : await readCatalogue(fixtures).catch(refuse)
    const { verifyState } = await import('../../../sandbox/store/file/verify.ts')
    const { sound, database, merchants, transactions, problems } = await verifyState(folder)
    if (database !== null)
      throw new UsageError(
        `${folder} has no state: it is of a node, whose data is in ${database}`,
        'Bring the database back from a backup',
        'state',
      )
    const unchanged = { folder, backup: null, merchants, transactions, leftOut: [] }
    if (sound) return { ...unchanged, status: 'sound' }
    if (!isSure) {
      requireInteractive('Repairing the state')
      for (const problem of problems) warn(problem)
      await requireYes(`Copy ${folder}, then keep only what is sound?`)
    }
    const { repairState } = await import('../../../sandbox/store/file/repair.ts')
    return repairState(folder, Date.now(), catalogue).catch(refuse)
  }
}

const readCatalogue = async (fixtures: string) =>
  (await import('../../../sandbox/fixture-files/read-fixtures.ts')).readFixtures(fixtures)
