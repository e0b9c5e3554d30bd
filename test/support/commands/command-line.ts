/** A command as it is typed: a text, which is cut at its spaces, or its words, where one has a space or is empty. */
export type CommandLine = string | readonly string[]

/** The words of a command. */
export const wordsOf = (line: CommandLine): readonly string[] =>
  typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line
