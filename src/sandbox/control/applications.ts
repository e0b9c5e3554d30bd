import type { KeyView } from '../../contract/control/application-answers.ts'
import type { applicationControls } from '../../contract/control/controls/application-controls.ts'
import type { ControlInput } from '../../contract/control/controls/controls.ts'
import { hiddenKey } from '../../contract/control/request-log-answers.ts'
import { isMadeToken } from '../../contract/control/tokens.ts'
import { Refusal, reject, rejectField, rejectUnknown } from '../../contract/errors.ts'
import { bearerPattern } from '../../contract/headers.ts'
import type { ApplicationProfile, KeyProfile } from '../../domain/fixtures.ts'
import { type Ledger, plainTerminal } from '../../domain/model/ledger.ts'
import type { TerminalProfile } from '../../domain/model/terminal-profile.ts'
import { ledgerOf, merchantProfileOf, type ReadonlyState } from '../../domain/state.ts'
import { unpairedNamed } from '../../domain/unpaired-terminals.ts'
import { command } from '../../shared/text/commands.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { type Directory, hasExpired, newSecret } from '../engine/directory.ts'
import type { EngineReader } from '../engine/engine.ts'
import { type Call, headerOf } from '../http/call.ts'
import { rotateSecret, webhookSecrets } from '../webhooks/secrets.ts'
import { type ControlContext, type ControlHandlers, saveSettings } from './control-context.ts'

/** Applications: their keys, allow-lists, webhook secrets and merchants. */

/** Context for finding an application. */
export interface ApplicationContext {
  readonly directory: Directory
  readonly engine: Pick<EngineReader, 'state'>
  readonly options: { readonly token: string | null }
}

/** The members that name an application. */
export interface NamedApplication {
  readonly appId?: string | null | undefined
  readonly merchantId?: string | null | undefined
}

/** Default time for which an old key stays valid. assumption: keys */
const defaultGrace = 24 * 3_600_000

/** The secrets of an application, and how its webhooks are signed. */
function secretView({ settings, options }: ControlContext, application: ApplicationProfile) {
  const { current: secret, previous = null } = webhookSecrets(settings.data, application)
  const { signature, signatureEncoding } = options
  return { appId: application.appId, secret, previous, signature, signatureEncoding }
}

/** Handlers of the control table's rows for applications and merchants. */
export const applicationHandlers: ControlHandlers<keyof typeof applicationControls> = {
  keys: (context, named) => {
    const { directory, clock } = context
    const isNamed = named.appId != null || named.merchantId != null
    const applications = isNamed ? [applicationNamed(context, named)] : directory.applications
    const now = clock.now()
    return {
      keys: applications.flatMap((application) =>
        directory.keysOf(application).map((key) => keyView(application, key, now)),
      ),
    }
  },
  'regenerate-key': async (context, { graceMs, ...named }, call) => {
    const { directory, clock } = context
    const application = requireApplication(context, named, call)
    const [now, grace] = [clock.now(), graceMs ?? defaultGrace]
    const apiKey = await saveSettings(context, () => directory.regenerateKey(application, grace, now))
    return { apiKey, appId: application.appId, oldKeyValidUntil: new Date(now + grace).toISOString() }
  },
  'allow-list': (context, named, call) => {
    const application = requireApplication(context, named, call)
    return { appId: application.appId, addresses: [...context.directory.allowListOf(application)] }
  },
  'set-allow-list': async (context, { addresses, ...named }, call) => {
    const application = requireApplication(context, named, call)
    await saveSettings(context, () => context.directory.setAllowList(application, addresses))
    return { appId: application.appId, addresses }
  },
  'webhook-secret': (context, named, call) => secretView(context, requireApplication(context, named, call)),
  'rotate-webhook-secret': async (context, { graceMs, ...named }, call) => {
    const { settings, clock } = context
    const application = requireApplication(context, named, call)
    await saveSettings(context, () =>
      rotateSecret(settings.data, application, graceMs ?? defaultGrace, clock.now()),
    )
    return secretView(context, application)
  },
  merchants: ({ engine: { state }, directory }) => {
    const defaultMerchantId = directory.defaultApplication.merchants[0]?.merchantId
    return {
      merchants: [...state.ledgers.values()].map(({ settings, terminals, registeredAt }) => ({
        merchantId: settings.merchantId,
        name: merchantProfileOf(state, settings.merchantId).details.dbaName,
        appId: settings.appId,
        terminals: [...terminals.keys()],
        addedAt: registeredAt === null ? null : new Date(registeredAt).toISOString(),
        isDefault: settings.merchantId === defaultMerchantId,
      })),
    }
  },
  'add-merchant': addMerchant,
}

