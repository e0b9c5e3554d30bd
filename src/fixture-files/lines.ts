import type { Document, LineCounter } from 'yaml'
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
  return { value: contentOf(document), lineOf: async (path) => lineIn(document, lines, path) }
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
    const { message } = error as Error
    const reason = message.replace(/ in JSON at position.*$|, (\.\.\.)?".*$/s, '')
    throw new UnreadableText(
      `is not JSON: ${reason}`,
      text.slice(0, brokenAt(text)).trimEnd().split('\n').length,
    )
  }
}

/** How much of the text could still become JSON. Errors of JSON.parse name a place only sometimes. */
function brokenAt(text: string): number {
  let [sound, broken] = [0, text.length]
  while (broken - sound > 1) {
    const middle = (sound + broken) >>> 1
    if (isBroken(text.slice(0, middle))) broken = middle
    else sound = middle
  }
  return broken
}

/** True for a text that cannot become JSON by going on. */
function isBroken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    const { message } = error as Error
    const [, position] = /at position (\d+)/.exec(message) ?? []
    return position === undefined ? !/end of JSON/.test(message) : Number(position) < text.length
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

/** A place in a parsed file, as far as it is looked at here. */
interface Node {
  readonly range?: readonly number[] | null
  readonly items?: readonly unknown[]
}

interface Pair {
  readonly key?: Node & { readonly value?: unknown }
  readonly value?: Node | null
}

/** The line of what a path names: of the name of a member, else of the value; of what is around it when it is missing. */
function lineIn(document: Document, lines: LineCounter, path: Path): number {
  let node = document.contents as unknown as Node | null
  let offset = node?.range?.[0] ?? 0
  for (const step of path) {
    if (typeof step === 'number') {
      node = (node?.items?.[step] as Node | undefined) ?? null
      offset = node?.range?.[0] ?? offset
    } else {
      const pair = (node?.items as readonly Pair[] | undefined)?.find(({ key }) => key?.value === step)
      node = pair?.value ?? null
      offset = pair?.key?.range?.[0] ?? offset
    }
    if (node === null) break
  }
  return lineAt(lines, offset)
}
