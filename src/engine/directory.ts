import { randomBytes } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { reject } from '../contract/errors.ts'
import type { ApplicationProfile, KeyProfile } from '../fixtures.ts'
import type { Settings } from '../store/settings.ts'

interface KeyOwner {
  readonly application: ApplicationProfile
  readonly key: KeyProfile
}

/** Who may call: applications, their keys and their allow-lists, from the fixture and what was set since. */
export class Directory {
  readonly applications: readonly ApplicationProfile[]
  readonly #settings: Settings
  readonly #apiKey: string | undefined
  /** Keys that were kept when the sandbox started; once they change, the given key is one of them. */
  readonly #keysAtStart: readonly KeyProfile[] | undefined
  readonly #keys = new Map<string, KeyOwner>()

  /** `apiKey` takes the place of the first application's sandbox key. */
  constructor(applications: readonly ApplicationProfile[], settings: Settings, apiKey?: string) {
    this.applications = applications
    this.#apiKey = apiKey
    this.#settings = settings
    this.#keysAtStart = structuredClone(settings.keys[applications[0]?.appId ?? ''])
    this.#index()
  }

  /**
   * The application of a key. docs/api.md#authentication-3, docs/api.md#authentication-5, docs/api.md#authentication-7
   * Errors: SBX_KEY_UNKNOWN, SBX_KEY_ENV, SBX_KEY_EXPIRED.
   */
  authenticate(key: string, now: number): ApplicationProfile {
    const owner = this.#keys.get(key) ?? reject('SBX_KEY_UNKNOWN', { field: 'Authorization' })
    if (owner.key.environment !== 'sandbox') reject('SBX_KEY_ENV', { field: 'Authorization' })
    const { validUntil } = owner.key
    if (validUntil !== undefined && Date.parse(validUntil) <= now)
      reject('SBX_KEY_EXPIRED', { field: 'Authorization', detail: `it was valid until ${validUntil}` })
    return owner.application
  }

  /** The application that a client uses when nobody says otherwise. */
  get defaultApplication(): ApplicationProfile {
    return this.applications[0] as ApplicationProfile
  }

  /** Addresses that may call for the application; empty: all. docs/api.md#authentication-6 */
  allowListOf(application: ApplicationProfile): readonly string[] {
    return this.#settings.allowLists[application.appId] ?? application.allowList
  }

  /** True when the address may call; an address may be written in several ways. docs/api.md#authentication-6 */
  allows(application: ApplicationProfile, address: string): boolean {
    const list = this.allowListOf(application)
    return list.length === 0 || blockListOf(list).check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }

  /** The key that the application's callers should use now. */
  currentKey(application: ApplicationProfile): string | undefined {
    return this.keysOf(application).find(
      (key) => key.environment === 'sandbox' && key.validUntil === undefined,
    )?.key
  }

  /** A new sandbox key; the old ones stay valid for `graceMs`, then expire. docs/api.md#authentication-5 */
  regenerateKey(application: ApplicationProfile, graceMs: number, now: number): string {
    const validUntil = new Date(now + graceMs).toISOString()
    const key: KeyProfile = { key: `tbx_sandbox_${randomBytes(12).toString('hex')}`, environment: 'sandbox' }
    const old = this.keysOf(application).map((known) =>
      known.environment === 'sandbox' && known.validUntil === undefined ? { ...known, validUntil } : known,
    )
    this.#settings.keys[application.appId] = [key, ...old]
    this.#index()
    return key.key
  }

  /** Sets the allow-list; it takes effect at once. docs/api.md#authentication-6 */
  setAllowList(application: ApplicationProfile, addresses: readonly string[]): void {
    this.#settings.allowLists[application.appId] = [...addresses]
  }

  /** The application whose fixture has this merchant. */
  ownerOf(merchantId: string): ApplicationProfile | undefined {
    return this.applications.find(({ merchants }) =>
      merchants.some((merchant) => merchant.merchantId === merchantId),
    )
  }

  /** Every key of an application, the ones that expired too. */
  keysOf(application: ApplicationProfile): readonly KeyProfile[] {
    const kept = this.#settings.keys[application.appId]
    const keys = kept ?? application.keys
    const asStarted = application === this.applications[0] && isDeepStrictEqual(kept, this.#keysAtStart)
    return this.#apiKey !== undefined && asStarted ? withKey(keys, this.#apiKey) : keys
  }

  /** The settings were replaced: keys and lists are read anew. */
  reload(): void {
    this.#index()
  }

  #index(): void {
    this.#keys.clear()
    for (const application of this.applications)
      for (const key of this.keysOf(application)) this.#keys.set(key.key, { application, key })
  }
}

/** Node's list of addresses: it knows every spelling of one. */
function blockListOf(addresses: readonly string[]): BlockList {
  const list = new BlockList()
  for (const address of addresses) {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    list.addAddress(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
  return list
}

/** The given key takes the place of the sandbox key that is in use. */
function withKey(keys: readonly KeyProfile[], key: string): readonly KeyProfile[] {
  const others = keys.filter(
    (known) => known.key !== key && (known.environment !== 'sandbox' || known.validUntil !== undefined),
  )
  return [{ key, environment: 'sandbox' }, ...others]
}
