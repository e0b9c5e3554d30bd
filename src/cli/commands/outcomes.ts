import { outcomes } from '../../domain/fixtures.ts'
import { fixtureListCommand } from '../listing/fixture-list.ts'

export default class Outcomes extends fixtureListCommand('outcomes', { outcomes }, async (list) =>
  (await import('../listing/render-fixtures.ts')).renderOutcomes(list),
) {
  static override summary = 'List the outcomes with their codes and trigger amounts.'
  static override description =
    'Amounts decide payments alone. Of a refund or a void, --outcome decides, or `sandbox fault outcome=<name>`.'
}
