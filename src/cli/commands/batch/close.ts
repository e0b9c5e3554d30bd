import { boolean } from '@oclif/core/flags'
import type { BatchCloseAnswer } from '../../../contract/operations/settlement.ts'
import type { Profile } from '../../connection/profile.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { isInteractive, requireConfirmation } from '../../input/confirmation.ts'
import { fetchOpenBatches } from '../../listing/open-batches.ts'
import { operationCommand, type ParsedCommand } from '../../operation/operation-command.ts'

const render = async (answer: BatchCloseAnswer) =>
  (await import('../../output/batches.ts')).renderClose(answer)
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
    const { renderBatches } = await import('../../output/batches.ts')
    const { errorTheme } = await import('../../output/theme.ts')
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
    const { renderStillOpen } = await import('../../output/batches.ts')
    process.stderr.write(renderStillOpen(open))
  }
}
