import type { BatchQueryAnswer } from '../../../contract/operations/settlement.ts'
import type { Profile } from '../../connection/profile.ts'
import { fetchOnlineTotals } from '../../listing/open-batches.ts'
import { operationCommand } from '../../operation/operation-command.ts'

const render = async (answer: BatchQueryAnswer, profile: Profile) => {
  const { renderBatches, renderOnline } = await import('../../output/batches.ts')
  const { totals } = await fetchOnlineTotals(profile).catch(() => ({ totals: [] })) // what was asked for is there
  return `${renderBatches(answer)}${renderOnline(totals)}`
}

export default class BatchQuery extends operationCommand('batch-query', render) {
  static override examples = ['tillbox batch query', 'tillbox batch query --terminal TBX-SLOW-001 --json']
  static override listMember = 'batchList'
}
