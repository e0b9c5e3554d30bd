import { string } from '@oclif/core/flags'
import { type Card, cards } from '../../fixtures.ts'
import { unknownName } from '../errors/usage-error.ts'

const online = cards.filter(({ number, category }) => number !== undefined && category === 'CARD')
const names = online.map(({ name }) => name)

/** `--card`, for payments without a browser. */
export const cardFlag = string({
  description: `Test card: ${names.join(', ')}.`,
  helpValue: '<name>',
  default: names[0] ?? '',
})

/** The test card of that name. Errors: UsageError. */
export function testCard(name: string): Card {
  const card = online.find((each) => each.name === name)
  if (card !== undefined) return card
  throw unknownName('test card', name, names, 'card')
}
