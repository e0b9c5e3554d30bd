import type { Child } from 'hono/jsx'
import type { Refusal } from '../../contract/errors.ts'
import { terminalPath } from '../../contract/sandbox/screens.ts'
import { unpairedIn } from '../../domain/unpaired-terminals.ts'
import type { Call } from '../../http/call.ts'
import { Submit } from '../components/actions.tsx'
import { ConnectionNotice, Fold, Notice } from '../components/basics.tsx'
import { htmlDocument, Layout } from '../components/layout.tsx'
import { navigation } from '../components/navigation.tsx'
import { PageHead } from '../components/panel.tsx'
import { Toast } from '../frame/page-frame.tsx'
import { type PagesContext, spaceName, terminalsIn, titleIn } from '../frame/page-view.tsx'
import { mastheadControls } from '../masthead/masthead.tsx'
import { RefusalNoticeTemplate } from './screens/forms.tsx'
import { deviceView, type WorkbenchView, workbenchView } from './screens/workbench-view.ts'
import { Workbench } from './workbench.tsx'

/** The page of one terminal, or the device alone. `refusal`: of the last action. */
export function renderTerminal(context: PagesContext, call: Call, view: WorkbenchView, refusal?: Refusal) {
  const { terminalSn, merchantName } = view.screen
  const title = `${terminalSn} – ${merchantName ?? 'not paired'}`
  const live = `${terminalPath(terminalSn)}/live${showsDeviceAlone(call) ? deviceView : ''}`
  const body = <Workbench view={view} refusal={refusal} />
  return inWindow(context, call, title, live, [view], body, refusal)
}

/** True for a page that shows a device alone, and its stream. */
export const showsDeviceAlone = (call: Call): boolean => call.req.query('view') === 'device'

/** Several terminals in one window. */
export function renderTerminals(context: PagesContext, call: Call): string {
  const selection = selectedTerminals(context, call)
  const { shown, unknown } = selection
  const views = shown.map((terminalSn) => workbenchView(context, terminalSn, call))
  const query = new URLSearchParams(['', ...shown].map((sn) => ['show', sn]))
  const missing = unknown.slice(0, 8).join(', ').slice(0, 300)
  const body = (
    <>
      {chooser(selection)}
      {unknown.length > 0 && (
        <div class="unknown">
          <Notice tone="info" title={`There is no terminal ${missing}`} />
        </div>
      )}
      <div class="workbenches gap-5 stack amid one-column">
        {views.map((view) => (
          <Workbench view={view} among />
        ))}
      </div>
    </>
  )
  return inWindow(context, call, 'Terminals', `/terminals/live?${query}`, views, body)
}

/** A whole document around terminals: unless a device is alone, with the masthead and the last notice. `live`: path of the stream. */
function inWindow(
  context: PagesContext,
  call: Call,
  title: string,
  live: string,
  views: readonly WorkbenchView[],
  body: Child,
  refusal?: Refusal,
): string {
  const isAlone = showsDeviceAlone(call)
  const notice = context.notices.named(call.req.query('notice'))
  const space = spaceName(context)
  return htmlDocument(
    <Layout
      title={titleIn(isAlone ? null : space, title, title)}
      script="terminal.js"
      styles="terminal.css"
      lookAgain={refusal === undefined ? lookAgain(views) : undefined}
      hasMasthead
    >
      {!isAlone && navigation('terminals', space, mastheadControls(context, notice))}
      <ConnectionNotice />
      <RefusalNoticeTemplate />
      <main
        class={isAlone ? 'shop shop-alone' : 'shop grows'}
        id="main"
        tabindex={-1}
        hx-ext="sse"
        sse-connect={live}
        sse-swap="fragments"
        hx-swap="none"
      >
        {body}
      </main>
      {!isAlone && <Toast notice={notice} />}
    </Layout>,
  )
}

/** Without scripts the window reloads itself, unless a person may enter more than a cancel; a refusal stays to be read. */
const lookAgain = (views: readonly WorkbenchView[]): number | undefined =>
  views.some(({ screen }) => screen.acts.length > 1) ? undefined : 2

const chooser = ({ terminals, shown }: TerminalSelection) => (
  <form class="chooser centre small" method="get" action="/terminals">
    <PageHead title="Side by side">
      <Fold summary={`${shown.length} of ${terminals.length} terminals`} className="fold relative to-end">
        <div class="popover lined round-m shadow">
          <fieldset class="card-grid stack gap-2">
            <legend class="visually-hidden">Terminals in this window</legend>
            {terminals.map(({ terminalSn, profile: { summary, label } }) => (
              <label class="operation row gap-2 round-s pressable small shrinks" title={summary}>
                <input type="checkbox" name="show" value={terminalSn} checked={shown.includes(terminalSn)} />
                <span class="code cut">{terminalSn}</span>
                {label}
              </label>
            ))}
          </fieldset>
          <p>
            <Submit look="main">Show</Submit>
          </p>
        </div>
      </Fold>
    </PageHead>
  </form>
)

type TerminalSelection = ReturnType<typeof selectedTerminals>

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
function selectedTerminals(context: PagesContext, call: Call) {
  const { ledgers } = context.engine.state
  const paired = terminalsIn(context)
  const unpaired = unpairedIn(ledgers).map(({ profile }) => ({ terminalSn: profile.terminalSn, profile }))
  const terminals = [...paired, ...unpaired]
  const wanted = namedIn(call)
  const named = terminals.filter(({ terminalSn }) => wanted.includes(terminalSn))
  const busy = paired.filter(({ profile, line }) => profile.mode === 'attended' || line.length > 0)
  const chosen = named.length > 0 ? named : [...busy, ...unpaired]
  return {
    /** Serial numbers. */
    shown: chosen.slice(0, most).map(({ terminalSn }) => terminalSn),
    /** Names that the address has, and no terminal. */
    unknown: wanted.filter((name) => terminals.every(({ terminalSn }) => terminalSn !== name)),
    terminals,
  }
}
