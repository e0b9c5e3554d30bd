import { type ErrorCode, errorTable, type Refusal } from '../../contract/errors.ts'
import { withoutCommands } from '../../shared/text/commands.ts'
import { capitalize, sentences } from '../../shared/text/words.ts'
import { PostButton } from '../components/actions.tsx'
import { ConnectionNotice } from '../components/basics.tsx'
import { Sentence } from '../components/command.tsx'
import { htmlDocument, Layout } from '../components/layout.tsx'
import { actionLooks, titleLook } from '../components/looks.ts'
import { navigation, type Section, sections, viewerMay } from '../components/navigation.tsx'
import { PageHead } from '../components/panel.tsx'
import { SandboxControl } from '../masthead/masthead.tsx'
import {
  type DoneNotice,
  type Fragments,
  type PagesContext,
  type PageView,
  slotsFor,
  spaceName,
  titleIn,
} from './page-view.tsx'

/** A page of the dashboard as a whole document, with masthead and last notice. */
export async function renderPage(context: PagesContext, view: PageView, notice?: DoneNotice) {
  const slot = slotsFor((await view.fragments?.()) ?? {})
  const { title, section = null, live, lead, aside } = view
  const space = spaceName(context)
  return htmlDocument(
    <Layout title={titleIn(space, title, `${title} – tillbox sandbox`)} script="dashboard.js" hasMasthead>
      {navigation(section, space, <SandboxControl context={context} isCurrent={section === 'sandbox'} />)}
      <Toast notice={notice} />
      <main
        class="dashboard text-sm w-full flex-1 mx-auto max-w-400 px-3 pt-3 pb-12 md:has-[.beside:not([hidden])]:pb-2 lg:px-6"
        id="main"
        tabindex={-1}
      >
        {(lead !== undefined || aside !== undefined) && (
          <PageHead title={title} lead={lead}>
            {aside?.(slot)}
            {section === 'sandbox' && (
              <p class="viewer-only order-1 basis-full text-sm text-ink-soft">{viewerMay}</p>
            )}
          </PageHead>
        )}
        {view.body(slot)}
        {live && <div hx-ext="sse" sse-connect={live.path} sse-swap="fragments" hx-swap="none" hidden />}
      </main>
      <p class="sr-only" role="status" data-announce />
      <ConnectionNotice>{!live && <p>Start it, then try again.</p>}</ConnectionNotice>
    </Layout>,
  )
}

/** The last notice, at the foot of the page, with its undo. */
export const Toast = ({ notice }: { readonly notice: DoneNotice | undefined }) =>
  notice === undefined || notice.refused !== undefined ? null : (
    <div
      class="fixed inset-x-4 bottom-4 in-[:has(>main_.submit-bar)]:bottom-26 z-5 mx-auto flex w-fit max-w-[min(100%-2rem,34rem)] items-center justify-between gap-4 rounded-lg bg-ink px-4 py-2 text-sm font-medium text-surface shadow-lg [&_.link-button]:text-inherit"
      role="status"
      data-toast
    >
      <p>{notice.text}</p>
      {notice.undo !== undefined && (
        <PostButton action={notice.undo.path} fields={notice.undo.fields} look="link">
          Undo
        </PostButton>
      )}
    </div>
  )

/** Where a missing record would be listed. */
const sectionByCode: { readonly [code in ErrorCode]?: Section } = {
  SBX_TXN_UNKNOWN: 'transactions',
  SBX_WEBHOOK_NONE: 'webhooks',
  SBX_REQ_NONE: 'requests',
  SBX_UNREGISTERED: 'terminals',
  SBX_NO_PATH: 'transactions',
  SBX_SCOPE: 'transactions',
}

/** Replaces the headline of a record that is deleted while its page is open. */
export const goneFragments: Fragments = {
  headline:
    '<p class="rounded-md bg-warm-tint px-4 py-2 text-sm font-medium mb-4 text-warm" role="status">This record no longer exists: the sandbox was reset, or runs with another state folder. The page shows its last state.</p>',
}

/**
 * The page of a missing record; with `before`, a path to go back to, also of what is not possible. Null for
 * any other refusal, and for a shopper, who has nowhere to look.
 */
export function missingPage(refusal: Refusal, path: string, before?: string): PageView | null {
  if (path.startsWith('/checkout')) return null
  const section = sectionByCode[refusal.code]
  const isOfRequest = errorTable[refusal.code].kind === 'http'
  if (section === undefined) return isOfRequest || before === undefined ? null : impossible(refusal, before)
  const { code, detail, message, remedy } = refusal
  const isOfScope = code === 'SBX_SCOPE'
  const isOfRecord = code !== 'SBX_NO_PATH' && !isOfScope
  return {
    title: isOfScope ? 'Not allowed' : 'Not found',
    section: isOfRecord ? section : undefined,
    fragments: () => goneFragments,
    body: () => (
      <section class="panel missing mx-auto my-8 max-w-176 p-6 text-center">
        <h1 class={titleLook}>
          {isOfScope ? 'Your token does not allow this' : capitalize(detail ?? message)}
        </h1>
        {isOfScope && (
          <p class="result-text mt-2 text-sm text-ink-soft">
            <Sentence text={sentences(capitalize(detail ?? ''), remedy)} />
          </p>
        )}
        {isOfRecord && (
          <p class="mt-2 text-sm text-ink-soft">
            A reset or a restart may have deleted it, or the sandbox runs with another state folder.
          </p>
        )}
        <p class="mt-3">
          <a class={actionLooks.plain} href={sections[section]}>
            Show the {section}
          </a>
        </p>
      </section>
    ),
  }
}

/** What one asked for, and why it was not done. */
const impossible = ({ message, detail = '', remedy }: Refusal, before: string): PageView => ({
  title: 'Not possible',
  section: undefined,
  body: () => (
    <section class="panel mx-auto my-8 grid max-w-176 gap-3 p-6" aria-labelledby="why" data-drawer-content>
      <h1 class={titleLook} id="why">
        {message}
      </h1>
      <p class="result-text text-sm text-ink-soft">
        {sentences(capitalize(detail), withoutCommands(remedy), 'Nothing was changed')}
      </p>
      <p>
        <a class={actionLooks.plain} href={before} data-close>
          Back
        </a>
      </p>
    </section>
  ),
})
