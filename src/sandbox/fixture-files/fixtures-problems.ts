import * as v from 'valibot'
import { deepest } from '../../shared/is-object.ts'
import { tooDeep } from '../../shared/read-or.ts'
import { suggestion } from '../../shared/text/suggest.ts'

/** Where something stands in a fixtures file: members and indexes of lists, from the outside in. */
export type Path = readonly (string | number)[]

/** The path of what a schema did not accept. */
const issuePath = ({ path }: v.BaseIssue<unknown>): Path =>
  (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))

/** Most entries of a list in a file that a person writes: each may be wrong, and all are looked at. */
const mostEntries = 10_000

/** What a schema makes of a value, or what is `wrong` with it. */
export function checked<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): { readonly output?: v.InferOutput<S>; readonly wrong: readonly Flaw[] } {
  const endless = endlessPart(value, [], [])
  if (endless !== undefined) return { wrong: [endless] }
  const { success, issues, output } = v.safeParse(schema, value)
  if (success) return { output, wrong: [] }
  return { wrong: issues.map((issue) => ({ path: issuePath(issue), reason: issue.message })) }
}

/** The first part that cannot be checked: a list too long, or what contains itself. `around`: outer ones. */
function endlessPart(value: unknown, path: Path, around: readonly object[]): Flaw | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (around.includes(value)) return { path, reason: 'contains itself' }
  if (around.length === deepest) return { path: path.slice(0, 1), reason: tooDeep.replace('it ', '') }
  if (Array.isArray(value) && value.length > mostEntries)
    return { path, reason: `has ${value.length} entries, of ${mostEntries} at most` }
  for (const [key, each] of Object.entries(value)) {
    const found = endlessPart(each, [...path, Array.isArray(value) ? Number(key) : key], [...around, value])
    if (found !== undefined) return found
  }
  return undefined
}

/** A fixtures file as it was read, or what a caller gave instead. */
export interface Source {
  /** As it is named in errors. */
  readonly name: string
  readonly value: unknown
  /** The line of a path, from 1, or of the nearest thing around it; undefined for what has no lines. */
  readonly lineAt: (path: Path) => Promise<number | undefined>
}

/** Something that is wrong, and where in its file. */
export interface Flaw {
  readonly path: Path
  readonly reason: string
}

/** Something that is wrong, and in which file. */
export interface Problem extends Flaw {
  readonly source: Source
}

/** Fixtures that cannot be used. `problems`: a line each, with file, line and path. */
export class FixturesError extends Error {
  override readonly name = 'FixturesError'
  constructor(
    readonly problems: readonly string[],
    /** The first of the same apart; none for a file that cannot be read. */
    readonly found: readonly Flaw[] = [],
  ) {
    super(problems.join('\n'))
  }
}

/** Most problems in one message. */
const mostProblems = 10

/** Most problems whose place is looked up, which takes time: the first of them in the file are listed. */
const mostLocated = 100

/** The error that tells them, file by file and in the order of their lines. */
export async function fixturesError(problems: readonly Problem[]): Promise<FixturesError> {
  const sources = problems.map(({ source }) => source)
  const lines = await listed(problems, async ({ source, path }) => {
    const line = await source.lineAt(path)
    const shown = line === undefined ? source.name : `${source.name}:${line}`
    return { shown, order: [sources.indexOf(source), line ?? 0] }
  })
  return new FixturesError(lines, problems.slice(0, mostLocated))
}

/** The problems as lines of a message, in the order of their places. */
export async function listed<P extends Flaw>(
  problems: readonly P[],
  placeOf: (problem: P) => Promise<{ readonly shown: string; readonly order: readonly [number, number] }>,
): Promise<readonly string[]> {
  const located = await Promise.all(
    problems.slice(0, mostLocated).map(async (each) => ({ problem: each, ...(await placeOf(each)) })),
  )
  located.sort(({ order: one }, { order: other }) => one[0] - other[0] || one[1] - other[1])
  const texts = located
    .slice(0, mostProblems)
    .map(({ shown, problem: { path, reason } }) => [shown, pathText(path), reason].filter(Boolean).join(': '))
  const unlisted = problems.length - texts.length
  return unlisted > 0 ? [...texts, `and ${unlisted} more`] : texts
}

/** `applications[0].merchants[1].timeZone` */
export const pathText = (path: Path): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')

/** An object with these members and no others. `elsewhere`: where another one belongs. */
export const only = <const E extends v.ObjectEntries>(
  entries: E,
  elsewhere: (member: string) => string | false = () => false,
) =>
  v.strictObject(entries, ({ expected, path }) => {
    if (expected === 'never') {
      const names = Object.keys(entries)
      const member = String(path?.at(-1)?.key ?? '')
      const instead = elsewhere(member) || suggestion(member, names)
      return `is unknown; ${names.length === 0 ? 'no member is expected' : instead}`
    }
    return expected?.startsWith('"') ? 'is required' : 'must be an object'
  })

/** A text that is not empty. */
export const filledText = (help: string) =>
  v.pipe(v.string('must be text: put it in quotes'), v.nonEmpty('must not be empty'), v.description(help))

/** A member that may be left out, with what it means. */
export const described = <S extends v.GenericSchema>(schema: S, help: string) =>
  v.optional(v.pipe(schema, v.description(help)))
