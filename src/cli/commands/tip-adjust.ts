import { operationCommand } from '../operation/operation-command.ts'

export default class TipAdjust extends operationCommand('tip-adjust') {
  static override examples = [
    'tillbox tip-adjust 1795159696581000 --tip-amount 2.00',
    'tillbox tip-adjust @last --tip-amount 2.00',
  ]
}
