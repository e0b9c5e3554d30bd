import { operationCommand } from '../cli/operation/operation-command.ts'

export default class Sale extends operationCommand('sale') {
  static override examples = [
    '<%= config.bin %> sale --amount 10.00',
    '<%= config.bin %> sale --amount 9823 --price-currency USD --json',
    '<%= config.bin %> sale --amount 1000 --terminal TBX-DECLINE-001',
  ]
}
