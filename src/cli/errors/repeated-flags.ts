import { shellQuote } from '../../text/shell-quote.ts'

/** Flags that say where the service is. */
const addressFlags = ['--base-url', '--state', '--profile'] as const

/**
 * The flags of a command line that say where the service is and who calls, for the command to run next: without them it
 * would ask another service. The key itself is not shown. Empty when none was typed.
 */
export const repeatedFlags = (argv: readonly string[]): string =>
  `${repeatedAddress(argv)}${typedFor(argv, '--api-key') === undefined ? '' : ' --api-key <the same key>'}`

/** Those of them that say where, for a command that goes to the sandbox itself. Empty when none was typed. */
export function repeatedAddress(argv: readonly string[]): string {
  const typed = addressFlags.map((flag) => [flag, typedFor(argv, flag)] as const)
  return typed.map(([flag, value]) => (value === undefined ? '' : ` ${flag} ${shellQuote(value)}`)).join('')
}

function typedFor(argv: readonly string[], flag: string): string | undefined {
  const joined = argv.find((word) => word.startsWith(`${flag}=`))
  if (joined !== undefined) return joined.slice(flag.length + 1)
  const index = argv.indexOf(flag)
  return index === -1 ? undefined : argv[index + 1]
}
