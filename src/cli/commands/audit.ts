import { integer, string } from '@oclif/core/flags'
import { auditKinds } from '../../contract/control/tokens.ts'
import { mostListed } from '../../contract/control/transaction-list.ts'
import { controlCommand } from '../sandbox-command.ts'

export default class Audit extends controlCommand('audit', async (list) =>
  (await import('../access/render-access.ts')).renderAudit(list),
) {
  static override description =
    'Lists every change through the control interface or a page, and every request that was refused because of its ' +
    'token, the newest last. Each line has time, token, change, space and result. Payments and the acts of shoppers ' +
    'are not listed: see tillbox logs tail. Times are wall-clock times.'
  static override examples = [
    'tillbox audit',
    'tillbox audit --only changes',
    'tillbox audit --space ci-1 --limit 20 --json',
  ]
  static override listMember = 'entries'
  static override flags = {
    limit: integer({ description: 'Maximum number of lines.', default: 100, min: 1, max: mostListed }),
    only: string({ description: 'Only lines of this kind.', options: [...auditKinds] }),
  }
}
