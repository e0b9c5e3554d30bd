import type { Document, LineCounter } from 'yaml'
import { jsonFault } from '../text/json-fault.ts'
import type { Path } from './problems.ts'

/** The text cannot be read as what its name says it is. `line`: from 1, where it is known. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText'
  constructor(
    reason: string,
    readonly line: number | undefined,
  ) {
    super(reason)
  }
}

/** What a text says, and the line of each of its paths. */
export interface ReadText {
  readonly value: unknown
  readonly lineOf: (path: Path) => Promise<number | undefined>
}

/** Reads YAML. The parser is loaded here, so that a sandbox without such a file does not pay for it. Errors: UnreadableText. */
export async function readYaml(text: string): Promise<ReadText> {
  const { document, lines } = await parsed(text)
  const [error] = document.errors
  if (error !== undefined)
    throw new UnreadableText(`is not YAML: ${reasonOf(error)}`, lineAt(lines, error.pos[0]))
  return { value: contentOf(document), lineOf: (path) => lineIn(document, lines, path) }
}

/** Reads JSON. Lines are counted only when one is asked for. Errors: UnreadableText. */
export async function readJson(text: string): Promise<ReadText> {
  const value = jsonIn(text)
  let counted: ReturnType<typeof parsed> | undefined
  return {
    value,
    lineOf: async (path) => {
      counted ??= parsed(text) // JSON is YAML 1.2
      const { document, lines } = await counted
      return lineIn(document, lines, path)
    },
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { reason, line } = jsonFault(text, error as Error)
    throw new UnreadableText(`is not JSON: ${reason}`, line)
  }
}

/** What the parser says, without the excerpt that it shows. */
const reasonOf = ({ message }: Error): string => message.split('\n')[0]?.replace(/ at line .*$/, '') ?? ''

async function parsed(text: string): Promise<{ document: Document; lines: LineCounter }> {
  const { LineCounter, parseDocument } = await import('./yaml.ts')
  const lines = new LineCounter()
  return { document: parseDocument(text, { lineCounter: lines }), lines }
}

/** Errors: UnreadableText for aliases that lead nowhere or grow without end. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new UnreadableText(`is not YAML: ${reasonOf(error as Error)}`, undefined)
  }
}

const lineAt = (lines: LineCounter, offset: number): number => Math.max(1, lines.linePos(offset).line)

/** The line of what a path names: of the name of a member, else of the value; of what is around it when it is missing. */
async function lineIn(document: Document, lines: LineCounter, path: Path): Promise<number> {
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
  return lineAt(lines, offset)
}
