import { Hidden, Submit } from '../components/actions.tsx'
import { ConnectionNotice } from '../components/basics.tsx'
import { documentOf, Layout } from '../components/layout.tsx'
import { Navigation } from '../components/navigation.tsx'
import {
  type DoneNotice,
  type FrameContext,
  type PageView,
  slotsFor,
  spaceOf,
  titleIn,
} from '../frame/page-view.tsx'
import { mastheadControls } from '../masthead/masthead-controls.tsx'

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

/** The last notice, at the foot of the page, with its undo. */
export const Toast = ({ notice }: { readonly notice: DoneNotice | undefined }) =>
  notice === undefined || notice.refused !== undefined ? null : <ToastMessage {...notice} />

const ToastMessage = ({ text, undo }: DoneNotice) => (
  <div class="toast round-m shadow row between gap-4 small medium centre" role="status" data-toast>
    <p>{text}</p>
    {undo !== undefined && (
      <form method="post" action={undo.path}>
        <Hidden fields={undo.fields} />
        <Submit look="link">Undo</Submit>
      </form>
    )}
  </div>
)
