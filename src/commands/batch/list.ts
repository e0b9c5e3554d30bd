import type { Profile } from '../../cli/connection/profile.ts'
import { fetchOpenBatches } from '../../cli/listing/open-batches.ts'
import { operationCommand } from '../../cli/operation/operation-command.ts'
import type { BatchCloseListAnswer } from '../../contract/operations/settlement.ts'

const render = async (answer: BatchCloseListAnswer, profile: Profile) => {
  const { renderClosed, renderOpenBeside } = await import('../../cli/output/batches.ts')
  const { length } = await fetchOpenBatches(profile, {}).catch(() => []) // what was asked for is there
  return `${renderClosed(answer)}${length === 0 ? '' : renderOpenBeside(length)}`
}

export default class BatchList extends operationCommand('batch-close-list', render) {
  static override examples = [
    'tillbox batch list',
    'tillbox batch list --start-time 2026-11-01T00:00:00Z --end-time 2026-11-20T00:00:00Z',
  ]
  static override listMember = 'batchCloseList'
}
