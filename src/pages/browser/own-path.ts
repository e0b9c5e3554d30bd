/**
 * Base path of this sandbox's pages: of a space, such as `/s/ci-1`; empty for the first one. assumption: spaces
 */
const basePath = document.documentElement.dataset.base ?? ''

/** A path from the root, as this sandbox serves it. */
export const ownPath = (path: string): string => `${basePath}${path}`

/** A key of the browser's storage for what belongs to this sandbox alone. */
export const ownKey = (key: string): string => `${key}${basePath}`
