import { Hidden } from '../../components/actions.tsx'
import { WholeFlags } from '../../components/command.tsx'
import { html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { keyGroups } from '../../keys.ts'
import { type PaletteEntry, paletteEntries } from './palette-entries.ts'

/** Palette entries for a typed text, as options by group. `at`: path of the page below the palette. */
export async function paletteOptions(context: PagesContext, typed: string, at: string): Promise<string> {
  const entries = await paletteEntries(context, typed, at)
  const groups = [...new Set(entries.map(({ group }) => group))]
  return html(
    <div>
      {groups.map((group) => (
        <fieldset aria-label={group}>
          <p class="palette-group note" aria-hidden="true">
            {group}
          </p>
          {entries.map((entry, index) => entry.group === group && option(entry, index))}
        </fieldset>
      ))}
    </div>,
  )
}

/** A link, a form that is one button, or a text to copy. */
const option = ({ text, note, leads, post, copies }: PaletteEntry, index: number) => {
  const common = {
    id: `option-${index}`,
    class: 'palette-option ink round-s text-start pad-2 flex between gap-4 small no-underline wide',
    role: 'option',
    tabindex: -1,
    'aria-selected': 'false',
  } as const
  const inside = (
    <>
      <span>
        <WholeFlags text={text} />
      </span>
      {note && <span class="note">{note}</span>}
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

/** The sheet of keys, over the page where scripts run: those of the page first. `at` in the query: its path. */
export const keysPage: MakePage = (_, { query: { at = '' } }) => {
  const isOwn = ({ paths }: (typeof keyGroups)[number]) => paths?.test(at) === true
  const groups = [...keyGroups.filter(isOwn), ...keyGroups.filter((group) => !isOwn(group))]
  return {
    title: 'Keyboard shortcuts',
    body: () => (
      <section class="panel keys-sheet stack gap-4" aria-labelledby="action-title" data-drawer-content>
        <header class="row between gap-3">
          <h1 class="page-title tight" id="action-title">
            Keyboard shortcuts
          </h1>
          <a class="action action-plain" href="/" data-close>
            Close
          </a>
        </header>
        <div class="keys-groups">
          {groups.map((group) => (
            <section>
              <h2 class="note">
                {group.title}
                {isOwn(group) && ' (this page)'}
              </h2>
              <dl class="small">
                {group.keys.map(([keys, does]) => (
                  <div class="row between gap-3">
                    <dt>{does}</dt>
                    <dd class="rigid">
                      {keys.split(' ').map((key) => (key === '–' ? ' – ' : <kbd>{key}</kbd>))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </section>
    ),
  }
}