/**
 * The named application, or that of the named merchant; otherwise that of the call's API key, or the first.
 */
export function requireApplication(
  context: ApplicationContext,
  named: NamedApplication,
  call: Call,
): ApplicationProfile {
  if (named.appId != null || named.merchantId != null) return applicationNamed(context, named)
  const { directory, options } = context
  const key = bearerPattern.exec(headerOf(call, 'authorization') ?? '')?.[1]
  if (key === undefined || key === options.token) return directory.defaultApplication
  const owner = directory.ownerOfKey(key) ?? (isMadeToken(key) ? directory.defaultApplication : undefined)
  return owner ?? directory.refuseUnknownKey()
}

function applicationNamed(
  { directory, engine }: Pick<ApplicationContext, 'directory' | 'engine'>,
  { appId, merchantId }: NamedApplication,
): ApplicationProfile {
  const owner = merchantId == null ? undefined : ownerOfMerchant(directory, engine, merchantId)
  if (appId == null || (owner !== undefined && owner.appId === appId))
    return owner ?? directory.defaultApplication
  if (owner !== undefined)
    reject('SBX_OTHER_OWNER', { field: 'merchantId', detail: `${merchantId} belongs to ${owner.appId}` })
  const appIds = directory.applications.map((each) => each.appId)
  const message = `Application ${appId} is not registered`
  return (
    directory.applicationNamed(appId) ??
    rejectUnknown(
      'SBX_UNREGISTERED',
      'appId',
      message,
      suggestion(appId, appIds),
      'List them: `tillbox merchant list`',
    )
  )
}

/** Errors: SBX_UNREGISTERED. */
export const rejectMerchant = (merchantId: string, { ledgers }: ReadonlyState): never =>
  rejectUnknown(
    'SBX_UNREGISTERED',
    'merchantId',
    `Merchant ${merchantId} is not registered`,
    suggestion(merchantId, [...ledgers.keys()]),
    `Or add it: ${command('merchant add', merchantId)}`,
  )

function ownerOfMerchant(directory: Directory, { state }: Pick<EngineReader, 'state'>, merchantId: string) {
  const appId = state.ledgers.get(merchantId)?.settings.appId
  const owner = appId === undefined ? directory.ownerOf(merchantId) : directory.applicationNamed(appId)
  if (owner !== undefined) return owner
  if (appId === undefined) return rejectMerchant(merchantId, state)
  return reject('SBX_UNREGISTERED', {
    field: 'merchantId',
    detail: `${merchantId} belongs to the application ${appId}, which this sandbox does not have`,
    remedy: `Give it that application anew, with a new key: ${command('merchant add', merchantId)}`,
  })
}

const keyView = ({ appId }: ApplicationProfile, key: KeyProfile, now: number): KeyView => ({
  key: hiddenKey(key.key),
  appId,
  environment: key.environment,
  state: keyState(key, now),
  since: key.since ?? null,
  validUntil: key.validUntil ?? null,
})

function keyState(key: KeyProfile, now: number): KeyView['state'] {
  if (key.environment !== 'sandbox') return 'other-environment'
  if (hasExpired(key, now)) return 'expired'
  return key.validUntil === undefined ? 'current' : 'ending'
}

/**
 * Adds a merchant, with its own application unless one is named. Key and secret are written first: without
 * them no client could act for the merchant. It also adds the missing half when a restore separated a
 * merchant and its application. assumption: added-merchants
 */
