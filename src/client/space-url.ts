import { basePathOfSpace } from '../contract/sandbox/spaces/space-name.ts'

/** The space in the path of a base URL; undefined for none. */
export const spaceIn = (baseUrl: string): string | undefined => /\/s\/([^/]+)\/*$/.exec(baseUrl)?.[1]

/** The base URL of the server of a space's base URL. */
export const serverUrl = (baseUrl: string): string => baseUrl.replace(/\/s\/[^/]+\/*$/, '')

/** The base URL of a space of a server. */
export const inSpace = (baseUrl: string, space: string): string =>
  baseUrl.replace(/\/+$/, '') + basePathOfSpace(space)
