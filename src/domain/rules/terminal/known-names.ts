import { rejectField } from '../../../contract/errors.ts'
import type { Card, Catalogue, Outcome } from '../../../fixtures.ts'
import { suggestion } from '../../../text/suggest.ts'

/** The card of that name. Errors: C17 with the name that was probably meant. */
export const requireCard = ({ cardNamed, cards }: Catalogue, name: string): Card =>
  cardNamed(name) ?? refuseName('card', name, cards)

/** The outcome of that name. Errors: C17 with the name that was probably meant. */
export const requireOutcome = ({ outcomeNamed, outcomes }: Catalogue, name: string): Outcome =>
  outcomeNamed(name) ?? refuseName('outcome', name, outcomes)

const refuseName = (field: string, name: string, known: readonly { readonly name: string }[]): never =>
  rejectField(
    field,
    `there is no ${field} ${name}; ${suggestion(
      name,
      known.map((each) => each.name),
    )}`,
  )
