import { operationCommand } from '../../operation/operation-command.ts'

export default class CheckoutRefund extends operationCommand('online-refund') {
  static override examples = [
    'tillbox checkout refund 1795159696581000',
    'tillbox checkout refund 1795159696581000 --amount 4.00',
  ]
}
