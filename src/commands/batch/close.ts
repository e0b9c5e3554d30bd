import { boolean } from '@oclif/core/flags'
import type { Profile } from '../../cli/connection/profile.ts'
import { exitCodes } from '../../cli/errors/exit-codes.ts'
import { isInteractive, requireConfirmation } from '../../cli/input/confirmation.ts'
import { fetchOpenBatches } from '../../cli/listing/open-batches.ts'
import { operationCommand, type ParsedCommand } from '../../cli/operation/operation-command.ts'
import type { BatchCloseAnswer } from '../../contract/operations/settlement.ts'

const render = async (answer: BatchCloseAnswer) =>
  (await import('../../cli/output/batches.ts')).renderClose(answer)
const Base = operationCommand('batch-close', render)

export default class BatchClose extends Base {
  static override description =
    `${Base.description}\n\nAsks first; in a non-interactive shell, pass --yes. If a batch stays open, the command names it, prints how to close it, and exits with 4.`
  static override examples = [
    'tillbox batch close',
    'tillbox batch close --yes',
    'tillbox batch close --channel-code SBX-CARD --yes --json',
  ]
  static override flags = {
    ...Base.flags,
    yes: boolean({ char: 'y', description: 'Do not ask.' }),
  }

  #members: ParsedCommand['members'] = {}

  override async preview({ profile, flags, members }: ParsedCommand): Promise<void> {
    if (flags.yes === true || !isInteractive()) return
    const batchList = await fetchOpenBatches(profile, members)
    const { renderBatches } = await import('../../cli/output/batches.ts')
    const { errorTheme } = await import('../../cli/output/theme.ts')
    process.stderr.write(renderBatches({ batchList }, errorTheme))
  }

  override async confirm({ flags }: ParsedCommand): Promise<void> {
    if (flags.yes !== true) await requireConfirmation('Closing batches', 'Close and settle?')
  }

  override async request(typed: ParsedCommand): Promise<object> {
    this.#members = typed.members
    return super.request(typed)
  }

  override async report(profile: Profile, data: object): Promise<void> {
    await super.report(profile, data)
    const open = await fetchOpenBatches(profile, this.#members).catch(() => []) // what was asked for is done
    if (open.length === 0) return
    process.exitCode = exitCodes.unsuccessful
    const { renderStillOpen } = await import('../../cli/output/batches.ts')
    process.stderr.write(renderStillOpen(open))
  }
}
