import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { Refusal } from '../../contract/errors.ts'
import { CardPicker } from './card-picker.tsx'
import { Printer } from './printer.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { GoneScreen } from './screens/passive-screens.tsx'
import { Screen, StatusBar } from './screens/screen.tsx'
import { type WorkbenchView, workbenchId } from './screens/workbench-view.ts'
import { TerminalSettings } from './terminal-settings.tsx'

/** A part of a workbench that is replaced as a whole when it changes. */
export interface WorkbenchFragment {
  readonly id: string
  readonly kind: FragmentKind
  readonly html: string
  /** Differs when the html differs. */
  readonly version: string
}

type FragmentKind = 'note' | 'screen' | 'status' | 'cards' | 'settings' | 'printer'

/** The fragments of one workbench; the screen includes the status. */
export function fragmentsOf(workbench: WorkbenchView) {
  const { screen: view, catalogue, before, isCardIn, command, receipt } = workbench
  const { terminalSn } = view
  const status = fragmentOf(terminalSn, 'status', <StatusBar view={view} />)
  const screen = (bar: Child) => (
    <Screen view={view} before={before} isCardIn={isCardIn} command={command} status={bar} />
  )
  return {
    note: fragmentOf(terminalSn, 'note', <Note view={workbench} />),
    // The status bar is not part of the version: another waiting payment does not clear what was typed.
    screen: {
      ...fragmentOf(terminalSn, 'screen', screen(<FragmentContainer fragment={status} />)),
      version: versionOf(String(screen(null))),
    },
    cards: fragmentOf(
      terminalSn,
      'cards',
      <CardPicker view={view} catalogue={catalogue} command={command} />,
    ),
    settings: fragmentOf(terminalSn, 'settings', <TerminalSettings view={view} />),
    printer: fragmentOf(terminalSn, 'printer', <Printer receipt={receipt} />),
    status,
  }
}

/** Name, merchant, and default behaviour. */
const Note = ({ view: { screen, summary } }: { readonly view: WorkbenchView }) => (
  <p class="soft small">
    {screen.label !== undefined && <strong>{screen.label}</strong>}
    {screen.label !== undefined && ' · '}
    {screen.merchantName ?? 'not paired'} · {summary}
  </p>
)

/** The fragments of a terminal that no longer exists: without buttons. */
export const fragmentsOfMissing = (terminalSn: string): readonly WorkbenchFragment[] => [
  fragmentOf(terminalSn, 'screen', <GoneScreen terminalSn={terminalSn} />),
  fragmentOf(terminalSn, 'cards', ''),
  fragmentOf(terminalSn, 'settings', ''),
  fragmentOf(terminalSn, 'printer', ''),
]

function fragmentOf(terminalSn: string, kind: FragmentKind, content: JSX.Element | ''): WorkbenchFragment {
  const html = String(content)
  return { id: `${kind}-${workbenchId(terminalSn)}`, kind, html, version: versionOf(html) }
}

const versionOf = (html: string): string => createHash('sha256').update(html).digest('base64url').slice(0, 12)

/** A fragment in its place on the page. */
export const FragmentContainer = ({
  fragment: { id, kind, html, version },
}: {
  readonly fragment: WorkbenchFragment
}) => (
  <div class={`fragment-${kind}`} id={id} data-version={version}>
    {raw(html)}
  </div>
)

/** A fragment that replaces the one with its id. */
export const replacement = ({ id, kind, html, version }: WorkbenchFragment): string =>
  `<div class="fragment-${kind}" id="${id}" data-version="${version}" hx-swap-oob="true">${html}</div>`

/** The answer to an action of the page's script: every fragment, and the refusal. */
export const renderFragments = (
  terminalSn: string,
  fragments: readonly WorkbenchFragment[],
  refusal?: Refusal,
): string =>
  fragments.map(replacement).join('') +
  String(
    <div class="fragment-refusal" id={`refusal-${workbenchId(terminalSn)}`} hx-swap-oob="true">
      <RefusalNotice refusal={refusal} />
    </div>,
  )
