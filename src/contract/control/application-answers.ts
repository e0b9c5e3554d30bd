import * as v from 'valibot'
import { described, list, named, one, shape, text, textOrNull, whether } from '../answer-kinds.ts'

const keyView = named('KeyView', 'A key as it is listed. Times in ISO 8601 by the sandbox clock', {
  key: described(text, 'Its middle is hidden'),
  appId: text,
  environment: one(['sandbox', 'production']),
  state: one(['current', 'ending', 'expired', 'other-environment']),
  since: described(textOrNull, 'From when on it is accepted; null for a key of the fixtures'),
  validUntil: described(textOrNull, 'Until when it is accepted; null: no end'),
})
export type KeyView = v.InferOutput<typeof keyView>

export const keyList = named('KeyList', 'Answer of `keys`: of each application the newest first', {
  keys: list(keyView),
})
export type KeyList = v.InferOutput<typeof keyList>

export const newKey = named('NewKey', 'Answer of `regenerate-key`, with the whole key', {
  apiKey: text,
  appId: text,
  oldKeyValidUntil: described(text, 'Until when the keys before it are accepted, by the sandbox clock'),
})

export const allowList = named(
  'AllowList',
  'Answer of `allow-list` and `set-allow-list`: addresses and ranges; an empty list lets every address in',
  { appId: text, addresses: list(text) },
)
export type AllowList = v.InferOutput<typeof allowList>

const merchantView = shape({
  merchantId: text,
  name: text,
  appId: text,
  terminals: list(text),
  addedAt: described(textOrNull, 'When it was added, by the sandbox clock; null for one of the fixtures'),
  isDefault: described(whether, 'True for the merchant of requests that name none'),
})

export const merchantList = named('MerchantList', 'Answer of `merchants`: the default first', {
  merchants: list(merchantView),
})
export type MerchantList = v.InferOutput<typeof merchantList>

export const addedMerchant = named(
  'AddedMerchant',
  'Answer of `add-merchant`: the merchant, and how to call for it',
  {
    merchantId: text,
    name: text,
    appId: text,
    isNewApplication: described(whether, 'True if the application was made for it; false if it existed'),
    apiKey: text,
    webhookSecret: text,
    terminals: list(text),
  },
)
export type AddedMerchant = v.InferOutput<typeof addedMerchant>

export const madeAccess = named(
  'MadeAccess',
  'What a start made for an application that was given no key, or no webhook secret, of its own',
  { appId: text, apiKey: v.exactOptional(text), webhookSecret: v.exactOptional(text) },
)
/** assumption: keys */
export type MadeAccess = v.InferOutput<typeof madeAccess>
