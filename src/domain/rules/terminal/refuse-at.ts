import {
  type ErrorCode,
  errorTable,
  type RefusalDetail,
  reject,
  rejectField,
} from '../../../contract/errors.ts'
import type { Card, Catalogue, Outcome } from '../../../fixtures.ts'
import { shellQuote } from '../../../text/shell-quote.ts'
import { outcomeSuggestion, suggestion } from '../../../text/suggest.ts'

/** Refuses a request to a terminal; the remedy names the terminal. Errors: always throws a Refusal. */
export const refuseAt = (
  code: ErrorCode,
  terminalSn: string,
  { field = 'terminalSn', detail, remedy = errorTable[code].remedy }: RefusalDetail,
): never => reject(code, { field, detail, remedy: remedy.replaceAll('<serial>', terminalSn) })

/** Refuses a terminal that was removed. Errors: SBX_UNREGISTERED. */
export const refuseRemoved = (terminalSn: string): never =>
  reject('SBX_UNREGISTERED', {
    field: 'terminalSn',
    detail: `the terminal ${terminalSn} was removed`,
    remedy: `Add it again: tillbox terminal add ${shellQuote(terminalSn)}. Or process the request in the cloud: --no-push-to-terminal`,
  })

/** Refuses a terminal that is paired with no merchant. assumption: pairing. Errors: SBX_OTHER_OWNER. */
export const refuseUnpaired = (terminalSn: string): never =>
  reject('SBX_OTHER_OWNER', {
    field: 'terminalSn',
    detail: `${terminalSn} is not paired with this merchant`,
    remedy: `Read its code: tillbox terminal show ${shellQuote(terminalSn)}. Then pair it: tillbox terminal pair <code>`,
  })

/** Refuses a serial number that no terminal has. Errors: SBX_UNREGISTERED. */
export const refuseUnknownTerminal = (terminalSn: string): never =>
  reject('SBX_UNREGISTERED', {
    field: 'terminalSn',
    detail: `there is no terminal ${terminalSn}`,
    remedy: `See which there are: tillbox terminal list. Or set it up: tillbox terminal add ${shellQuote(terminalSn)}`,
  })

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
