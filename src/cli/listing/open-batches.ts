import { call, control } from '../../client/client.ts'
import type { OnlineTotals } from '../../contract/control/transaction-list.ts'
import type { BatchQueryAnswer, BatchSummary } from '../../contract/operations/settlement.ts'
import type { Profile } from '../connection/profile.ts'
import { ownerOf } from '../operation/earlier-result.ts'

/** The open batches that the members of a close mean: of its terminal, channel and currency. */
export async function fetchOpenBatches(
  { target, parties }: Pick<Profile, 'target' | 'parties'>,
  { terminalSn, channelCode, priceCurrency }: Readonly<Record<string, unknown>>,
): Promise<readonly BatchSummary[]> {
  const query = { ...parties, ...(terminalSn != null && { terminalSn: String(terminalSn) }) }
  const { batchList } = await call<Partial<BatchQueryAnswer>>(target, 'batch-query', query)
  return (batchList ?? []).filter(
    (batch) =>
      batch.channelCode === (channelCode ?? batch.channelCode) &&
      batch.priceCurrency === (priceCurrency ?? batch.priceCurrency),
  )
}

/** The online payments of the acting merchant, which no batch has; none of a service without them. */
export async function fetchOnlineTotals(profile: Profile): Promise<OnlineTotals> {
  if (!profile.isSandbox) return { totals: [] }
  return control(profile.target, 'online-totals', { merchant: await ownerOf(profile).merchantId() })
}
