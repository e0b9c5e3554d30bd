import type { PropsWithChildren } from 'hono/jsx'
import type { Refusal } from '../../contract/errors.ts'
import type { ScreenName, ScreenView } from '../../contract/sandbox/screens.ts'
import { Notice } from '../components/basics.tsx'
import { ConnectionNotice } from '../components/connection-notice.tsx'
import { documentOf, Layout } from '../components/layout.tsx'
import { Navigation } from '../components/navigation.tsx'
import { slotsFor } from '../frame/fragment-slots.tsx'
import { RefusalTemplate } from './refusal-notice.tsx'
import { type CounterView, terminalPath } from './screens/workbench-view.ts'
import type { KnownTerminal } from './terminal-selection.ts'
import { Counter } from './workbench.tsx'

/** The page of one terminal. `refusal`: what was tried and could not be done. */
export function renderTerminal(view: CounterView, glance: string, refusal?: Refusal): string {
  const { terminalSn, merchantName } = view.screen
  return documentOf(
    <Window
      title={`${terminalSn} – ${merchantName}`}
      live={`${terminalPath(terminalSn)}/live`}
      views={[view.screen]}
      glance={glance}
    >
      <Counter view={view} refusal={refusal} />
    </Window>,
  )
}

/** Several terminals in one window. `unknown`: names that were asked for, and that no terminal has. */
export function renderTerminals(
  views: readonly CounterView[],
  all: readonly KnownTerminal[],
  unknown: readonly string[],
  glance: string,
): string {
  const query = new URLSearchParams(views.map(({ screen }) => ['show', screen.terminalSn]))
  return documentOf(
    <Window
      title="Terminals"
      live={`/terminals/live?${query}`}
      views={views.map(({ screen }) => screen)}
      glance={glance}
    >
      <Chooser all={all} />
      {unknown.length > 0 && (
        <div class="unknown">
          <Notice
            tone="info"
            title={`There is no terminal ${unknown.slice(0, 8).join(', ').slice(0, 300)}`}
          />
        </div>
      )}
      <div class="counters">
        {views.map((view) => (
          <Counter view={view} among />
        ))}
      </div>
    </Window>,
  )
}

interface WindowProps {
  readonly title: string
  /** Where the parts come from, as they change. */
  readonly live: string
  readonly views: readonly ScreenView[]
  /** The sandbox at a glance, drawn already. */
  readonly glance: string
}

const Window = ({ title, live, views, glance, children }: PropsWithChildren<WindowProps>) => (
  <Layout title={title} script="terminal.js" styles="terminal.css" lookAgain={lookAgain(views)}>
    <Navigation section="terminals" glance={slotsFor({ glance })('glance')} />
    <ConnectionNotice />
    <RefusalTemplate />
    <main class="shop" hx-ext="sse" sse-connect={live} sse-swap="parts" hx-swap="none">
      {children}
    </main>
  </Layout>
)

/** Screens on which somebody may be in the middle of something. */
const busy: ReadonlySet<ScreenName> = new Set(['present-card', 'insert-card', 'tip', 'pin', 'signature'])

/** Without scripts a window looks again, as long as nobody is about to act in it. */
const lookAgain = (views: readonly ScreenView[]): number | undefined =>
  views.some(({ screen, acts }) => busy.has(screen) && acts.length > 1) ? undefined : 2

const Chooser = ({ all }: { readonly all: readonly KnownTerminal[] }) => (
  <form class="chooser" method="get" action="/terminals">
    <fieldset>
      <legend>Terminals in this window</legend>
      {all.map(({ terminalSn, summary, shown }) => (
        <label class="chooser-item" title={summary}>
          <input type="checkbox" name="show" value={terminalSn} checked={shown} />
          {terminalSn}
        </label>
      ))}
      <button class="screen-button" type="submit">
        Show
      </button>
    </fieldset>
  </form>
)
