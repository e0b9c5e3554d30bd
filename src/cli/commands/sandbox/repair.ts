import { boolean, string } from '@oclif/core/flags'
import type { StateRepair } from '../../../contract/control/state-folder.ts'
import type { Catalogue } from '../../../domain/fixtures.ts'
import { isTracked } from '../../../shared/files/git-index.ts'
import { requireOwnState, untrack } from '../../../shared/files/state-ownership.ts'
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
    'in a non-interactive shell, pass --yes. With --take-over it makes a folder yours that others wrote, such as one of a ' +
    'cloned repository: payments and terminals stay; keys and secrets are new; tokens, certificates, snapshots, logs and ' +
    'pending deliveries are in the copy alone.'
  static override examples = [
    'tillbox sandbox repair',
    'tillbox sandbox repair --state ./tmp-state --yes --json',
    'tillbox sandbox repair --take-over',
  ]
  static override flags = {
    yes: boolean({ char: 'y', description: 'Do not ask.' }),
    'take-over': boolean({ description: 'Make a folder yours that others wrote, with new secrets.' }),
    ...stateFolderFlag,
    fixtures: string({
      description: 'The --fixtures that the sandbox starts with, if any.',
      helpValue: '<path>',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxRepair)
    const folder = stateFolder(stateNamed(flags.state))
    const refuse = (error: Error) => throwStartError(error, folder)
    const catalogue =
      flags.fixtures === undefined ? undefined : await readCatalogue(flags.fixtures).catch(refuse)
    const act = flags['take-over'] ? this.takeOver : this.repair
    const repair = await act.call(this, folder, flags.yes, catalogue).catch(refuse)
    await this.show(repair, async () =>
      (await import('../../sandbox/render-state-folder.ts')).renderRepair(repair),
    )
    if (flags['take-over'] && isTracked(folder))
      warn(`Git still tracks it, and no sandbox starts on it until you run ${untrack(folder)}`)
  }

  async takeOver(folder: string, isSure: boolean, catalogue?: Catalogue): Promise<StateRepair> {
    if (!isSure) {
      requireInteractive('Taking a state folder over')
      await requireYes(`Copy ${folder}, then keep its payments and terminals, with new secrets?`)
    }
    const { takeOverState } = await import('../../../sandbox/store/file/take-over.ts')
    return takeOverState(folder, Date.now(), catalogue)
  }

  async repair(folder: string, isSure: boolean, catalogue?: Catalogue): Promise<StateRepair> {
    requireOwnState(folder)
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
    return repairState(folder, Date.now(), catalogue)
  }
}

const readCatalogue = async (fixtures: string) =>
  (await import('../../../sandbox/fixture-files/read-fixtures.ts')).readFixtures(fixtures)
