import { controlCommand } from '../../sandbox-command.ts'

export default class MerchantList extends controlCommand('merchants', async (list) =>
  (await import('../../sandbox/render-applications.ts')).renderMerchants(list),
) {
  static override description = 'Those of the fixtures come first, then those that were added.'
  static override examples = ['tillbox merchant list', 'tillbox merchant list --json']
  static override listMember = 'merchants'
}
