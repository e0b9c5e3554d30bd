/** A position in a scenario file. */
export interface FilePosition {
  readonly file: string
  /** Line of the file, counted from 1. */
  readonly line: number
  /** Column, counted from 1. */
  readonly column: number
}

/** A file that is not a scenario. `problems`: a line each, with file, line, column and path. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** `shop.yaml:12:7` */
export const positionText = ({ file, line, column }: FilePosition): string => `${file}:${line}:${column}`
