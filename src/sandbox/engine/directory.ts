import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { coversAddress } from '../../contract/control/addresses.ts'
import { firstSpace } from '../../contract/control/spaces.ts'
import { reject } from '../../contract/errors.ts'
import {
  type ApplicationProfile,
  isPublished,
  type KeyProfile,
  plainMerchant,
} from '../../domain/fixtures.ts'
import type { Settings } from '../../domain/settings.ts'
import { command } from '../../shared/text/commands.ts'

interface DirectoryOptions {
  /** Replaces the first application's sandbox key. */
  readonly apiKey?: string | undefined
  /** True when other machines reach the sandbox: published keys are then unknown. assumption: keys */
  readonly isShared?: boolean
  /** Its space; absent: the first. */
  readonly spaceName?: string
  /** Gets every key, now and after each change. */
  readonly keysChanged?: (keys: readonly string[]) => void
}

/** Most expired keys of an application that are told from unknown ones, the newest. assumption: keys */
const mostExpired = 10

/** Applications with their keys and allow-lists, from the fixtures and from run-time settings. */
export class Directory {
  #fixtures: readonly ApplicationProfile[]
  /** The first application's keys in the settings at the start. Once they change, they contain `apiKey`. */
  #keysAtStart: readonly KeyProfile[] | undefined
  readonly #keys = new Map<string, { readonly application: ApplicationProfile; readonly key: KeyProfile }>()
  #applications: readonly ApplicationProfile[] = []

  constructor(
    applications: readonly ApplicationProfile[],
    private readonly settings: Settings,
    private readonly options: DirectoryOptions = {},
  ) {
    this.#fixtures = applications
    this.#keysAtStart = structuredClone(settings.keys[applications[0]?.appId ?? ''])
    this.reload()
  }

  /** Every application: those of the fixtures, the default first, then the added ones. */
  get applications(): readonly ApplicationProfile[] {
    return this.#applications
  }

  /**
   * The application of a key; `now` by the sandbox clock. docs/api.md#authentication-3,
   * docs/api.md#authentication-5, docs/api.md#authentication-7. assumption: keys
   */
  authenticate(key: string, now: number): ApplicationProfile {
    const owner = this.#keys.get(key) ?? this.refuseUnknownKey()
    if (owner.key.environment !== 'sandbox') reject('SBX_KEY_ENV', { field: 'Authorization' })
    if (hasExpired(owner.key, now))
      reject('SBX_KEY_EXPIRED', {
        field: 'Authorization',
        detail: `it was valid until ${owner.key.validUntil}`,
      })
    return owner.application
  }

  /** The application of a key, even an expired or production one; undefined for an unknown key. */
  ownerOfKey(key: string): ApplicationProfile | undefined {
    return this.#keys.get(key)?.application
  }

  /** Errors: SBX_KEY_UNKNOWN, with the command that shows the key of the space. */
  refuseUnknownKey(): never {
    const { spaceName = firstSpace } = this.options
    const remedy =
      spaceName === firstSpace
        ? undefined
        : `Use the key of this space: ${command('sandbox env --space', spaceName, '--show-key')}`
    return reject('SBX_KEY_UNKNOWN', { field: 'Authorization', remedy })
  }

  /** The application that clients use by default. */
  get defaultApplication(): ApplicationProfile {
    return this.#applications[0] as ApplicationProfile
  }

  /** Addresses and ranges that may call for the application; empty: all. docs/api.md#authentication-6 */
  allowListOf(application: ApplicationProfile): readonly string[] {
    return this.settings.allowLists[application.appId] ?? application.allowList
  }

  /** True when the address may call; how it is written does not matter. docs/api.md#authentication-6 */
  allows(application: ApplicationProfile, address: string): boolean {
    const list = this.allowListOf(application)
    return list.length === 0 || coversAddress(list, address)
  }

  /** The key that the application's callers should use now. */
  currentKey(application: ApplicationProfile): string | undefined {
    return this.keysOf(application).find(isCurrent)?.key
  }

  /** A new sandbox key; old ones stay valid for `graceMs` of sandbox time. docs/api.md#authentication-5 */
  regenerateKey(application: ApplicationProfile, graceMs: number, now: number): string {
    const validUntil = new Date(now + graceMs).toISOString()
    const key = newKey(now)
    const old = this.keysOf(application).map((each) => (isCurrent(each) ? { ...each, validUntil } : each))
    const forgotten = new Set(old.filter((each) => hasExpired(each, now)).slice(mostExpired))
    this.settings.keys[application.appId] = [key, ...old.filter((each) => !forgotten.has(each))]
    this.reload()
    return key.key
  }

