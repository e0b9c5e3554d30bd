import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Refusal } from '../../contract/errors.ts'
import { CardPicker } from './card-picker.tsx'
import { Printer } from './printer.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { GoneScreen } from './screens/passive-screens.tsx'
import { Screen, StatusBar } from './screens/screen.tsx'
import { idOf, type WorkbenchView } from './screens/workbench-view.ts'
import { TerminalSettings } from './terminal-settings.tsx'

/** A piece of a terminal's page that is replaced as a whole when it is not as it was. */
export interface Fragment {
  readonly id: string
  readonly kind: FragmentKind
  readonly html: string
  /** Another one when the html is another. */
  readonly version: string
}

type FragmentKind = 'screen' | 'status' | 'cards' | 'settings' | 'printer'

/** The pieces of a terminal's page, as they are now; the status stands within the screen. */
export function fragmentsOf({ screen: view, before, origin, receipt }: WorkbenchView): readonly Fragment[] {
  const { terminalSn } = view
  const status = fragmentOf(terminalSn, 'status', <StatusBar view={view} />)
  const screen = (bar: Child) => <Screen view={view} before={before} status={bar} />
  return [
    // Another one in line does not take away what was typed: without its bar the screen is as it was.
    {
      ...fragmentOf(terminalSn, 'screen', screen(<PlacedFragment part={status} />)),
      version: versionOf(String(screen(null))),
    },
    fragmentOf(terminalSn, 'cards', <CardPicker view={view} origin={origin} />),
    fragmentOf(terminalSn, 'settings', <TerminalSettings view={view} />),
    fragmentOf(terminalSn, 'printer', <Printer receipt={receipt} />),
    status,
  ]
}

/** The pieces of the page of a terminal that is no longer there: nothing is left to press. */
export const fragmentsOfMissing = (terminalSn: string): readonly Fragment[] => [
  fragmentOf(terminalSn, 'screen', <GoneScreen terminalSn={terminalSn} />),
  fragmentOf(terminalSn, 'cards', ''),
  fragmentOf(terminalSn, 'settings', ''),
  fragmentOf(terminalSn, 'printer', ''),
]

function fragmentOf(terminalSn: string, kind: FragmentKind, content: Child): Fragment {
  const html = String(content)
  return { id: `${kind}-${idOf(terminalSn)}`, kind, html, version: versionOf(html) }
}

const versionOf = (html: string): string => createHash('sha256').update(html).digest('base64url').slice(0, 12)

/** A piece where it stands on the page. */
export const PlacedFragment = ({ part: { id, kind, html, version } }: { readonly part: Fragment }) => (
  <div class={`fragment-${kind}`} id={id} data-version={version}>
    {raw(html)}
  </div>
)

/** A piece that takes the place of the one before it. */
export const replacement = ({ id, kind, html, version }: Fragment): string =>
  `<div class="fragment-${kind}" id="${id}" data-version="${version}" hx-swap-oob="true">${html}</div>`

/** What an act came to, for the page's script: every piece as it is now, and what was refused. */
export const renderFragments = (terminalSn: string, parts: readonly Fragment[], refusal?: Refusal): string =>
  parts.map(replacement).join('') +
  String(
    <div class="fragment-refusal" id={`refusal-${idOf(terminalSn)}`} hx-swap-oob="true">
      <RefusalNotice refusal={refusal} />
    </div>,
  )
