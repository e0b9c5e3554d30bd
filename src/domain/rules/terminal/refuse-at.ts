import {
  type ErrorCode,
  type RefusalDetail,
  reject,
  rejectSaying,
  remedyAt,
} from '../../../contract/errors.ts'
import { suggestion } from '../../../shared/text/suggest.ts'
import { capitalize } from '../../../shared/text/words.ts'
import type { Card, Catalogue, Outcome } from '../../fixtures.ts'

/** Refuses a request to a terminal; the remedy names the terminal. */
export const refuseAt = (
  code: ErrorCode,
  terminalSn: string,
  { field = 'terminalSn', remedy = remedyAt(code, terminalSn), ...said }: RefusalDetail,
): never => reject(code, { field, remedy, ...said })

/** Refuses a terminal that was removed. */
export const refuseRemoved = (terminalSn: string): never =>
  reject('SBX_UNREGISTERED', {
    field: 'terminalSn',
    message: `The terminal ${terminalSn} was removed`,
    remedy: { action: 'add-again', terminalSn },
  })

/** Refuses a terminal that is paired with no merchant. assumption: pairing */
export const refuseUnpaired = (terminalSn: string): never =>
  reject('SBX_OTHER_OWNER', {
    field: 'terminalSn',
    detail: `${terminalSn} is not paired with this merchant`,
    remedy: { action: 'pair', terminalSn },
  })

/** Refuses a serial number that no terminal has. */
export const refuseUnknownTerminal = (terminalSn: string): never =>
  reject('SBX_UNREGISTERED', {
    field: 'terminalSn',
    message: `There is no terminal ${terminalSn}`,
    remedy: { action: 'set-up', terminalSn },
  })

/** The card of that name. */
export const requireCard = ({ cardNamed, cards }: Catalogue, name: string): Card =>
  cardNamed(name) ?? refuseName('card', name, cards)

/** The outcome of that name. */
export const requireOutcome = ({ outcomeNamed, outcomes }: Catalogue, name: string): Outcome =>
  outcomeNamed(name) ?? refuseName('outcome', name, outcomes)

function refuseName(field: string, name: string, all: readonly { readonly name: string }[]): never {
  const names = all.map((each) => each.name)
  const remedy = capitalize(suggestion(name, names))
  return rejectSaying(field, `There is no ${field} ${name}`, remedy)
}