async function addMerchant(context: ControlContext, order: ControlInput<'add-merchant'>) {
  const { merchantId, name, appId, terminals } = order
  const { engine, directory, settings } = context
  await engine.ready()
  const found = engine.state.ledgers.get(merchantId)
  if (found !== undefined) requireLeftBehind(directory, found, order)
  const isFurnished = found !== undefined && found.terminals.size > 0 // then only named terminals are added
  const profiles =
    terminals?.map((serial) => addedTerminal(serial, 'auto')) ?? (isFurnished ? [] : freeSerials(engine))
  for (const { terminalSn } of profiles) requireFree(engine, terminalSn, found)
  if (new Set(terminals).size < (terminals ?? []).length) rejectField('terminals', 'names a terminal twice')
  const { application, isNew } = await applicationFor(context, merchantId, appId)
  const add = async () => {
    await engine.ready() // the state may have been replaced meanwhile
    const ledger = ledgerOf(engine.state, application.appId, merchantId)
    if (found === undefined) ledger.name = name ?? null
    if (found === undefined || profiles.length > 0)
      await engine.run(ledger, { type: 'add-merchant', profiles })
    return ledger
  }
  const ledger = await add().catch(async (error: unknown) => {
    if (isNew) await saveSettings(context, () => directory.removeApplication(application))
    throw error
  })
  return {
    merchantId,
    name: ledger.name ?? merchantId,
    appId: application.appId,
    isNewApplication: isNew,
    apiKey: directory.currentKey(application) ?? '',
    webhookSecret: webhookSecrets(settings.data, application).current,
    terminals: [...ledger.terminals.keys()],
  }
}

/** Allows adding an existing merchant only if its application is missing. */
function requireLeftBehind(
  directory: Directory,
  { settings: { merchantId, appId } }: Ledger,
  wanted: Pick<ControlInput<'add-merchant'>, 'name' | 'appId'>,
): void {
  if (directory.applicationNamed(appId) !== undefined)
    reject('SBX_MERCH_EXISTS', { field: 'merchantId', message: `Merchant ${merchantId} exists already` })
  if (wanted.appId != null && wanted.appId !== appId)
    reject('SBX_OTHER_OWNER', { field: 'appId', detail: `${merchantId} belongs to ${appId}` })
  if (wanted.name != null)
    rejectField('name', `cannot be changed: ${merchantId} is there, only its application is not`)
}

/** The application of a new merchant. `isNew`: it was made for the merchant. */
async function applicationFor(context: ControlContext, merchantId: string, appId: string | null | undefined) {
  const { engine, directory, clock } = context
  const existing = engine.state.ledgers.get(merchantId)
  const hasOwner = existing === undefined && directory.ownerOf(merchantId) !== undefined
  if (hasOwner || (existing === undefined && appId != null)) {
    const named = { appId, merchantId: hasOwner ? merchantId : null }
    return { application: applicationNamed(context, named), isNew: false }
  }
  const make = () => directory.addApplication(merchantId, newSecret(), clock.now(), existing?.settings.appId)
  return { application: await saveSettings(context, make), isNew: true }
}

const addedTerminal = (terminalSn: string, mode: TerminalProfile['mode']): TerminalProfile => ({
  ...plainTerminal(terminalSn),
  summary: mode === 'auto' ? 'auto-approves' : 'needs manual or scripted input',
  mode,
})

/** Default terminals of a merchant: an automatic one, and an attended one. */
function freeSerials({ state }: Pick<EngineReader, 'state'>): readonly TerminalProfile[] {
  const ledgers = [...state.ledgers.values()]
  const taken = new Set(ledgers.flatMap((each) => [...each.terminals.keys(), ...each.unpaired.keys()]))
  const serial = (kind: string) => {
    let number = 1
    const name = () => `TBX-${kind}-${String(number).padStart(3, '0')}`
    while (taken.has(name())) number += 1
    return name()
  }
  return [addedTerminal(serial('AUTO'), 'auto'), addedTerminal(serial('ATTENDED'), 'attended')]
}

/** Requires a serial number that no terminal of the sandbox has. */
export function requireFree({ state }: Pick<EngineReader, 'state'>, terminalSn: string, but?: Ledger): void {
  for (const other of state.ledgers.values())
    if (other !== but && other.terminals.has(terminalSn))
      throw new Refusal('SBX_OTHER_OWNER', {
        field: 'terminalSn',
        detail: `${terminalSn} belongs to the merchant ${other.settings.merchantId}`,
        remedy: 'Choose another serial number. Those in use: `tillbox terminal list`',
      })
  const waiting = unpairedNamed(state.ledgers, terminalSn)?.unpaired
  if (waiting !== undefined)
    reject('SBX_TERM_EXISTS', {
      field: 'terminalSn',
      detail: `${terminalSn} is not paired with a merchant yet`,
      remedy: `Pair it: ${command('terminal pair', waiting.code)}`,
    })
}
