import { Pairs } from '../pairs.tsx'
import { tryReadJson } from './format-json.ts'
import { JsonView, lineCountOf, mostLines } from './json-view.tsx'

/** What one side of an exchange sent: its headers and its body. */

interface BodyProps {
  /** Names it for readers. */
  readonly label: string
  readonly text: string
}

/**
 * A body as sent, with JSON in lines that fold, and a copy button if scripts run. It scrolls, so it can take the focus.
 */
export const Body = ({ label, text }: BodyProps) => {
  const json = tryReadJson(text)
  const isDrawn = json !== null && lineCountOf(json.value) <= mostLines
  return (
    <div class="body on-sunken lined round-s above-3">
      <div class="body-bar rule-below row between gap-3 h-2 with-scripts">
        <output class="body-path one-line cut shrinks" />
        <button class="copy-button accented smaller bold rigid" type="button" data-copy-body>
          Copy<span class="visually-hidden"> {label}</span>
        </button>
      </div>
      <section class="body-text" tabindex={0} aria-label={label}>
        {isDrawn ? (
          <JsonView value={json.value} />
        ) : (
          <pre>{json === null ? text : JSON.stringify(json.value, null, 2)}</pre>
        )}
      </section>
    </div>
  )
}

/** Headers in their order. */
export const Headers = ({ headers }: { readonly headers: readonly (readonly [string, string])[] }) => (
  <Pairs kind="members" pairs={headers} />
)
