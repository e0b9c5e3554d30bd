import { ConnectionNotice } from '../components/connection-notice.tsx'
import { documentOf, Layout } from '../components/layout.tsx'
import { Navigation } from '../components/navigation.tsx'
import type { PagesContext } from './context.ts'
import { type PageView, slotsFor } from './page-view.tsx'
import { statusStripOf } from './status-strip.tsx'

/** A page of the dashboard as a whole document, with the sandbox at a glance. */
export async function renderPage(context: PagesContext, view: PageView): Promise<string> {
  const slot = slotsFor({ 'status-strip': statusStripOf(context), ...(await view.fragments()) })
  const { title, section, live } = view
  return documentOf(
    <Layout title={`${title} – tillbox sandbox`} script="dashboard.js">
      <Navigation section={section} statusStrip={slot('status-strip')} />
      <main class="dashboard" id="main">
        {view.body(slot)}
      </main>
      {live !== null && (
        <>
          <ConnectionNotice />
          <div id="live" hx-ext="sse" sse-connect={live.path} sse-swap="fragments" hx-swap="none" hidden />
        </>
      )}
    </Layout>,
  )
}
