import { operationCommand } from '../cli/operation/operation-command.ts'

export default class Abort extends operationCommand('abort') {
  static override examples = [
    '<%= config.bin %> abort 1795159696581000',
    '<%= config.bin %> abort @last --json',
  ]
}
