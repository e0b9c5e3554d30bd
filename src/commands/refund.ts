import { operationCommand } from '../cli/operation/operation-command.ts'

export default class Refund extends operationCommand('refund') {
  static override examples = [
    'tillbox refund 1795159696581000 --amount 4.00',
    'tillbox refund --reference-order-id ORDER-1001 --amount 4.00',
  ]
}
