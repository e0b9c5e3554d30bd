import { string } from '@oclif/core/flags'
import { control } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { NoSandbox } from '../../client/which-sandbox.ts'
import { cards } from '../../domain/fixtures.ts'
import { requireKnownName } from '../errors/exit-codes.ts'

/** True for a card that pays online. */
export const paysOnline = ({
  number,
  category,
}: {
  readonly number?: string
  readonly category: string
}): boolean => number !== undefined && category === 'CARD'

const online = cards.filter(paysOnline)

/** The default test card for online payments. */
export const usualCard: string = online[0]?.name ?? ''

const cardFlagText = `Test card: ${online.map(({ name }) => name).join(', ')}, or one of the sandbox’s --fixtures`

/** `--card`, for payments without a browser. */
export const cardFlag = string({
  description: `${cardFlagText}.`,
  helpValue: '<name>',
  default: usualCard,
})

/** `--card`, where a person is asked first. */
export const promptedCardFlag = string({
  description: `${cardFlagText}; default: ${usualCard}, and on a terminal it is asked for.`,
  helpValue: '<name>',
})

/** A test card that pays online, as a payload needs it. */
interface PayingCard {
  readonly name: string
  readonly number?: string
}

/** The built-in test card of that name that pays online, or undefined. */
export const builtInCard = (name: string): PayingCard | undefined => online.find((card) => card.name === name)

/**
 * The test card of that name that pays online: of the sandbox, or of the built-in ones where none answers.
 */
export async function testCard(find: () => Promise<SandboxAddress>, name: string): Promise<PayingCard> {
  const listing = await find()
    .then((sandbox) => control(sandbox, 'cards'))
    .catch((error) => {
      if (error instanceof Unreachable || error instanceof NoSandbox) return { cards }
      throw error
    })
  return requireKnownName('test card', name, listing.cards.filter(paysOnline), 'card')
}
