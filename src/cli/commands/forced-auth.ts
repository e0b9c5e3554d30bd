import { operationCommand } from '../operation/operation-command.ts'

export default class ForcedAuth extends operationCommand('forced-auth') {
  static override examples = [
    'tillbox forced-auth --amount 50.00',
    'tillbox forced-auth --amount 50.00 --json',
  ]
}