  /** Sets the allow-list; it takes effect immediately. docs/api.md#authentication-6 */
  setAllowList(application: ApplicationProfile, addresses: readonly string[]): void {
    this.settings.allowLists[application.appId] = [...addresses]
  }

  /**
   * Adds an application for one merchant, with its own key and webhook secret. `appId`: of an existing
   * merchant whose application is missing; absent: a new id. assumption: added-merchants
   */
  addApplication(merchantId: string, webhookSecret: string, now: number, appId = newAppId()) {
    this.settings.applications.push({ appId, merchants: [merchantId] })
    this.settings.keys[appId] ??= [newKey(now)]
    this.settings.secrets[appId] ??= { current: webhookSecret }
    this.reload()
    return this.#applications.find((each) => each.appId === appId) as ApplicationProfile
  }

  /** Removes an added application that could not be stored. */
  removeApplication({ appId }: ApplicationProfile): void {
    const { applications, keys, secrets } = this.settings
    this.settings.applications = applications.filter((each) => each.appId !== appId)
    for (const owned of [keys, secrets]) Reflect.deleteProperty(owned, appId)
    this.reload()
  }

  applicationNamed(appId: string): ApplicationProfile | undefined {
    return this.#applications.find((each) => each.appId === appId)
  }

  ownerOf(merchantId: string): ApplicationProfile | undefined {
    return this.#applications.find(({ merchants }) =>
      merchants.some((merchant) => merchant.merchantId === merchantId),
    )
  }

  /** Every key of an application, expired ones included. */
  keysOf(application: ApplicationProfile): readonly KeyProfile[] {
    const { apiKey, isShared = false } = this.options
    const stored = this.settings.keys[application.appId]
    const keys = (stored ?? application.keys).filter(({ key }) => !isShared || !isPublished(key))
    const asStarted = application === this.#applications[0] && isDeepStrictEqual(stored, this.#keysAtStart)
    return apiKey !== undefined && asStarted ? withKey(keys, apiKey) : keys
  }

  /** Applies `apiKey` to imported keys as it was applied to the keys at the start. */
  adopt(): void {
    this.#keysAtStart = structuredClone(this.settings.keys[this.applications[0]?.appId ?? ''])
    this.reload()
  }

  /** Takes over other applications of the fixtures. */
  follow(applications: readonly ApplicationProfile[]): void {
    this.#fixtures = applications
    this.reload()
  }

  /** Reads applications, keys and lists again, after a change of the settings. */
  reload(): void {
    const fixtureIds = new Set(this.#fixtures.map(({ appId }) => appId))
    const added = this.settings.applications.filter(({ appId }) => !fixtureIds.has(appId))
    this.#applications = [...this.#fixtures, ...added.map(asProfile)]
    this.#keys.clear()
    for (const application of this.#applications)
      for (const key of this.keysOf(application)) this.#keys.set(key.key, { application, key })
    this.options.keysChanged?.([...this.#keys.keys()])
  }
}

/** True for an expired key. */
export const hasExpired = ({ validUntil }: KeyProfile, now: number): boolean =>
  validUntil !== undefined && Date.parse(validUntil) <= now

/** True for a key that callers should use now. */
export const isCurrent = ({ environment, validUntil }: KeyProfile): boolean =>
  environment === 'sandbox' && validUntil === undefined

const newAppId = (): string => `tbxapp${randomBytes(5).toString('hex')}`

/** A new random webhook secret. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** A new random key. `now`: sandbox time. */
export const newKey = (now: number): KeyProfile => ({
  key: `tbx_sandbox_${randomBytes(12).toString('hex')}`,
  environment: 'sandbox',
  since: new Date(now).toISOString(),
})

/** An added application; the settings keep its keys and secret, beside changed ones of the fixtures. */
const asProfile = ({ appId, merchants }: Settings['applications'][number]): ApplicationProfile => ({
  appId,
  keys: [],
  allowList: [],
  webhookSecret: '',
  merchants: merchants.map((merchantId) => plainMerchant(merchantId)),
})

/** Replaces the current sandbox key with the given one. */
function withKey(keys: readonly KeyProfile[], key: string): readonly KeyProfile[] {
  const others = keys.filter((each) => each.key !== key && !isCurrent(each))
  return [{ key, environment: 'sandbox' }, ...others]
}
