/** What the process ends with. One table for the commands, their help and the README. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  unsuccessful: 4,
  notFinal: 5,
} as const

/** Meaning of each exit code, in words. */
export const exitMeanings: Readonly<Record<number, string>> = {
  0: 'done (or accepted, with --no-wait)',
  1: 'refused by the service',
  2: 'wrong usage',
  3: 'no usable answer in time; the request may have been carried out',
  4: 'final, but FAIL or CLOSED',
  5: 'not final when the wait ended',
}

const helpOf = (own: Readonly<Record<number, string>>, last: number = exitCodes.notFinal): string =>
  Object.entries({ ...exitMeanings, ...own })
    .filter(([code]) => Number(code) <= last)
    .reduce((text, [code, meaning]) => `${text}\n  ${code}  ${meaning}`, 'Exit codes:')

/** The table as help text. */
export const exitHelp = helpOf({})

/** The table as help text, where a command means something of its own by 4. */
export const exitHelpWith = (unsuccessful: string): string =>
  helpOf({ [exitCodes.unsuccessful]: unsuccessful })

/** The table as help text, for an act that is done or not, whatever a payment then comes to. */
export const actionExitHelp = helpOf(
  { [exitCodes.done]: 'done, whatever the outcome of the payment' },
  exitCodes.unreachable,
)
