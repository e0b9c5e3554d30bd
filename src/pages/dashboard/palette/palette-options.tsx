import { html } from '../../frame/page-view.tsx'
import type { RecordsContext } from '../../frame/pages-context.ts'
import { type PaletteEntry, paletteEntries } from './palette-entries.ts'

/** Palette entries for a typed text, as options by group. */
export async function paletteOptions(context: RecordsContext, typed: string): Promise<string> {
  const entries = await paletteEntries(context, typed)
  if (entries.length === 0) return html(<p class="palette-none note">Nothing matches.</p>)
  const groups = [...new Set(entries.map(({ group }) => group))]
  return html(
    <div>
      {groups.map((group) => (
        <fieldset aria-label={group}>
          <p class="palette-group note" aria-hidden="true">
            {group}
          </p>
          {entries.map((entry, index) => entry.group === group && <Option entry={entry} index={index} />)}
        </fieldset>
      ))}
    </div>,
  )
}

interface OptionProps {
  readonly entry: PaletteEntry
  readonly index: number
}

/** Classes of an option, whatever it is. */
const look = 'palette-option inherit round-s text-start pad-2 flex between gap-4 small no-underline wide'

/** A link, a button that sends the palette's form, or a line to read. */
const Option = ({ entry: { text, note, href, post }, index }: OptionProps) => {
  const common = { id: `option-${index}`, class: look, tabindex: -1 } as const
  const inside = (
    <>
      <span>{text}</span>
      {note && <span class="note">{note}</span>}
    </>
  )
  if (href !== undefined)
    return (
      <a {...common} role="option" aria-selected="false" href={href}>
        {inside}
      </a>
    )
  return post === undefined ? (
    <p class={look}>{inside}</p>
  ) : (
    <button
      {...common}
      role="option"
      aria-selected="false"
      type="submit"
      formaction={post.path}
      name={post.name}
      value={post.value}
    >
      {inside}
    </button>
  )
}
