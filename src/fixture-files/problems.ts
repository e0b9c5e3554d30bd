/** Where something stands in a fixtures file: members and places of lists, from the outside in. */
export type Path = readonly (string | number)[]

/** A fixtures file as it was read, or what a caller gave instead. */
export interface Source {
  /** As it is named in errors. */
  readonly name: string
  readonly value: unknown
  /** The line of a path, from 1, or of the nearest thing around it; undefined for what has no lines. */
  readonly lineOf: (path: Path) => Promise<number | undefined>
}

/** Something that is wrong, and where. */
export interface Problem {
  readonly source: Source
  readonly path: Path
  readonly reason: string
}

/** Fixtures that cannot be used. `problems`: a line each, with file, line and path. */
export class FixturesError extends Error {
  override readonly name = 'FixturesError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** So many problems are told at once. */
const mostTold = 10

/** The error that tells them, in the order of the files. */
export async function errorOf(problems: readonly Problem[]): Promise<FixturesError> {
  const told = await Promise.all(problems.slice(0, mostTold).map(lineFor))
  const left = problems.length - told.length
  return new FixturesError(left > 0 ? [...told, `and ${left} more`] : told)
}

async function lineFor({ source, path, reason }: Problem): Promise<string> {
  const line = await source.lineOf(path)
  return [line === undefined ? source.name : `${source.name}:${line}`, pathText(path), reason]
    .filter((part) => part !== '')
    .join(': ')
}

/** `applications[0].merchants[1].timeZone` */
const pathText = (path: Path): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
