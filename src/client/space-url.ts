import { basePathOf } from '../contract/sandbox/spaces/space-name.ts'

/** The space that a base URL names by its path; undefined for one that names none. */
export const spaceIn = (baseUrl: string): string | undefined => /\/s\/([^/]+)\/*$/.exec(baseUrl)?.[1]

/** The base URL of the server at the base URL of a space. */
export const serverUrl = (baseUrl: string): string => baseUrl.replace(/\/s\/[^/]+\/*$/, '')

/** The base URL of a space of the server at a base URL. */
export const inSpace = (baseUrl: string, space: string): string =>
  baseUrl.replace(/\/+$/, '') + basePathOf(space)
