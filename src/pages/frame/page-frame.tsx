import type { Child, PropsWithChildren } from 'hono/jsx'
import { ConnectionNotice } from '../components/connection-notice.tsx'
import { documentOf, Layout } from '../components/layout.tsx'
import { Navigation, type Section } from '../components/navigation.tsx'
import { slotsFor } from './fragment-slots.tsx'
import type { Fragments, PageView } from './page-view.ts'

interface PageFrameProps {
  readonly title: string
  readonly section: Section
  /** Where its changes are streamed from; left out: it does not change. */
  readonly live?: string | undefined
  /** Clock and faults at a glance. */
  readonly statusStrip?: Child
}

/** The frame of every page for developers: the navigation, the sandbox at a glance, and the page. */
const PageFrame = ({ title, section, live, statusStrip, children }: PropsWithChildren<PageFrameProps>) => (
  <Layout title={`${title} – tillbox sandbox`} script="dashboard.js">
    <Navigation section={section} statusStrip={statusStrip} />
    <main class="dashboard" id="main">
      {children}
    </main>
    {live !== undefined && (
      <>
        <ConnectionNotice />
        <div id="live" hx-ext="sse" sse-connect={live} sse-swap="fragments" hx-swap="none" hidden />
      </>
    )}
  </Layout>
)

/** A page of the dashboard as a whole document. */
export function renderPage(view: PageView, fragments: Fragments): string {
  const slot = slotsFor(fragments)
  return documentOf(
    <PageFrame
      title={view.title}
      section={view.section}
      live={view.live?.path}
      statusStrip={slot('status-strip')}
    >
      {view.body(slot)}
    </PageFrame>,
  )
}
