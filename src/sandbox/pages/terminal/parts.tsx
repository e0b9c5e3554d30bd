import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Refusal } from '../../../api/errors.ts'
import { Bench } from './bench.tsx'
import { Printer } from './printer.tsx'
import { Problem } from './problem.tsx'
import { Screen } from './screen.tsx'
import { Tray } from './tray.tsx'
import { type CounterView, idOf } from './view.ts'

/** A piece of a terminal's page that is replaced as a whole when it is not as it was. */
export interface Part {
  readonly id: string
  readonly kind: PartKind
  readonly html: string
  /** Another one when the html is another. */
  readonly version: string
}

type PartKind = 'screen' | 'tray' | 'bench' | 'printer'

/** The pieces of a terminal's page, as they are now. */
export function partsOf(view: CounterView): readonly Part[] {
  const id = idOf(view.screen.terminalSn)
  const part = (kind: PartKind, content: Child): Part => {
    const html = String(content)
    const version = createHash('sha256').update(html).digest('base64url').slice(0, 12)
    return { id: `${kind}-${id}`, kind, html, version }
  }
  return [
    part('screen', <Screen view={view.screen} />),
    part('tray', <Tray view={view.screen} />),
    part('bench', <Bench view={view.screen} />),
    part('printer', <Printer receipt={view.receipt} />),
  ]
}

/** A piece where it stands on the page. */
export const Placed = ({ part: { id, kind, html, version } }: { readonly part: Part }) => (
  <div class={`part-${kind}`} id={id} data-version={version}>
    {raw(html)}
  </div>
)

/** A piece that takes the place of the one before it. */
export const fragment = ({ id, kind, html, version }: Part): string =>
  `<div class="part-${kind}" id="${id}" data-version="${version}" hx-swap-oob="true">${html}</div>`

/** What an act came to, for the page's script: every piece as it is now, and what was refused. */
export const renderParts = (view: CounterView, refusal: Refusal | undefined): string =>
  partsOf(view).map(fragment).join('') +
  String(
    <div class="part-problem" id={`problem-${idOf(view.screen.terminalSn)}`} hx-swap-oob="true">
      <Problem refusal={refusal} />
    </div>,
  )
