import type { MerchantAnswer } from '../../../contract/operations/look-ups.ts'
import { operationCommand } from '../../operation/operation-command.ts'

const render = async (answer: MerchantAnswer) =>
  (await import('../../sandbox/render-applications.ts')).renderMerchant(answer)

export default class MerchantShow extends operationCommand('merchant-query', render) {
  static override examples = ['tillbox merchant show', 'tillbox merchant show --json']
}
