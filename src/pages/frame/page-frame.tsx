import type { ErrorCode, Refusal } from '../../contract/errors.ts'
import { capitalize } from '../../text/words.ts'
import { actionLooks, PostButton, Submit } from '../components/actions.tsx'
import { ConnectionNotice } from '../components/basics.tsx'
import { logLimits } from '../components/format.ts'
import { Icon } from '../components/icons.tsx'
import { htmlDocument, Layout } from '../components/layout.tsx'
import { navigation, type Section, sections } from '../components/navigation.tsx'
import { PageHead } from '../components/panel.tsx'
import { mastheadControls } from '../masthead/masthead.tsx'
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
      {navigation(section, space, mastheadControls(context, notice, view.menu))}
      <main class="dashboard small wide grows centre" id="main" tabindex={-1}>
        {(lead !== undefined || aside !== undefined) && (
          <PageHead title={title} lead={lead}>
            {aside?.(slot)}
          </PageHead>
        )}
        {view.body(slot)}
        {live && <div hx-ext="sse" sse-connect={live.path} sse-swap="fragments" hx-swap="none" hidden />}
      </main>
      <p class="visually-hidden" role="status" data-announce />
      <Toast notice={notice} />
      <ConnectionNotice>{!live && <p>Start it, then try again.</p>}</ConnectionNotice>
    </Layout>,
  )
}

/** The last notice, at the foot of the page, with its undo. */
export const Toast = ({ notice }: { readonly notice: DoneNotice | undefined }) =>
  notice === undefined || notice.refused !== undefined ? null : (
    <div class="toast round-m shadow row between gap-4 small medium centre" role="status" data-toast>
      <p>{notice.text}</p>
      {notice.undo !== undefined && (
        <PostButton action={notice.undo.path} fields={notice.undo.fields} look="link">
          Undo
        </PostButton>
      )}
    </div>
  )

/** A missing record: where it would be listed. */
interface MissingRecord {
  readonly section: Section
  /** Why an existing record may have disappeared; absent for records that never existed. */
  readonly because?: (context: PagesContext) => string
}

const forgotten = () => 'a reset may have deleted it, or the sandbox runs with another state folder'

const missingByCode: { readonly [code in ErrorCode]?: MissingRecord } = {
  SBX_TXN_UNKNOWN: { section: 'transactions', because: forgotten },
  SBX_WEBHOOK_NONE: { section: 'webhooks', because: forgotten },
  SBX_REQ_NONE: {
    section: 'requests',
    because: ({ log }) => `the log holds ${logLimits(log)}`,
  },
  SBX_UNREGISTERED: {
    section: 'terminals',
    because: () => 'the sandbox may run with another state folder',
  },
}

/** Sections that can be searched, and for what; from the others one searches the transactions. */
const searched: { readonly [section in Section]?: string } = {
  transactions: 'Id, order, amount',
  webhooks: 'Id, transaction, URL',
  requests: 'Path, code, trace id',
  docs: 'Operation, error, text',
}

/** Suggested section for an unknown path, by its beginning. */
const nearby: readonly (readonly [RegExp, Section])[] = [
  [/^\/terminals?\b/, 'terminals'],
  [/^\/batch/, 'batches'],
  [/^\/webhook/, 'webhooks'],
  [/^\/(request|log)/, 'requests'],
  [/^\/(docs|openapi)/, 'docs'],
]

function missingAt({ code }: Refusal, path: string): MissingRecord | undefined {
  if (path.startsWith('/checkout')) return undefined // a shopper has nowhere to look
  if (code !== 'SBX_NO_PATH') return missingByCode[code]
  const section = nearby.find(([begins]) => begins.test(path))?.[1] ?? 'transactions'
  return { section }
}

/** Replaces the headline of a record that is deleted while its page is open. */
export const goneFragments: Fragments = {
  headline:
    '<p class="done round-s small medium below-4 gone" role="status">This record no longer exists: the sandbox was reset, or runs with another state folder. The page shows its last state.</p>',
}

/** The page of a missing record; null for any other refusal. */
export function missingPage(context: PagesContext, refusal: Refusal, path: string): PageView | null {
  const missing = missingAt(refusal, path)
  if (missing === undefined) return null
  const { section, because } = missing
  return {
    title: 'Not found',
    section: refusal.code === 'SBX_NO_PATH' ? undefined : section,
    fragments: () => goneFragments,
    body: () => (
      <section class="panel missing text-center">
        <h1 class="page-title tight">{capitalize(refusal.detail ?? refusal.message)}</h1>
        {because && <p class="page-lead above-2">{capitalize(because(context))}.</p>}
        <div class="stack centered gap-2 above-3">
          {searchIn(section in searched ? section : 'transactions')}
          <a class={actionLooks.plain} href={sections[section]}>
            Show the {section}
          </a>
        </div>
      </section>
    ),
  }
}

const searchIn = (section: Section) => (
  <search class="wide">
    <form class="row amid gap-2 below-2" action={sections[section]}>
      <label class="filter-text shrinks relative">
        <Icon name="search" />
        <span class="visually-hidden">Search the {section}</span>
        <input name="q" placeholder={searched[section]} maxlength={64} autocomplete="off" />
      </label>
      <Submit look="main" className="rigid">
        Search
      </Submit>
    </form>
  </search>
)
