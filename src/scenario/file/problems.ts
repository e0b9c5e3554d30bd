import type { Path } from '../../fixture-files/problems.ts'
import { NamedError } from '../../named-error.ts'

/** A position in a scenario file. */
export interface ScenarioPlace {
  readonly file: string
  /** Line of the file, counted from 1. */
  readonly line: number
  /** Column, counted from 1. */
  readonly column: number
}

/** A file that is not a scenario. `problems`: a line each, with file, line, column and path. */
export class ScenarioError extends NamedError {
  static override readonly name = 'ScenarioError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** `shop.yaml:12:7` */
export const placeText = ({ file, line, column }: ScenarioPlace): string => `${file}:${line}:${column}`

/** `steps[2].sale.amount` */
export const pathText = (path: Path): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
