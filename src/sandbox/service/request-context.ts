import type { Fault } from '../../contract/control/faults.ts'
import type { ProductionSettings } from '../../contract/control/presets.ts'
import type { Behaviour } from '../../contract/control/sandbox-options.ts'
import { reject, rejectField, rejectSaying, rejectUnknown } from '../../contract/errors.ts'
import { commandArgument } from '../../contract/operation-members.ts'
import { type OperationName, operations, type ServiceInput } from '../../contract/operations.ts'
import type { Reader } from '../../contract/records.ts'
import type { ApplicationProfile, Catalogue } from '../../domain/fixtures.ts'
import type { ChangeName } from '../../domain/model/commands.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { refuseUnpaired } from '../../domain/rules/terminal/refuse-at.ts'
import { ledgerOf, type State } from '../../domain/state.ts'
import { unpairedNamed } from '../../domain/unpaired-terminals.ts'
import { command } from '../../shared/text/commands.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import type { HandlerResult } from '../answering/answer.ts'
import type { Directory } from '../engine/directory.ts'
import type { Engine } from '../engine/engine.ts'
import type { Identifiers, ReadableClock } from '../engine/identifiers.ts'
import type { TargetRules } from '../webhooks/webhook-target.ts'
import type { AuthenticatedCall } from './guard.ts'

/** A request whose headers passed the guard. */
export interface GuardedRequest extends AuthenticatedCall {
  readonly operation: OperationName
  /** Wall-clock time in milliseconds. */
  readonly receivedAt: number
  /** The body as received. */
  readonly body: string
  /** The validated members; null until they are validated. */
  input: object | null
}

/** A request that passed the guard and matches its schema. */
export interface RequestContext<N extends OperationName = OperationName> extends GuardedRequest {
  readonly operation: N
  readonly input: ServiceInput<N>
  readonly reader: Reader
  /** The fault that is injected; null for none. */
  readonly fault: Fault | null
  /** URL of the sandbox as the caller wrote it. */
  readonly baseUrl: () => string
}

/** Handles the requests of one operation. */
export type OperationHandler<N extends OperationName> = (
  context: ServiceContext,
  request: RequestContext<N>,
) => Promise<HandlerResult> | HandlerResult

/** Operations that only read. */
export type ReadName = Exclude<OperationName, ChangeName>

/** Finds the transaction or session that a request names. */
type FindOriginal = (ledger: Ledger) => Transaction | undefined

export function namedIn(operation: OperationName, input: object): FindOriginal {
  const argument = commandArgument(operation)
  if (argument === undefined) return () => undefined
  const { [argument.member]: id, [argument.byRequest]: byRequest } = input as Readonly<
    Record<string, string | null | undefined>
  >
  return ({ transactions }) => {
    if (id == null) return byRequest == null ? undefined : transactions.withTransactionRequestId(byRequest)
    return argument.member === 'sessionId' ? transactions.ofSession(id) : transactions.get(id)
  }
}

/** The application, merchant and terminal that a request names. */
interface Parties {
  readonly appId?: string | null | undefined
  readonly merchantId?: string | null | undefined
  readonly terminalSn?: string | null | undefined
}

/**
 * The ledger of the request's merchant, and notes for the request log. The application defaults to that of
 * the API key; the merchant to that of the original, looked for within the application, or else to its first.
 * An unknown merchant is refused, or with open `terminals` registered on first use. assumption: parties
 */
export function ledgerOfRequest(
  { engine: { state }, directory, options }: ServiceContext,
  { application, operation, input }: RequestContext,
): { readonly ledger: Ledger; readonly notes: readonly string[] } {
  const named: Parties = input
  const notes: string[] = []
  checkApplication(directory, application, named.appId, noteIn(notes, options.appIds === 'known'))
  const merchantId = named.merchantId ?? ownerOf(state, application, operation, input, notes)
  const noteUnknown = noteIn(notes, options.terminals === 'known')
  return { ledger: requireLedger(state, directory, application, merchantId, noteUnknown), notes }
}

const nouns = { appId: 'Application', merchantId: 'Merchant', terminalSn: 'Terminal' } as const

/** Refuses an unknown id, or notes how it is handled. `existingIds`: those to suggest from. */
type NoteUnknown = (
  field: keyof typeof nouns,
  id: string,
  what: string,
  existingIds: readonly string[],
  remedy?: string,
) => void

