import { operationCommand } from '../../cli/operation/operation-command.ts'
import type { BatchQueryAnswer } from '../../contract/answers.ts'

export default class BatchQuery extends operationCommand('batch-query') {
  static override examples = [
    '<%= config.bin %> batch query',
    '<%= config.bin %> batch query --terminal-sn TBX-SLOW-001 --json',
  ]

  override async draw(data: object): Promise<string> {
    const { renderBatches } = await import('../../cli/output/batches.ts')
    return renderBatches(data as BatchQueryAnswer)
  }
}
