import { rejectField } from '../../../contract/errors.ts'
import type { Card, Catalogue, Outcome } from '../../../fixtures.ts'
import { outcomeSuggestion, suggestion } from '../../../text/suggest.ts'

/** The card of that name. Errors: C17 with the nearest name. */
export const requireCard = ({ cardNamed, cards }: Catalogue, name: string): Card =>
  cardNamed(name) ??
  refuseName(
    'card',
    name,
    suggestion(
      name,
      cards.map((card) => card.name),
    ),
  )

/** The outcome of that name. Errors: C17 with the nearest name. */
export const requireOutcome = ({ outcomeNamed, outcomes }: Catalogue, name: string): Outcome =>
  outcomeNamed(name) ?? refuseName('outcome', name, outcomeSuggestion(name, outcomes))

const refuseName = (field: string, name: string, hint: string): never =>
  rejectField(field, `there is no ${field} ${name}; ${hint}`)
