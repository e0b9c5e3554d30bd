import { operationCommand } from '../operation/operation-command.ts'

export default class Sale extends operationCommand('sale') {
  static override examples = [
    'tillbox sale --amount 10.00',
    'tillbox sale --amount 98.23 --price-currency USD --json',
    'tillbox sale --amount 10.00 --terminal TBX-DECLINE-001',
  ]
}
