import { operationCommand } from '../operation/operation-command.ts'

export default class PostAuth extends operationCommand('post-auth') {
  static override examples = [
    'tillbox post-auth 1795159696581000 --amount 65.00 --tip-amount 5.00 --no-push-to-terminal',
    'tillbox post-auth @last:auth --amount 50.00',
  ]
}
