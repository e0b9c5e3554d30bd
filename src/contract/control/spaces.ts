import type * as v from 'valibot'
import { amountOrNull, described, list, named, text, textOrNull, whether } from '../answer-kinds.ts'

/** Form of space names, which are part of paths and folder names. assumption: spaces */
export const spaceName = /^[a-z0-9][a-z0-9-]{0,47}$/

/** The rule for names of spaces, in words. */
export const spaceNameRule = '1 to 48 lower-case letters, digits or dashes, the first a letter or a digit'

/** The space of paths without a prefix; it always exists. */
export const firstSpace = 'default'

/** Path prefix of a space; empty for the first one. */
export const basePathOfSpace = (space: string): string => (space === firstSpace ? '' : `/s/${space}`)

/** A space. Times in ISO 8601, by the wall clock. */
const spaceMembers = {
  name: text,
  url: text,
  createdAt: textOrNull,
  expiresAt: described(textOrNull, 'When it is removed by itself; null: never'),
}

const spaceView = named('SpaceView', 'A space as it is listed', {
  ...spaceMembers,
  inMemory: described(whether, 'False for a space that was not used for a while: its next request loads it'),
  transactions: described(amountOrNull, 'How many are stored; null for a space that is not in memory'),
  madeBy: described(textOrNull, 'Id of the token that made it; null where none was needed'),
})
export type SpaceView = v.InferOutput<typeof spaceView>

export const spaceList = named('SpaceList', 'The spaces of the server', { spaces: list(spaceView) })
export type SpaceList = v.InferOutput<typeof spaceList>

export const spaceAccess = named('SpaceAccess', 'A space, with what a client needs to call it', {
  ...spaceMembers,
  apiKey: text,
  appId: text,
  merchantId: text,
  terminals: list(text),
})
export type SpaceAccess = v.InferOutput<typeof spaceAccess>

/** The space in the path of a base URL; undefined for none. */
export const spaceIn = (baseUrl: string): string | undefined => /\/s\/([^/]+)\/*$/.exec(baseUrl)?.[1]

/** The base URL of the server of a space's base URL. */
export const serverUrl = (baseUrl: string): string => baseUrl.replace(/\/s\/[^/]+\/*$/, '')

/** The base URL of a space of a server. */
export const inSpace = (baseUrl: string, space: string): string =>
  baseUrl.replace(/\/+$/, '') + basePathOfSpace(space)
