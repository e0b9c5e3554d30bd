import { operationCommand } from '../cli/operation/operation-command.ts'

export default class ForcedAuth extends operationCommand('forced-auth') {
  static override examples = [
    '<%= config.bin %> forced-auth --amount 50.00',
    '<%= config.bin %> forced-auth --amount 50.00 --json',
  ]
}
