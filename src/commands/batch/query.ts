import { operationCommand } from '../../cli/operation/operation-command.ts'
import type { BatchQueryAnswer } from '../../contract/answers.ts'

const render = async (answer: BatchQueryAnswer) =>
  (await import('../../cli/output/batches.ts')).renderBatches(answer)

export default class BatchQuery extends operationCommand('batch-query', render) {
  static override examples = [
    '<%= config.bin %> batch query',
    '<%= config.bin %> batch query --terminal TBX-SLOW-001 --json',
  ]
  static override listMember = 'batchList'
}
