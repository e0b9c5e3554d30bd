import { operationCommand } from '../cli/operation/operation-command.ts'

export default class VoidTransaction extends operationCommand('void') {
  static override examples = [
    '<%= config.bin %> void 1795159696581000',
    '<%= config.bin %> void @last --json',
  ]
}
