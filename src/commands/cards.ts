import { fixtureListCommand } from '../cli/listing/fixture-list.ts'
import { cards } from '../fixtures.ts'

export default class Cards extends fixtureListCommand('cards', { cards }, async (list) =>
  (await import('../cli/listing/render-fixtures.ts')).renderCards(list),
) {
  static override summary = 'List the test cards: network, entry, verification, outcome.'
}
