import type { MerchantAnswer } from '../../api/answers.ts'
import { operationCommand } from '../../cli/operation-command.ts'

export default class MerchantShow extends operationCommand('merchant-query') {
  static override examples = ['<%= config.bin %> merchant show', '<%= config.bin %> merchant show --json']

  override async draw(data: object): Promise<string> {
    const { renderMerchant } = await import('../../cli/render/merchant.ts')
    return renderMerchant(data as MerchantAnswer)
  }
}
