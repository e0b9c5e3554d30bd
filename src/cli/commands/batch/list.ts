import type { BatchCloseListAnswer } from '../../../contract/operations/settlement.ts'
import { operationCommand } from '../../operation/operation-command.ts'

const render = async (answer: BatchCloseListAnswer) =>
  (await import('../../output/batches.ts')).renderClosed(answer)

export default class BatchList extends operationCommand('batch-close-list', render) {
  static override examples = [
    'tillbox batch list',
    'tillbox batch list --start-time 2026-11-01T00:00:00Z --end-time 2026-11-20T00:00:00Z',
  ]
  static override listMember = 'batchCloseList'
}
