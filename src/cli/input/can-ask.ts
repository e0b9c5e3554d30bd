/** True when a person is there to ask, and nothing else was wanted: `--json` is for programs, `--input -` takes the input. */
export const canAsk = ({ json, input }: Readonly<Record<string, unknown>>): boolean =>
  process.stdin.isTTY === true && process.stderr.isTTY === true && json !== true && input !== '-'
