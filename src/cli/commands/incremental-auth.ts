import { operationCommand } from '../operation/operation-command.ts'

export default class IncrementalAuth extends operationCommand('incremental-auth') {
  static override examples = [
    'tillbox incremental-auth 1795159696581000 --amount 20.00',
    'tillbox incremental-auth @last:auth --amount 20.00',
  ]
}
