import type { Document, LineCounter } from 'yaml'
import { isShallow } from '../../shared/is-object.ts'
import { readJson as parseJson, tooDeep } from '../../shared/read-or.ts'
import { jsonFault, jsonOddities, type MayBeFraction, numberOddity } from '../../shared/text/json-oddities.ts'
import type { Path } from './fixtures-problems.ts'

/** The text cannot be read as what its name says it is. `line`: from 1, where it is known. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText'
  constructor(
    reason: string,
    readonly line: number | undefined,
    readonly column?: number,
  ) {
    super(reason)
  }
}

/** Where something stands in a text, both from 1. */
export interface SourcePosition {
  readonly line: number
  readonly column: number
}

/** What a text says, and the position of each of its paths. */
export interface ReadText {
  readonly value: unknown
  readonly lineAt: (path: Path) => Promise<number | undefined>
  readonly positionOf: (path: Path) => Promise<SourcePosition>
}

/**
 * Characters of YAML that are read: more take seconds. Of longer JSON no positions are known. assumption:
 * cli-answers
 */
const longestYaml = 1024 * 1024

/** Reads YAML. The parser is loaded here, for a sandbox with such a file alone. Errors: UnreadableText. */
export async function readYaml(text: string, mayBeFraction: MayBeFraction): Promise<ReadText> {
  if (text.length > longestYaml)
    throw new UnreadableText('has more than 1 MiB of YAML; split it, or write it as JSON', undefined)
  const { document, lines } = await parsed(text)
  const [error] = document.errors
  if (error !== undefined) {
    const { line, column } = positionAt(lines, error.pos[0])
    throw new UnreadableText(`is not YAML: ${yamlReason(error)}`, line, column)
  }
  const value = documentValue(document)
  await refuseOddNumbers(document, lines, mayBeFraction)
  return { value, ...positionsIn(async () => ({ document, lines })) }
}

/** Reads JSON. Lines are counted only when one is asked for. Errors: UnreadableText. */
export async function readJson(text: string, mayBeFraction: MayBeFraction): Promise<ReadText> {
  const value = jsonIn(text)
  const [odd] = jsonOddities(text, value, mayBeFraction)
  if (odd !== undefined) throw new UnreadableText(`${odd.field} ${odd.reason}`, undefined)
  let counted: ReturnType<typeof parsed> | undefined
  return {
    value,
    ...positionsIn(() => {
      counted ??= parsed(text.length > longestYaml ? '' : text) // JSON is YAML 1.2
      return counted
    }),
  }
}

/** Duplicate names are errors of the parser. Errors: UnreadableText. */
async function refuseOddNumbers(document: Document, lines: LineCounter, mayBeFraction: MayBeFraction) {
  const { visit } = await import('./yaml.ts')
  visit(document, {
    Scalar: (_, { value, source = '', range }) => {
      const isDecimal = typeof value === 'number' && /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(source)
      const reason = isDecimal ? numberOddity(source, () => mayBeFraction(''))?.reason : undefined
      if (reason === undefined) return
      const { line, column } = positionAt(lines, range?.[0] ?? 0)
      throw new UnreadableText(`a number ${reason}`, line, column)
    },
  })
}

function positionsIn(read: () => ReturnType<typeof parsed>): Omit<ReadText, 'value'> {
  const positionOf = async (path: Path) => {
    const { document, lines } = await read()
    return positionIn(document, lines, path)
  }
  return { positionOf, lineAt: async (path) => (await positionOf(path)).line }
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    const { reason, line } = jsonFault(text, error as Error)
    throw new UnreadableText(`is not ${reason === tooDeep ? 'usable' : 'JSON'}: ${reason}`, line)
  }
}

/** What the parser says, without the excerpt that it shows. */
const yamlReason = ({ message }: Error): string =>
  (message.split('\n')[0]?.replace(/ at line .*$/, '') ?? '')
    .replace(
      /^Source contains multiple documents.*/,
      'it has a second document after ---; make it a file of its own',
    )
    .replace(/^Maximum call stack size exceeded.*/, tooDeep)

async function parsed(text: string): Promise<{ document: Document; lines: LineCounter }> {
  const { LineCounter, parseDocument } = await import('./yaml.ts')
  const lines = new LineCounter()
  try {
    return { document: parseDocument(text, { lineCounter: lines }), lines }
  } catch (error) {
    throw unreadableYaml(error as Error) // a stack that overflowed
  }
}

/** Errors: UnreadableText for aliases that lead nowhere or grow without end, and for too deep a nesting. */
function documentValue(document: Document): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    if (isShallow(value)) return value
  } catch (error) {
    throw unreadableYaml(error as Error)
  }
  throw new UnreadableText(`is not YAML: ${tooDeep}`, undefined)
}

const unreadableYaml = (error: Error) => new UnreadableText(`is not YAML: ${yamlReason(error)}`, undefined)

function positionAt(lines: LineCounter, offset: number): SourcePosition {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}

/** The position of what a path names: a member's name, or an element; of its parent if it is missing. */
async function positionIn(document: Document, lines: LineCounter, path: Path): Promise<SourcePosition> {
  const { isMap, isNode, isScalar, isSeq } = await import('./yaml.ts')
  let node: unknown = document.contents
  let offset = document.contents?.range?.[0] ?? 0
  for (const step of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined
    node = isSeq(node) ? node.items[Number(step)] : pair?.value
    const named = pair === undefined ? node : pair.key
    if (!isNode(named)) break
    offset = named.range?.[0] ?? offset
  }
  return positionAt(lines, offset)
}
