import type * as v from 'valibot'
import { amountOrNull, list, shape, text, textOrNull, whether } from '../../answer-kinds.ts'

/** A space. Times in ISO 8601, by the wall clock. */
const spaceMembers = {
  name: text,
  url: text,
  createdAt: textOrNull,
  /** When it is removed by itself; null: never. */
  expiresAt: textOrNull,
}

const spaceView = shape({
  ...spaceMembers,
  /** Whether its state is in memory; a space that was not used for a while is loaded by its next request. */
  inMemory: whether,
  /** Transactions that are stored; null for a space that is not in memory. */
  transactions: amountOrNull,
})
export type SpaceView = v.InferOutput<typeof spaceView>

export const spaceList = shape({ spaces: list(spaceView) })
export type SpaceList = v.InferOutput<typeof spaceList>

/** A space, with what a client needs to call it. */
export const spaceAccess = shape({
  ...spaceMembers,
  apiKey: text,
  appId: text,
  merchantId: text,
  terminals: list(text),
})
export type SpaceAccess = v.InferOutput<typeof spaceAccess>
