import { operationCommand } from '../operation/operation-command.ts'

export default class VoidTransaction extends operationCommand('void') {
  static override examples = ['tillbox void 1795159696581000', 'tillbox void @last --json']
}
