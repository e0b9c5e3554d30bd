import { operationCommand } from '../cli/operation/operation-command.ts'

export default class Sale extends operationCommand('sale') {
  static override examples = [
    '<%= config.bin %> sale --amount 10.00',
    '<%= config.bin %> sale --amount 98.23 --price-currency USD --json',
    '<%= config.bin %> sale --amount 10.00 --terminal TBX-DECLINE-001',
  ]
}
