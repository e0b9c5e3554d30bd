import type { Child } from 'hono/jsx'

/** A parsed JSON value. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** Most lines that are drawn one by one; a longer text is shown in one piece. */
export const mostLines = 1_000

interface JsonViewProps {
  readonly value: unknown
}

/**
 * JSON with a numbered, coloured line for each member; objects and lists fold. Its text equals `JSON.stringify(value,
 * null, 2)`, so a copy is valid JSON.
 */
export const JsonView = ({ value }: JsonViewProps) => {
  const numbers = { last: 0 }
  return <div class="json">{linesOf(value as Json, { indent: '', name: null, end: '\n', numbers })}</div>
}

/** How many lines it takes. */
export const lineCountOf = (value: unknown): number =>
  isHolder(value) && Object.keys(value).length > 0
    ? Object.values(value).reduce((sum: number, each) => sum + lineCountOf(each), 2)
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

function linesOf(value: Json, { indent, name, end, numbers }: LineContext): Child {
  numbers.last += 1
  const line = numbers.last
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
  if (members.length === 0)
    return (
      <div class="json-line block breaks relative" data-line={line}>
        {lead}
        <span class={`json-${kindOf(value)}`}>{JSON.stringify(value)}</span>
        {end}
      </div>
    )
  const inside = members.map(([member, each], index) =>
    linesOf(each, {
      indent: `${indent}  `,
      name: Array.isArray(value) ? null : member,
      end: index === members.length - 1 ? '\n' : ',\n',
      numbers,
    }),
  )
  numbers.last += 1
  return (
    <details class="json-fold" open>
      <summary
        class="json-line block breaks relative"
        data-line={line}
        data-folded={`${members.length} ${close}`}
      >
        {lead}
        {open}
      </summary>
      {'\n'}
      {inside}
      <div class="json-line block breaks relative json-close" data-line={numbers.last}>
        {indent + close + end}
      </div>
    </details>
  )
}

const kindOf = (value: Json): string => (typeof value === 'string' ? 'string' : 'value')
