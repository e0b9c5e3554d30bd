import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { builtIn, type Catalogue, catalogueOf, type Fixtures } from '../../domain/fixtures.ts'
import { fileProblem } from '../../shared/files/file-problem.ts'
import { isObject } from '../../shared/is-object.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { nearest } from '../../shared/text/suggest.ts'
import { check } from './check.ts'
import { checked, FixturesError, fixturesError, type Problem, type Source } from './fixtures-problems.ts'
import { type FixturesFile, fixturesFile } from './fixtures-schema.ts'
import { type CheckedFile, merge } from './merge.ts'
import { type ReadText, readJson, readYaml, UnreadableText } from './source-lines.ts'

/**
 * The catalogue of a sandbox: the built-in fixtures, and what a file, a folder or an object says over them.
 */
export async function readFixtures(source: string | FixturesFile): Promise<Catalogue> {
  const sources = typeof source === 'string' ? await sourcesAt(source) : [withoutLines('fixtures', source)]
  const name = typeof source === 'string' ? source : 'fixtures'
  return catalogueOf(await combined(sources, name))
}

/** Checks the sources and puts them over the built-in fixtures. */
async function combined(sources: readonly Source[], name: string): Promise<Fixtures> {
  const problems: Problem[] = []
  const files = sources.flatMap((source): CheckedFile[] => {
    const { output, wrong } = checked(fixturesFile, source.value)
    if (output !== undefined) return [{ source, file: output }]
    for (const each of wrong) problems.push({ source, ...each })
    return []
  })
  if (problems.length > 0) throw await fixturesError(problems)
  const merged = merge(builtIn, files)
  const whole = sources.length === 1 && sources[0] ? sources[0] : withoutLines(name, {})
  const wrong = [...merged.problems, ...check(merged, whole)]
  if (wrong.length > 0) throw await fixturesError(wrong)
  return merged.fixtures
}

const withoutLines = (name: string, value: unknown): Source => ({
  name,
  value,
  lineAt: async () => undefined,
})

/** Files of a folder by what they hold; `fixtures` holds all of it. */
const names = { fixtures: null, merchants: 'applications', cards: 'cards', outcomes: 'outcomes' } as const

const extensions = ['.json', '.yaml', '.yml']

async function sourcesAt(path: string): Promise<readonly Source[]> {
  const stats = attempt(path, () => statSync(path))
  if (!stats.isDirectory()) return [await readSource(path, null)]
  const files = attempt(path, () => readdirSync(path)).filter((file) => extensions.includes(extname(file)))
  const fileNames = Object.keys(names) as (keyof typeof names)[]
  const found = fileNames.flatMap((name) => {
    const [file, other] = files.filter((each) => stemOf(each) === name)
    if (other !== undefined) throw new FixturesError([`${path}: ${file} and ${other} exclude each other`])
    return file === undefined ? [] : [{ file, member: names[name] }]
  })
  for (const file of files) refuseMistyped(path, file, fileNames)
  if (found.length === 0)
    throw new FixturesError([
      `${path}: holds none of ${fileNames.join(', ')}, each with ${extensions.join(', ')}`,
    ])
  return Promise.all(found.map(({ file, member }) => readSource(join(path, file), member)))
}

const stemOf = (file: string): string => basename(file, extname(file))

/** A file with nearly the name of one that is read was meant to be read. Others may lie there. */
function refuseMistyped(path: string, file: string, fileNames: readonly string[]): void {
  const stem = stemOf(file)
  const suggested = fileNames.includes(stem) ? undefined : nearest(stem, fileNames)
  if (suggested !== undefined)
    throw new FixturesError([`${join(path, file)}: is not read; did you mean ${suggested}${extname(file)}?`])
}

/** `member`: what a bare list in the file is. */
async function readSource(path: string, member: string | null): Promise<Source> {
  const extension = extname(path)
  if (!extensions.includes(extension))
    throw new FixturesError([
      `${path}: is not a fixtures file; its name must end with ${extensions.join(', ')}`,
    ])
  const text = attempt(path, () => decodeText(readFileSync(path)))
  const { value, lineAt } = await readText(path, text, extension === '.json' ? readJson : readYaml)
  if (Array.isArray(value) && member !== null)
    return { name: path, value: { [member]: value }, lineAt: ([, ...inside]) => lineAt(inside) }
  if (!isObject(value))
    throw new FixturesError([`${path}:1: must be an object with applications, cards or outcomes`])
  return { name: path, value, lineAt }
}

async function readText(path: string, text: string, read: typeof readYaml): Promise<ReadText> {
  try {
    return await read(text, () => false)
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    throw new FixturesError([`${path}${error.line === undefined ? '' : `:${error.line}`}: ${error.message}`])
  }
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new FixturesError([`${path}: ${fileProblem(error as Error)}`])
  }
}
