import { operationCommand } from '../operation/operation-command.ts'

export default class Refund extends operationCommand('refund') {
  static override examples = [
    'tillbox refund 1795159696581000 --amount 4.00',
    'tillbox refund @last:sale --amount 4.00 --wait-webhooks',
  ]
}
