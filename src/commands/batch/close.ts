import { boolean } from '@oclif/core/flags'
import { requireTerminal, requireYes } from '../../cli/input/confirmation.ts'
import { operationCommand, type ParsedCommand } from '../../cli/operation/operation-command.ts'
import { call } from '../../client/client.ts'
import type { BatchCloseAnswer, BatchQueryAnswer } from '../../contract/answers.ts'

const render = async (answer: BatchCloseAnswer) =>
  (await import('../../cli/output/batches.ts')).renderClose(answer)
const Base = operationCommand('batch-close', render)

export default class BatchClose extends Base {
  static override description = `${Base.description}\n\nAsks first; without a terminal pass --yes.`
  static override examples = [
    '<%= config.bin %> batch close',
    '<%= config.bin %> batch close --yes',
    '<%= config.bin %> batch close --channel-code SBX-CARD --yes --json',
  ]
  static override flags = {
    ...Base.flags,
    yes: boolean({ char: 'y', description: 'Skip the confirmation.' }),
  }

  /** Shows what would be settled. */
  override async confirm({ profile, flags, members }: ParsedCommand): Promise<void> {
    if (flags.yes === true) return
    requireTerminal('A close')
    const { terminalSn, channelCode, priceCurrency } = members as Partial<Record<string, string>>
    const query = { ...profile.parties, ...(terminalSn && { terminalSn }) }
    const { batchList } = await call<Partial<BatchQueryAnswer>>(profile.target, 'batch-query', query)
    const wanted = (batchList ?? []).filter(
      (batch) =>
        batch.channelCode === (channelCode ?? batch.channelCode) &&
        batch.priceCurrency === (priceCurrency ?? batch.priceCurrency),
    )
    const { renderBatches } = await import('../../cli/output/batches.ts')
    process.stderr.write(renderBatches({ batchList: wanted }, 'stderr'))
    await requireYes('Close and settle?')
  }
}
