import type { Child, PropsWithChildren } from 'hono/jsx'
import { LinkNotice } from '../components/connection-notice.tsx'
import { documentOf, Layout } from '../components/layout.tsx'
import { Masthead, type Place } from '../components/navigation.tsx'
import { slotOf } from './fragment-slots.tsx'
import type { Parts, View } from './page-view.ts'

interface ShellProps {
  readonly title: string
  readonly place: Place
  /** Where its changes are streamed from; left out: it does not change. */
  readonly live?: string | undefined
  /** Clock and faults at a glance. */
  readonly glance?: Child
}

/** The frame of every page for developers: the navigation, the sandbox at a glance, and the page. */
const Shell = ({ title, place, live, glance, children }: PropsWithChildren<ShellProps>) => (
  <Layout title={`${title} – tillbox sandbox`} script="live.js">
    <Masthead place={place} glance={glance} />
    <main class="desk" id="main">
      {children}
    </main>
    {live !== undefined && (
      <>
        <LinkNotice />
        <div id="live" hx-ext="sse" sse-connect={live} sse-swap="parts" hx-swap="none" hidden />
      </>
    )}
  </Layout>
)

/** A page of the dashboard as a whole document. */
export function renderView(view: View, parts: Parts): string {
  const slot = slotOf(parts)
  return documentOf(
    <Shell title={view.title} place={view.place} live={view.live?.path} glance={slot('glance')}>
      {view.body(slot)}
    </Shell>,
  )
}
