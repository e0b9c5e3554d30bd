import { string } from '@oclif/core/flags'
import { type Card, cards, outcomeNamed, outcomes } from '../../fixtures.ts'
import { requireNamed, UsageError } from '../errors/usage-error.ts'

/** The card of that name. Errors: UsageError. */
export const requireCard = (name: string): string => requireNamed('card', name, cards).name

/** The outcome of that name, by name. Errors: UsageError. */
export const requireOutcome = (name: string): string => requireNamed('outcome', name, outcomes).name

/** True for the name of an outcome. */
export const isOutcome = (name: string): boolean => outcomeNamed(name) !== undefined

/** The outcome with that result code, by name; the first where several have it. Errors: UsageError. */
export function outcomeWithCode(code: string): string {
  const found = outcomes.find((outcome) => outcome.code === code.toUpperCase())
  if (found !== undefined) return found.name
  const codes = new Set(outcomes.map((outcome) => outcome.code))
  throw new UsageError(`No outcome has the code ${code}`, `The codes are ${[...codes].join(', ')}`, 'code')
}

/** A list of names with what is to know of each, for help. */
function nameList(title: string, rows: readonly (readonly [name: string, facts: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return [title, ...rows.map(([name, facts]) => `  ${name.padEnd(width)}  ${facts}`)].join('\n')
}

/** Every outcome with its code, for help. */
export const outcomeHelp: string = nameList(
  'Outcomes:',
  outcomes.map(({ name, code, message }) => [name, `${code}  ${message}`]),
)

/** Every test card: how it is presented and verified, and what the host answers where the card decides it. */
export const cardHelp: string = nameList(
  'Cards:',
  cards.map(({ name, category, entryMode, authenticationMethod, outcome }) => {
    const verified = authenticationMethod === 'NOT_AUTHENTICATED' ? '' : authenticationMethod
    return [name, [category === 'QR' ? 'QR' : entryMode, verified, outcome].filter(Boolean).join(', ')]
  }),
)

const online = cards.filter(({ number, category }) => number !== undefined && category === 'CARD')

/** `--card`, for payments without a browser. */
export const cardFlag = string({
  description: `Test card: ${online.map(({ name }) => name).join(', ')}.`,
  helpValue: '<name>',
  default: online[0]?.name ?? '',
})

/** The test card of that name. Errors: UsageError. */
export const testCard = (name: string): Card => requireNamed('test card', name, online, 'card')
