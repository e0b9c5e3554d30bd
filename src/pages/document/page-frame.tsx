import { ConnectionNotice } from '../components/connection-notice.tsx'
import { documentOf, Layout } from '../components/layout.tsx'
import { Navigation } from '../components/navigation.tsx'
import type { DoneNotice } from '../frame/notices.ts'
import { type PageView, slotsFor } from '../frame/page-view.tsx'
import type { FrameContext } from '../frame/pages-context.ts'
import { spaceOf, titleIn } from '../frame/pages-context.ts'
import { mastheadControls } from '../masthead/masthead-controls.tsx'
import { Toast } from './toast.tsx'

/** A page of the dashboard as a whole document, with masthead and last notice. */
export async function renderPage(
  context: FrameContext,
  view: PageView,
  notice?: DoneNotice,
): Promise<string> {
  const slot = slotsFor((await view.fragments?.()) ?? {})
  const { title, section, live } = view
  const space = spaceOf(context)
  return documentOf(
    <Layout title={titleIn(space, title, `${title} – tillbox sandbox`)} script="dashboard.js" hasMasthead>
      <Navigation section={section} space={space} controls={mastheadControls(context, notice)} />
      <main class="dashboard small wide grows centre" id="main">
        {view.body(slot)}
      </main>
      <Toast notice={notice} />
      {live !== undefined && (
        <>
          <ConnectionNotice />
          <div id="live" hx-ext="sse" sse-connect={live.path} sse-swap="fragments" hx-swap="none" hidden />
        </>
      )}
    </Layout>,
  )
}
