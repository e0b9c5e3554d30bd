/** Form of space names, which are part of paths and folder names. assumption: spaces */
export const spaceName = /^[a-z0-9][a-z0-9-]{0,47}$/

/** The rule for names of spaces, in words. */
export const spaceNameRule = '1 to 48 lower-case letters, digits or dashes, the first a letter or a digit'

/** The space of paths without a prefix; it always exists. */
export const firstSpace = 'default'

/** Path prefix of a space; empty for the first one. */
export const basePathOfSpace = (space: string): string => (space === firstSpace ? '' : `/s/${space}`)
