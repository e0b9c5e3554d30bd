import { operationCommand } from '../cli/operation/operation-command.ts'

export default class Refund extends operationCommand('refund') {
  static override examples = [
    '<%= config.bin %> refund 1795159696581000 --amount 4.00',
    '<%= config.bin %> refund --reference-order-id ORDER-1001 --amount 4.00',
  ]
}
