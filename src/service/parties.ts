import { reject, rejectField } from '../contract/errors.ts'
import type { ProductionSettings } from '../contract/sandbox/presets.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { refuseUnpaired } from '../domain/rules/terminal/refuse-at.ts'
import { ledgerOf, type State } from '../domain/state.ts'
import { unpairedNamed } from '../domain/unpaired-terminals.ts'
import type { Directory } from '../engine/directory.ts'
import type { ApplicationProfile } from '../fixtures.ts'
import { suggestion } from '../text/suggest.ts'

/** The application, merchant and terminal that a request names. */
export interface Parties {
  readonly appId?: string | null | undefined
  readonly merchantId?: string | null | undefined
  readonly terminalSn?: string | null | undefined
}

/** The ledger that a request acts on, and notes for the request log. */
export interface RequestParties {
  readonly ledger: Ledger
  readonly notes: readonly string[]
}

/** How unknown ids are handled. */
interface Unknowns extends Pick<ProductionSettings, 'terminals' | 'appIds'> {
  readonly strict: boolean
}

/**
 * The ledger of the request's merchant. Application and merchant default to those of the API key. An unknown merchant
 * or terminal is refused, or with open `terminals` registered on first use. assumption: parties,
 * register-on-first-sight Errors: SBX_OTHER_OWNER, SBX_UNREGISTERED, C17.
 */
export function partiesOf(
  state: State,
  directory: Directory,
  application: ApplicationProfile,
  named: Parties,
  { strict, terminals, appIds }: Unknowns,
): RequestParties {
  const notes: string[] = []
  const noteFor =
    (isRefused: boolean): NoteUnknown =>
    (field, id, what, known, remedy) => {
      const detail = `${nouns[field]} ${id} is not registered; ${suggestion(id, known)}`
      if (isRefused) reject('SBX_UNREGISTERED', { field, detail, remedy })
      notes.push(`${field}: ${id} is unknown; ${what}`)
    }
  checkApplication(directory, application, named.appId, noteFor(strict || appIds === 'known'))
  const isClosed = terminals === 'known'
  const ledger = merchantOf(state, directory, application, named.merchantId, noteFor(isClosed))
  checkTerminal(state, ledger, named.terminalSn, noteFor(isClosed))
  return { ledger, notes }
}

const nouns = { appId: 'application', merchantId: 'merchant', terminalSn: 'terminal' } as const

/** Refuses an unknown id, or notes how it is handled. `known`: the existing ids. */
type NoteUnknown = (
  field: keyof typeof nouns,
  id: string,
  what: string,
  known: readonly string[],
  remedy?: string,
) => void

function checkApplication(
  directory: Directory,
  application: ApplicationProfile,
  appId: string | null | undefined,
  noteUnknown: NoteUnknown,
): void {
  if (appId == null || appId === application.appId) return
  if (directory.applications.some((other) => other.appId === appId))
    reject('SBX_OTHER_OWNER', { field: 'appId', detail: `the API key belongs to ${application.appId}` })
  const what = `taken as ${application.appId}, the application of the API key`
  const remedy = 'Send the appId of the API key or none, or start the sandbox with --app-ids any'
  noteUnknown('appId', appId, what, [application.appId], remedy)
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
    reject('SBX_OTHER_OWNER', {
      field: 'merchantId',
      detail: `${merchantId} belongs to another application`,
      remedy: `Act as it, with its key: eval "$(tillbox sandbox env --merchant ${merchantId})"`,
    })
  if (owner === undefined) noteUnknown('merchantId', merchantId, firstSight, merchantsOf(state, application))
  return ledgerOf(state, application.appId, merchantId)
}

function checkTerminal(
  state: State,
  ledger: Ledger,
  terminalSn: string | null | undefined,
  noteUnknown: NoteUnknown,
): void {
  if (terminalSn == null || ledger.terminals.has(terminalSn)) return
  if (unpairedNamed(state.ledgers, terminalSn) !== undefined) refuseUnpaired(terminalSn)
  for (const other of state.ledgers.values())
    if (other !== ledger && other.terminals.has(terminalSn))
      reject('SBX_OTHER_OWNER', { field: 'terminalSn', detail: `${terminalSn} belongs to another merchant` })
  const { merchantId } = ledger.settings
  const remedy = `Add it: tillbox terminal add ${terminalSn} --merchant ${merchantId}; or start the sandbox with --terminals open`
  noteUnknown('terminalSn', terminalSn, firstSight, [...ledger.terminals.keys()], remedy)
}

const firstSight = 'registered with default settings when first used'

const merchantsOf = ({ ledgers }: State, { appId }: ApplicationProfile): string[] =>
  [...ledgers.values()].flatMap(({ settings }) => (settings.appId === appId ? [settings.merchantId] : []))
