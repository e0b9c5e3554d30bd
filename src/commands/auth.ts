import { operationCommand } from '../cli/operation/operation-command.ts'

export default class Auth extends operationCommand('auth') {
  static override examples = [
    '<%= config.bin %> auth --amount 50.00',
    '<%= config.bin %> auth --amount 50.00 --json',
  ]
}
