const day = 86_400_000

/** How long a space or a token lives, as a choice of a form. */
export const lifeOptions = [
  ['', 'never'],
  ['1', 'after 1 day'],
  ['7', 'after 7 days'],
  ['30', 'after 30 days'],
] as const

/** The chosen life in milliseconds; undefined: without end. */
export const ttlOf = (days: string | undefined): number | undefined => (days ? Number(days) * day : undefined)
