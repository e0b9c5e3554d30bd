import { operationCommand } from '../../cli/operation/operation-command.ts'
import type { MerchantAnswer } from '../../contract/answers.ts'

export default class MerchantShow extends operationCommand('merchant-query') {
  static override examples = ['<%= config.bin %> merchant show', '<%= config.bin %> merchant show --json']

  override async draw(data: object): Promise<string> {
    const { renderMerchant } = await import('../../cli/output/merchant.ts')
    return renderMerchant(data as MerchantAnswer)
  }
}
