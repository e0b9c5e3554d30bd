import { cards } from '../../domain/fixtures.ts'
import { fixtureListCommand } from '../listing/fixture-list.ts'

export default class Cards extends fixtureListCommand('cards', { cards }, async (list) =>
  (await import('../listing/render-fixtures.ts')).renderCards(list),
) {
  static override summary = 'List the test cards with network, entry mode and outcome.'
}
