import { cardNamed, cards, outcomeNamed, outcomes } from '../../fixtures.ts'
import { UsageError, unknownName } from '../errors/usage-error.ts'

/** The card of that name. Errors: UsageError. */
export function requireCard(name: string): string {
  if (cardNamed(name) !== undefined) return name
  const known = cards.map((card) => card.name)
  throw unknownName('card', name, known, 'card')
}

/** The outcome of that name, by name. Errors: UsageError. */
export function requireOutcome(name: string): string {
  if (outcomeNamed(name) !== undefined) return name
  const known = outcomes.map((outcome) => outcome.name)
  throw unknownName('outcome', name, known, 'outcome')
}

/** True for the name of an outcome. */
export const isOutcome = (name: string): boolean => outcomeNamed(name) !== undefined

/** The outcome with that result code, by name; the first where several have it. Errors: UsageError. */
export function outcomeWithCode(code: string): string {
  const found = outcomes.find((outcome) => outcome.code === code.toUpperCase())
  if (found !== undefined) return found.name
  const known = outcomes.map((outcome) => outcome.code)
  throw new UsageError(
    `No outcome has the code ${code}`,
    `The codes are ${[...new Set(known)].join(', ')}`,
    'code',
  )
}

const widest = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length))

/** Every outcome with its code, for help. */
export const outcomeHelp: string = ((width) =>
  `Outcomes:\n${outcomes.map(({ name, code, message }) => `  ${name.padEnd(width)}  ${code}  ${message}`).join('\n')}`)(
  widest(outcomes.map(({ name }) => name)),
)

/** Every test card: how it is presented and verified, and what the host answers where the card decides it. */
export const cardHelp: string = ((width) =>
  `Cards:\n${cards
    .map(({ name, category, entryMode, authenticationMethod, outcome }) => {
      const verified = authenticationMethod === 'NOT_AUTHENTICATED' ? '' : authenticationMethod
      const facts = [category === 'QR' ? 'QR' : entryMode, verified, outcome].filter(Boolean).join(', ')
      return `  ${name.padEnd(width)}  ${facts}`
    })
    .join('\n')}`)(widest(cards.map(({ name }) => name)))
