import type * as v from 'valibot'
import { list, one, shape, text, textOrNull, whether } from '../answer-kinds.ts'

/** A key as it is listed. Times in ISO 8601 by the sandbox clock. */
const keyView = shape({
  /** Its middle is hidden. */
  key: text,
  appId: text,
  environment: one(['sandbox', 'production']),
  state: one(['current', 'ending', 'expired', 'other-environment']),
  /** From when on it is accepted; null for a key of the fixtures. */
  since: textOrNull,
  /** Until when it is accepted; null: no end. */
  validUntil: textOrNull,
})
export type KeyView = v.InferOutput<typeof keyView>

/** Answer of `keys`: of each application the newest first. */
export const keyList = shape({ keys: list(keyView) })
export type KeyList = v.InferOutput<typeof keyList>

/** Answer of `regenerate-key`, with the whole key. */
export const newKey = shape({
  apiKey: text,
  appId: text,
  /** Until when the keys before it are accepted, ISO 8601 by the sandbox clock. */
  oldKeyValidUntil: text,
})
export type NewKey = v.InferOutput<typeof newKey>

/** Answer of `allow-list` and `set-allow-list`: addresses and ranges; an empty list lets every address in. */
export const allowList = shape({ appId: text, addresses: list(text) })
export type AllowList = v.InferOutput<typeof allowList>

/** A merchant as it is listed. */
const merchantView = shape({
  merchantId: text,
  name: text,
  appId: text,
  terminals: list(text),
  /** When it was added, ISO 8601 by the sandbox clock; null for one of the fixtures. */
  addedAt: textOrNull,
  /** True for the merchant of requests that name none. */
  isDefault: whether,
})

/** Answer of `merchants`: the default first. */
export const merchantList = shape({ merchants: list(merchantView) })
export type MerchantList = v.InferOutput<typeof merchantList>

/** Answer of `add-merchant`: the merchant, and how to call for it. */
export const addedMerchant = shape({
  merchantId: text,
  name: text,
  appId: text,
  /** True if the application was made for it, with a key and a secret; false if it existed. */
  isNewApplication: whether,
  apiKey: text,
  webhookSecret: text,
  terminals: list(text),
})
export type AddedMerchant = v.InferOutput<typeof addedMerchant>

/**
 * What a start made for an application that was given no key, or no webhook secret, of its own.
 * assumption: keys
 */
export interface MadeAccess {
  readonly appId: string
  readonly apiKey?: string
  readonly webhookSecret?: string
}
