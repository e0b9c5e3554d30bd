import { operationCommand } from '../../cli/operation/operation-command.ts'
import type { MerchantAnswer } from '../../contract/operations/look-ups.ts'

const render = async (answer: MerchantAnswer) =>
  (await import('../../cli/sandbox/render-applications.ts')).renderMerchant(answer)

export default class MerchantShow extends operationCommand('merchant-query', render) {
  static override examples = ['tillbox merchant show', 'tillbox merchant show --json']
}
