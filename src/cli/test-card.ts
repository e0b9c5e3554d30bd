import { string } from '@oclif/core/flags'
import { suggestion } from '../api/suggest.ts'
import { type Card, cards } from '../fixtures.ts'
import { UsageError } from './usage-error.ts'

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
  const remedy = suggestion(name, names)
  throw new UsageError(`There is no test card ${name}`, remedy[0]?.toUpperCase() + remedy.slice(1), 'card')
}
