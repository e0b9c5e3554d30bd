import { reject, rejectField } from '../contract/errors.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { ledgerOf, type State } from '../domain/state.ts'
import type { Directory } from '../engine/directory.ts'
import type { ApplicationProfile } from '../fixtures.ts'

/** Who a request says it is from and for. */
export interface Parties {
  readonly appId?: string | null | undefined
  readonly merchantId?: string | null | undefined
  readonly terminalSn?: string | null | undefined
}

/** The ledger that a request acts on, and what deserves a note. */
export interface RequestParties {
  readonly ledger: Ledger
  readonly notes: readonly string[]
}

/**
 * The merchant's ledger. Left out, application and merchant come from the key; unknown ones are registered on first
 * sight unless `strict`. assumption: parties, register-on-first-sight
 * Errors: SBX_OTHER_OWNER, SBX_UNREGISTERED, C17.
 */
export function partiesOf(
  state: State,
  directory: Directory,
  application: ApplicationProfile,
  named: Parties,
  strict: boolean,
): RequestParties {
  const notes: string[] = []
  const noteUnknown = (field: string, id: string, what: string) => {
    if (strict) reject('SBX_UNREGISTERED', { field, detail: `${id} is unknown` })
    notes.push(`${field}: ${id} is unknown; ${what}`)
  }
  checkApplication(directory, application, named.appId, noteUnknown)
  const ledger = merchantOf(state, directory, application, named.merchantId, noteUnknown)
  checkTerminal(state, ledger, named.terminalSn, noteUnknown)
  return { ledger, notes }
}

/** Refuses what is not registered under strict, else adds a note. */
type NoteUnknown = (field: string, id: string, what: string) => void

function checkApplication(
  directory: Directory,
  application: ApplicationProfile,
  appId: string | null | undefined,
  noteUnknown: NoteUnknown,
): void {
  if (appId == null || appId === application.appId) return
  if (directory.applications.some((other) => other.appId === appId))
    reject('SBX_OTHER_OWNER', { field: 'appId', detail: `the API key belongs to ${application.appId}` })
  noteUnknown('appId', appId, `taken as ${application.appId}, the application of the API key`)
}

function merchantOf(
  state: State,
  directory: Directory,
  application: ApplicationProfile,
  named: string | null | undefined,
  noteUnknown: NoteUnknown,
): Ledger {
  const merchantId = named ?? application.merchants[0]?.merchantId
  if (merchantId === undefined)
    return rejectField('merchantId', 'is required: the application has no merchant yet')
  const owner = state.ledgers.get(merchantId)?.settings.appId ?? directory.ownerOf(merchantId)?.appId
  if (owner !== undefined && owner !== application.appId)
    reject('SBX_OTHER_OWNER', { field: 'merchantId', detail: `${merchantId} belongs to another application` })
  if (owner === undefined)
    noteUnknown('merchantId', merchantId, 'registered with default settings when first used')
  return ledgerOf(state, application.appId, merchantId)
}

function checkTerminal(
  state: State,
  ledger: Ledger,
  terminalSn: string | null | undefined,
  noteUnknown: NoteUnknown,
): void {
  if (terminalSn == null || ledger.terminals.has(terminalSn)) return
  for (const other of state.ledgers.values())
    if (other !== ledger && other.terminals.has(terminalSn))
      reject('SBX_OTHER_OWNER', { field: 'terminalSn', detail: `${terminalSn} belongs to another merchant` })
  noteUnknown('terminalSn', terminalSn, 'registered with default settings when first used')
}