const noteIn =
  (notes: string[], isRefused: boolean): NoteUnknown =>
  (field, id, what, existingIds, remedy) => {
    const hint = suggestion(id, existingIds)
    const message = `${nouns[field]} ${id} is not registered`
    if (isRefused) rejectUnknown('SBX_UNREGISTERED', field, message, hint, remedy)
    notes.push(`${field}: ${id} is unknown; ${what}`)
  }

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
  const remedy = 'Send the appId of the API key or none, or start the sandbox with --set appIds=any'
  noteUnknown('appId', appId, what, [application.appId], remedy)
}

/** Merchants that have the original, its application's first one first. assumption: named-transactions */
export function ownersOfOriginal(
  { ledgers }: State,
  { appId, merchants }: ApplicationProfile,
  findOriginal: FindOriginal,
): string[] {
  if (ledgers.size === 1) return []
  const first = merchants[0]?.merchantId
  return [...ledgers.values()]
    .filter((ledger) => ledger.settings.appId === appId && findOriginal(ledger) !== undefined)
    .map(({ settings }) => settings.merchantId)
    .toSorted((one, other) => Number(other === first) - Number(one === first))
}

/**
 * The merchant of the original. Where several used its transaction request id, a look-up takes the first,
 * with a note. assumption: parties
 */
function ownerOf(
  state: State,
  application: ApplicationProfile,
  operation: OperationName,
  input: object,
  notes: string[],
): string | undefined {
  const [owner, ...others] = ownersOfOriginal(state, application, namedIn(operation, input))
  if (owner === undefined || others.length === 0) return owner
  const field = commandArgument(operation)?.byRequest ?? 'merchantId'
  const detail = `${[owner, ...others].join(' and ')} each have a transaction with this id`
  if (operations[operation].method !== 'GET')
    rejectSaying(field, detail, 'Send the merchantId too, or name the transaction by its own id')
  notes.push(`${field}: ${detail}; that of ${owner} is answered`)
  return owner
}

function requireLedger(
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
      remedy: `Act as it, with the key that ${command('sandbox env --merchant', merchantId)} prints`,
    })
  if (owner === undefined) {
    const add = command('merchant add', merchantId, '--application', application.appId)
    const remedy = `Add it: ${add}; or start the sandbox with --set terminals=open`
    noteUnknown('merchantId', merchantId, firstSight, merchantIds(state, application), remedy)
  }
  return ledgerOf(state, application.appId, merchantId)
}

/**
 * Checks the terminal that a request names, as `ledgerOfRequest` does its merchant; returns notes. A repeated
 * request is answered without it: the terminal may be gone since.
 */
export function checkTerminal(
  { engine: { state }, options }: ServiceContext,
  { input }: RequestContext,
  ledger: Ledger,
): readonly string[] {
  const { terminalSn }: Parties = input
  if (terminalSn == null || ledger.terminals.has(terminalSn)) return []
  if (unpairedNamed(state.ledgers, terminalSn) !== undefined) refuseUnpaired(terminalSn)
  for (const other of state.ledgers.values())
    if (other !== ledger && other.terminals.has(terminalSn))
      reject('SBX_OTHER_OWNER', { field: 'terminalSn', detail: `${terminalSn} belongs to another merchant` })
  const { merchantId } = ledger.settings
  const remedy = `Add it: ${command('terminal add', terminalSn, '--merchant', merchantId)}; or start the sandbox with --set terminals=open`
  const notes: string[] = []
  const noteUnknown = noteIn(notes, options.terminals === 'known')
  noteUnknown('terminalSn', terminalSn, firstSight, [...ledger.terminals.keys()], remedy)
  return notes
}

const firstSight = 'registered with default settings when first used'

const merchantIds = ({ ledgers }: State, { appId }: ApplicationProfile): string[] =>
  [...ledgers.values()].flatMap(({ settings }) => (settings.appId === appId ? [settings.merchantId] : []))

/** What the payment service works with. */
export interface ServiceContext {
  readonly webhookLimits: TargetRules
  readonly catalogue: Catalogue
  readonly engine: Engine
  readonly directory: Directory
  readonly clock: ReadableClock
  readonly identifiers: Identifiers
  readonly options: ProductionSettings & Pick<Behaviour, 'strict' | 'strictContentType' | 'duplicates'>
}
