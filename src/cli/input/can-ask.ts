/**
 * True when questions can be asked: on a terminal, without `--json`, which is for programs, and without `--input -`,
 * which uses the input. Under CI nobody answers, even where it has a terminal.
 */
export const canAsk = ({ json, input }: Readonly<Record<string, unknown>>): boolean =>
  !process.env.CI &&
  process.stdin.isTTY === true &&
  process.stderr.isTTY === true &&
  json !== true &&
  input !== '-'
