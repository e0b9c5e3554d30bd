import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Refusal } from '../../contract/errors.ts'
import { Tray } from './card-picker.tsx'
import { Printer } from './printer.tsx'
import { Problem } from './refusal-notice.tsx'
import { GoneScreen } from './screens/passive-screens.tsx'
import { Screen, StatusBar } from './screens/screen.tsx'
import { type CounterView, idOf } from './screens/workbench-view.ts'
import { Bench } from './terminal-settings.tsx'

/** A piece of a terminal's page that is replaced as a whole when it is not as it was. */
export interface Part {
  readonly id: string
  readonly kind: PartKind
  readonly html: string
  /** Another one when the html is another. */
  readonly version: string
}

type PartKind = 'screen' | 'status' | 'tray' | 'bench' | 'printer'

/** The pieces of a terminal's page, as they are now; the status stands within the screen. */
export function partsOf({ screen: view, before, origin, receipt }: CounterView): readonly Part[] {
  const { terminalSn } = view
  const status = part(terminalSn, 'status', <StatusBar view={view} />)
  const screen = (bar: Child) => <Screen view={view} before={before} status={bar} />
  return [
    // Another one in line does not take away what was typed: without its bar the screen is as it was.
    {
      ...part(terminalSn, 'screen', screen(<Placed part={status} />)),
      version: versionOf(String(screen(null))),
    },
    part(terminalSn, 'tray', <Tray view={view} origin={origin} />),
    part(terminalSn, 'bench', <Bench view={view} />),
    part(terminalSn, 'printer', <Printer receipt={receipt} />),
    status,
  ]
}

/** The pieces of the page of a terminal that is no longer there: nothing is left to press. */
export const partsWithout = (terminalSn: string): readonly Part[] => [
  part(terminalSn, 'screen', <GoneScreen terminalSn={terminalSn} />),
  part(terminalSn, 'tray', ''),
  part(terminalSn, 'bench', ''),
  part(terminalSn, 'printer', ''),
]

function part(terminalSn: string, kind: PartKind, content: Child): Part {
  const html = String(content)
  return { id: `${kind}-${idOf(terminalSn)}`, kind, html, version: versionOf(html) }
}

const versionOf = (html: string): string => createHash('sha256').update(html).digest('base64url').slice(0, 12)

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
export const renderParts = (terminalSn: string, parts: readonly Part[], refusal?: Refusal): string =>
  parts.map(fragment).join('') +
  String(
    <div class="part-problem" id={`problem-${idOf(terminalSn)}`} hx-swap-oob="true">
      <Problem refusal={refusal} />
    </div>,
  )
