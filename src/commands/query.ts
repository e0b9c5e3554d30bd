import { operationCommand } from '../cli/operation-command.ts'

export default class Query extends operationCommand('query') {
  static override examples = [
    '<%= config.bin %> query 1795159696581000',
    '<%= config.bin %> query --transaction-request-id 5d3c… --json',
  ]
}
