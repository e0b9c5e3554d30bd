import { operationCommand } from '../../cli/operation/operation-command.ts'
import type { BatchCloseListAnswer } from '../../contract/answers.ts'

const render = async (answer: BatchCloseListAnswer) =>
  (await import('../../cli/output/batches.ts')).renderClosed(answer)

export default class BatchList extends operationCommand('batch-close-list', render) {
  static override examples = [
    '<%= config.bin %> batch list',
    '<%= config.bin %> batch list --start-time 2026-11-01T00:00:00Z --end-time 2026-11-20T00:00:00Z',
  ]
  static override listMember = 'batchCloseList'
}
