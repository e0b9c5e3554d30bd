import { operationCommand } from '../cli/operation/operation-command.ts'

export default class IncrementalAuth extends operationCommand('incremental-auth') {
  static override examples = [
    '<%= config.bin %> incremental-auth 1795159696581000 --amount 20.00',
    '<%= config.bin %> incremental-auth @last:auth --amount 20.00',
  ]
}
