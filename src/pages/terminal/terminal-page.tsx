import type { Child, PropsWithChildren } from 'hono/jsx'
import type { Refusal } from '../../contract/errors.ts'
import { type ScreenView, terminalPath } from '../../contract/sandbox/screens.ts'
import { unpairedIn } from '../../domain/unpaired-terminals.ts'
import type { Call } from '../../http/call.ts'
import { Submit } from '../components/actions.tsx'
import { ConnectionNotice, Fold, Notice } from '../components/basics.tsx'
import { documentOf, Layout } from '../components/layout.tsx'
import { navigation } from '../components/navigation.tsx'
import { Toast } from '../frame/page-frame.tsx'
import { type DoneNotice, type PagesContext, titleIn } from '../frame/page-view.tsx'
import { RefusalNoticeTemplate } from './screens/forms.tsx'
import { deviceView, type WorkbenchView } from './screens/workbench-view.ts'
import { Workbench } from './workbench.tsx'

/** The page of one terminal; without a frame the device alone. `refusal`: of the last action. */
export function renderTerminal(view: WorkbenchView, frame: WindowFrame | null, refusal?: Refusal): string {
  const { terminalSn, merchantName } = view.screen
  return documentOf(
    <Window
      title={`${terminalSn} – ${merchantName ?? 'not paired'}`}
      live={`${terminalPath(terminalSn)}/live${frame === null ? deviceView : ''}`}
      views={[view.screen]}
      frame={frame}
    >
      <Workbench view={view} refusal={refusal} />
    </Window>,
  )
}

/** True for a page that shows a device alone, and its stream. */
export const showsDeviceAlone = (call: Call): boolean => call.req.query('view') === 'device'

/** Several terminals in one window. */
export function renderTerminals(
  views: readonly WorkbenchView[],
  { all, unknown, isNamed }: TerminalSelection,
  frame: WindowFrame,
): string {
  const query = new URLSearchParams(
    ['', ...views.map(({ screen }) => screen.terminalSn)].map((sn) => ['show', sn]),
  )
  return documentOf(
    <Window
      title="Terminals"
      live={`/terminals/live?${query}`}
      views={views.map(({ screen }) => screen)}
      frame={frame}
    >
      {chooser(all, isNamed)}
      {unknown.length > 0 && (
        <div class="unknown">
          <Notice
            tone="info"
            title={`There is no terminal ${unknown.slice(0, 8).join(', ').slice(0, 300)}`}
          />
        </div>
      )}
      <div class="workbenches gap-5 stack amid one-column">
        {views.map((view) => (
          <Workbench view={view} among />
        ))}
      </div>
    </Window>,
  )
}

/** The frame around the terminals: the masthead's controls, and the last notice. */
export interface WindowFrame {
  /** Name of the space; null for the first one. */
  readonly space: string | null
  readonly controls: Child
  readonly notice: DoneNotice | undefined
}

interface WindowProps {
  readonly title: string
  /** Where the parts come from, as they change. */
  readonly live: string
  readonly views: readonly ScreenView[]
  /** Null for the device alone. */
  readonly frame: WindowFrame | null
}

const Window = ({ title, live, views, frame, children }: PropsWithChildren<WindowProps>) => (
  <Layout
    title={titleIn(frame?.space ?? null, title, title)}
    script="terminal.js"
    styles="terminal.css"
    lookAgain={lookAgain(views)}
    hasMasthead
  >
    {frame !== null && navigation('terminals', frame.space, frame.controls)}
    <ConnectionNotice />
    <RefusalNoticeTemplate />
    <main
      class={frame === null ? 'shop shop-alone' : 'shop grows'}
      id="main"
      tabindex={-1}
      hx-ext="sse"
      sse-connect={live}
      sse-swap="fragments"
      hx-swap="none"
    >
      {children}
    </main>
    <Toast notice={frame?.notice} />
  </Layout>
)

/** Without scripts the window reloads itself, unless a person may enter more than a cancel. */
const lookAgain = (views: readonly ScreenView[]): number | undefined =>
  views.some(({ acts }) => acts.length > 1) ? undefined : 2

/** `isNamed`: whether the address names terminals: then no selection is shown. */
const chooser = (all: readonly SelectableTerminal[], isNamed: boolean) => (
  <form class="chooser row wrap small" method="get" action="/terminals">
    <p>
      <a href="/terminals">All terminals</a>
    </p>
    <Fold summary={`${all.filter(({ shown }) => shown).length} of ${all.length} terminals`} open={!isNamed}>
      <fieldset class="row wrap gap-2">
        <legend class="visually-hidden">Terminals in this window</legend>
        {all.map(({ terminalSn, summary, label, shown }) => (
          <label class="operation row gap-2 round-s pressable small" title={summary}>
            <input type="checkbox" name="show" value={terminalSn} checked={shown} />
            <span class="code">{terminalSn}</span>
            {label}
          </label>
        ))}
        <Submit look="main">Show</Submit>
      </fieldset>
    </Fold>
  </form>
)

/** A terminal that can be shown. */
interface SelectableTerminal {
  readonly terminalSn: string
  readonly summary: string
  readonly label?: string | undefined
  readonly shown: boolean
}

/** Terminals of a window. */
interface TerminalSelection {
  /** Serial numbers. */
  readonly shown: readonly string[]
  /** Names that the address has, and no terminal. */
  readonly unknown: readonly string[]
  /** Whether the address names any. */
  readonly isNamed: boolean
  readonly all: readonly SelectableTerminal[]
}

/** Most terminals in one window. */
const most = 8

/** True for an address with `show`: terminals side by side; an empty value means the default ones. */
export const isSideBySide = (call: Call): boolean => call.req.queries('show') !== undefined

/** The terminals that the address names in `show`. */
const namedIn = (call: Call): string[] => [...new Set(call.req.queries('show'))].filter((name) => name !== '')

/** The terminals of a window: it keeps the named ones, whether they exist or not. */
export const followedTerminals = (context: PagesContext, call: Call): readonly string[] => {
  const named = namedIn(call).slice(0, most)
  return named.length > 0 ? named : selectedTerminals(context, call).shown
}

/** The terminals in `show`; if it is empty, those that wait for a person or process a payment. */
export function selectedTerminals({ engine }: PagesContext, call: Call): TerminalSelection {
  const { ledgers } = engine.state
  const paired = [...ledgers.values()].flatMap(({ terminals }) => [...terminals.values()])
  const unpaired = unpairedIn(ledgers).map(({ profile }) => ({ terminalSn: profile.terminalSn, profile }))
  const terminals = [...paired, ...unpaired]
  const wanted = new Set(namedIn(call))
  const named = terminals.filter(({ terminalSn }) => wanted.has(terminalSn))
  const busy = paired.filter(({ profile, line }) => profile.mode === 'attended' || line.length > 0)
  const usual = [...busy, ...unpaired]
  const shown = new Set((named.length > 0 ? named : usual).slice(0, most).map(({ terminalSn }) => terminalSn))
  return {
    shown: [...shown],
    isNamed: wanted.size > 0,
    unknown: namedIn(call).filter((name) => terminals.every(({ terminalSn }) => terminalSn !== name)),
    all: terminals.map(
      ({ terminalSn, profile }): SelectableTerminal => ({
        terminalSn,
        summary: profile.summary,
        label: profile.label,
        shown: shown.has(terminalSn),
      }),
    ),
  }
}
