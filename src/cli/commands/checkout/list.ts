import { integer, string } from '@oclif/core/flags'
import { mostListed } from '../../../contract/control/transaction-list.ts'
import { sessionStates } from '../../../contract/statuses.ts'
import { controlCommand } from '../../sandbox-command.ts'

export default class CheckoutList extends controlCommand('sessions', async (list, { state, merchant }) =>
  (await import('../../output/checkout-session.ts')).renderSessions(list, state != null || merchant != null),
) {
  static override description = '--json prints an object with the list under sessions.'
  static override examples = ['tillbox checkout list', 'tillbox checkout list --status open --json']
  static override listMember = 'sessions'
  static override memberFlags = { state: 'status', merchantId: 'merchant' }
  static override flags = {
    status: string({ description: 'Only in this state.', options: [...sessionStates] }),
    merchant: string({ description: 'Only of this merchant; default: of all.', helpValue: '<id>' }),
    limit: integer({
      description: 'Maximum number of sessions.',
      default: 50,
      min: 1,
      max: mostListed,
      helpValue: '<n>',
    }),
  }
}
