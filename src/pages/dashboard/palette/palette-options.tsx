import { Hidden } from '../../components/actions.tsx'
import { WholeWords } from '../../components/command.tsx'
import { html, type PagesContext } from '../../frame/page-view.tsx'
import { type PaletteEntry, paletteEntries } from './palette-entries.ts'

/** Palette entries for a typed text, as options by group. `at`: path of the page below the palette. */
export async function paletteOptions(context: PagesContext, typed: string, at: string): Promise<string> {
  const entries = await paletteEntries(context, typed, at)
  const groups = [...new Set(entries.map(({ group }) => group))]
  return html(
    <div>
      {groups.map((group) => (
        <fieldset aria-label={group}>
          <p class="px-2 pt-2 pb-1 text-note text-ink-soft" aria-hidden="true">
            {group}
          </p>
          {entries.map((entry, index) => entry.group === group && option(entry, index))}
        </fieldset>
      ))}
    </div>,
  )
}

/** A link, a form that is one button, or a text to copy. */
const option = ({ text, note, keys, leads, post, copies }: PaletteEntry, index: number) => {
  const common = {
    id: `option-${index}`,
    class: 'palette-option',
    role: 'option',
    tabindex: -1,
    'aria-selected': 'false',
  } as const
  const inside = (
    <>
      <span class="max-w-3/4 flex-[1_0_auto] max-sm:max-w-full">
        <WholeWords text={text} />
      </span>
      {note && <span class="ms-auto truncate text-note text-ink-soft">{note}</span>}
      {keys && <kbd class="ms-auto text-note text-ink-soft">{keys}</kbd>}
    </>
  )
  if (leads !== undefined)
    return (
      <a {...common} href={leads.to} data-drawer={leads.opensDrawer}>
        {inside}
      </a>
    )
  const button = (
    <button {...common} type={post === undefined ? 'button' : 'submit'} data-copy={copies}>
      {inside}
    </button>
  )
  if (post === undefined) return button
  return (
    <form method="post" action={post.path}>
      <Hidden fields={post.fields ?? {}} />
      {button}
    </form>
  )
}
