/** `1 transaction`, `2 transactions`. */
export const counted = (count: number, what: string, several = `${what}s`): string =>
  `${count} ${count === 1 ? what : several}`
