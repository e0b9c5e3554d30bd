let count = 0

/** A new id that no other test has. */
export const newId = (prefix = 'R'): string => `${prefix}-${process.pid}-${++count}`
