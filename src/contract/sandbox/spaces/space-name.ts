/** Names of spaces: they stand in paths and name folders, too. assumption: spaces */
export const spaceName = /^[a-z0-9][a-z0-9-]{0,47}$/

/** The rule for names of spaces, in words. */
export const spaceNameRule = '1 to 48 lower-case letters, digits or dashes, the first a letter or a digit'

/** The space of the plain paths: it is there from the start, and stays. */
export const firstSpace = 'default'

/** What comes before every path of a space; nothing for the first one. */
export const basePathOf = (space: string): string => (space === firstSpace ? '' : `/s/${space}`)
