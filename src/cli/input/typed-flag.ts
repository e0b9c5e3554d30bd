/** The words of a command line without those of a command that it runs. */
export const ownWords = (argv: readonly string[]): readonly string[] =>
  argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv

/** The value of a flag as it was typed, before the command line is parsed; of a repeated one the last. */
export function typedFlag(argv: readonly string[], name: string): string | undefined {
  const at = argv.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  const word = argv[at] ?? ''
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : at < 0 ? undefined : argv[at + 1]
}
