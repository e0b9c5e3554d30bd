import { isShallow } from '../../request-log/nesting.ts'
import { Pairs } from './pairs.tsx'

/** What one side of an exchange sent: its headers and its body. */

interface BodyProps {
  /** Names it for readers. */
  readonly label: string
  readonly text: string
}

/** A body as it was sent, JSON over several lines. It scrolls within itself, so it takes the focus. */
export const Body = ({ label, text }: BodyProps) => (
  <section class="body" tabindex={0} aria-label={label}>
    <pre>{indented(text)}</pre>
  </section>
)

/** Headers in their order. */
export const Headers = ({ headers }: { readonly headers: readonly (readonly [string, string])[] }) => (
  <Pairs kind="members" pairs={headers} />
)

/** White space between the tokens of JSON, and its texts, which keep theirs. */
const spaces = /("(?:[^"\\]|\\.)*")|\s+/g

/** JSON with a line for each member; anything that would not read the same, as it came. */
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (!isShallow(value)) return text
    const same = JSON.stringify(value) === text.replace(spaces, '$1')
    return same ? JSON.stringify(value, null, 2) : text
  } catch {
    return text // cut, or never JSON
  }
}
