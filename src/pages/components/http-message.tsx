import type { Child } from 'hono/jsx'
import { isShallow } from '../../shared/is-object.ts'
import { codeLine, WholeWords } from './command.tsx'
import { copyLook } from './looks.ts'

/** What one side of an exchange sent: its headers and its body. */

interface BodyProps {
  /** Names it for readers. */
  readonly label: string
  readonly text: string
}

const barLook = 'flex min-h-control items-center justify-between gap-3 border-b ps-3 pe-1'

/** Without paths its button stands in a corner of the text, which leaves room for it. */
const cornerLook = 'absolute top-px right-px bg-sunken'
const preLook = 'px-3 py-2 whitespace-pre-wrap before:float-end before:h-[1lh] before:w-14'

/**
 * A body as sent, with JSON in lines that fold, and a copy button if scripts run; a long one scrolls, so it
 * can take the focus.
 */
export const Body = ({ label, text }: BodyProps) => {
  const json = tryReadJson(text)
  const plain = json === null ? text : JSON.stringify(json.value, null, 2)
  const isDrawn = json !== null && countLines(json.value) <= mostLines
  return (
    <div class="body @container relative mt-3 min-w-0 rounded-md border bg-sunken font-mono text-xs/[1.6]">
      <div class={`with-scripts font-sans ${isDrawn ? barLook : cornerLook}`}>
        {isDrawn && (
          <output
            class="body-path min-w-0 truncate empty:before:text-ink-soft empty:before:content-[attr(data-hint)]"
            data-hint="Press a name for its path"
          />
        )}
        <button class={copyLook} type="button" data-copy-body>
          Copy<span class="sr-only"> {label}</span>
        </button>
      </div>
      <section class="body-text max-h-[60lh] overflow-auto" tabindex={0} aria-label={label}>
        {isDrawn ? (
          <div class="json py-2">
            {jsonLines(json.value as Json, { indent: '', name: null, end: '\n', numbers: { last: 0 } })}
          </div>
        ) : (
          <pre class={preLook}>{plainLines(plain)}</pre>
        )}
      </section>
    </div>
  )
}

/** Characters of a line that stand beside each other in a wide box. */
const widest = 90

/** The lines of a text; unless every comment has room at the end of its line, each stands below its own. */
function plainLines(text: string) {
  const lines = text.split(/(?<=\n)/)
  const isWide = lines.some(({ length }) => length > widest)
  return lines.map((line) => plainLine(line, isWide ? 'block' : 'inline-block max-w-full @max-[46rem]:block'))
}

function plainLine(line: string, commentLook: string) {
  const [code = '', comment] = line.split(/(?<!\S)((?:#|\/\/) .*)/s)
  const isBeside = code.trim() !== ''
  return (
    <span class={codeLine(line.search(/[^ ]/))}>
      <WholeWords text={code} />
      {comment && (
        <span class={`text-ink-soft ${isBeside ? `${commentLook} ps-[2ch] -indent-[2ch]` : ''}`}>
          {comment}
        </span>
      )}
    </span>
  )
}

/** White space between the tokens of JSON, and its texts, which keep theirs. */
const spaces = /("(?:[^"\\]|\\.)*")|\s+/g

/** The JSON of a text; null where it would read differently with a line a member, and for other texts. */
function tryReadJson(text: string): { readonly value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isShallow(value)) return null
    return JSON.stringify(value) === text.replace(spaces, '$1') ? { value } : null
  } catch {
    return null // cut, or never JSON
  }
}

/** JSON with a line for each member; a text is unchanged if this would change its meaning. */
export function indented(text: string): string {
  const json = tryReadJson(text)
  return json === null ? text : JSON.stringify(json.value, null, 2)
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** Most lines that are drawn one by one; a longer text is shown in one piece. */
const mostLines = 1_000

const countLines = (value: unknown): number =>
  isHolder(value) && Object.keys(value).length > 0
    ? Object.values(value).reduce((sum: number, each) => sum + countLines(each), 2)
    : 1

/** Position of a value in its line. */
interface LineContext {
  readonly indent: string
  /** Of a member; null for an item of a list, and at the top. */
  readonly name: string | null
  /** What follows the value on its last line. */
  readonly end: string
  /** The number of the last line so far. */
  readonly numbers: { last: number }
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * JSON with a numbered, coloured line for each member; objects and lists fold. Its text equals
 * `JSON.stringify(value, null, 2)`, so a copy is valid JSON.
 */
function jsonLines(value: Json, { indent, name, end, numbers }: LineContext): Child {
  numbers.last += 1
  const line = numbers.last
  const look = `json-line ${codeLine(indent.length)}`
  const lead = (
    <>
      {indent}
      {name !== null && (
        <>
          <span class="json-key">{JSON.stringify(name)}</span>
          {': '}
        </>
      )}
    </>
  )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const members = isHolder(value) ? Object.entries(value) : []
  if (members.length === 0) {
    const json = JSON.stringify(value)
    return (
      <div class={look} data-line={line}>
        {lead}
        <span class={json.includes(' ') ? undefined : 'inline-block max-w-full indent-0'}>
          <span class={`json-${typeof value === 'string' ? 'string' : 'value'}`}>{json}</span>
          {end}
        </span>
      </div>
    )
  }
  const inside = members.map(([member, each], index) =>
    jsonLines(each, {
      indent: `${indent}  `,
      name: Array.isArray(value) ? null : member,
      end: index === members.length - 1 ? '\n' : ',\n',
      numbers,
    }),
  )
  numbers.last += 1
  return (
    <details class="json-fold" open>
      <summary class={look} data-line={line} data-folded={`${members.length} ${close}`}>
        {lead}
        {open}
      </summary>
      {'\n'}
      {inside}
      <div class={`${look} json-close`} data-line={numbers.last}>
        {indent + close + end}
      </div>
    </details>
  )
}
