import { operationCommand } from '../operation/operation-command.ts'

export default class Auth extends operationCommand('auth') {
  static override examples = ['tillbox auth --amount 50.00', 'tillbox auth --amount 50.00 --json']
}
