import * as v from 'valibot'
import { list, one, shape, text, textOrNull, whether } from '../../answer-kinds.ts'

/**
 * A key as it is listed, its middle hidden. Times in ISO 8601 by the sandbox clock; `since` is null for a key of the
 * fixtures, `validUntil` for one without an end.
 */
const keyView = shape({
  key: text,
  appId: text,
  environment: one(['sandbox', 'production']),
  state: one(['current', 'ending', 'expired', 'other-environment']),
  since: textOrNull,
  validUntil: textOrNull,
})
export type KeyView = v.InferOutput<typeof keyView>

/** What `keys` answers: of each application the newest first. */
export const keyList = shape({ keys: list(keyView) })
export type KeyList = v.InferOutput<typeof keyList>

/** What `regenerate-key` answers; the key is told this once. An older sandbox tells the key alone. */
export const newKey = shape({
  apiKey: text,
  appId: v.nullish(text),
  /** Until when the keys before it are accepted, ISO 8601 by the sandbox clock. */
  oldKeyValidUntil: v.nullish(text),
})
export type NewKey = v.InferOutput<typeof newKey>

/** What `allow-list` and `set-allow-list` answer: addresses and ranges; none: every address may call. */
export const allowList = shape({ appId: v.nullish(text), addresses: list(text) })
export type AllowList = v.InferOutput<typeof allowList>

/** A merchant as it is listed. */
const merchantView = shape({
  merchantId: text,
  name: text,
  appId: text,
  terminals: list(text),
  /** When it was added, ISO 8601 by the sandbox clock; null for one of the fixtures. */
  addedAt: textOrNull,
  /** True for the one that is meant when nobody names one. */
  isDefault: whether,
})

/** What `merchants` answers: the default first. */
export const merchantList = shape({ merchants: list(merchantView) })
export type MerchantList = v.InferOutput<typeof merchantList>

/** What `add-merchant` answers: the merchant, and how to call for it. */
export const addedMerchant = shape({
  merchantId: text,
  name: text,
  appId: text,
  /** True when the application was made for it, with its key and its secret; false when it was there. */
  isNewApplication: whether,
  apiKey: text,
  webhookSecret: text,
  terminals: list(text),
})
export type AddedMerchant = v.InferOutput<typeof addedMerchant>
