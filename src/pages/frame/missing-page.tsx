import type { ErrorCode, Refusal } from '../../contract/errors.ts'
import type { Section } from '../components/navigation.tsx'
import { Empty } from '../components/panel.tsx'
import type { PagesContext } from './context.ts'
import { renderPage } from './page-frame.tsx'
import type { Fragments, PageView } from './page-view.tsx'

/** Where to look for what is not there. */
interface Elsewhere {
  readonly section: Section
  /** Left out: what was refused, in its own words. */
  readonly heading?: string
  /** Path and words of the link to where it would be. */
  readonly list: readonly [path: string, words: string]
  readonly command: string
  /** Why something that was there may be gone; left out for what never was. */
  readonly because?: string
}

const forgotten = 'a reset may have deleted it, or the sandbox runs with another state folder'

const elsewhere: { readonly [code in ErrorCode]?: Elsewhere } = {
  SBX_TXN_UNKNOWN: {
    section: 'transactions',
    list: ['/', 'Show the list'],
    command: 'tillbox sandbox status',
    because: forgotten,
  },
  SBX_WEBHOOK_NONE: {
    section: 'webhooks',
    list: ['/webhooks', 'Show the list'],
    command: 'tillbox webhook list',
    because: forgotten,
  },
  SBX_REQ_NONE: {
    section: 'requests',
    list: ['/requests', 'Show the list'],
    command: 'tillbox logs tail',
    because: 'the log keeps only recent requests, and none after a restart',
  },
  SBX_UNREGISTERED: {
    section: 'terminals',
    heading: 'There is no terminal here',
    list: ['/terminals', 'Show the terminals'],
    command: 'tillbox terminal list',
    because: 'the sandbox may run with another state folder',
  },
}

/** What is meant by a path that there is not, by how it begins. */
const nearby: readonly (readonly [RegExp, Elsewhere])[] = [
  [
    /^\/terminals?\b/,
    { section: 'terminals', list: ['/terminals', 'Show the terminals'], command: 'tillbox terminal list' },
  ],
  [/^\/batch/, { section: 'batches', list: ['/batches', 'Show the batches'], command: 'tillbox batch list' }],
  [
    /^\/webhook/,
    { section: 'webhooks', list: ['/webhooks', 'Show the webhooks'], command: 'tillbox webhook list' },
  ],
  [
    /^\/(request|log)/,
    { section: 'requests', list: ['/requests', 'Show the requests'], command: 'tillbox logs tail' },
  ],
  [/^/, { section: 'transactions', list: ['/', 'Show the transactions'], command: 'tillbox sandbox status' }],
]

function elsewhereFor({ code }: Refusal, path: string): Elsewhere | undefined {
  if (path.startsWith('/checkout')) return undefined // a shopper has nowhere to look
  if (code !== 'SBX_NO_PATH') return elsewhere[code]
  const near = nearby.find(([begins]) => begins.test(path))?.[1]
  return near && { heading: 'There is no such page', ...near }
}

/** Takes the place of the headline of a record that is gone while its page is open. */
export const gone: Fragments = {
  headline:
    '<p class="done gone" role="status">This record no longer exists: the sandbox was reset, or runs with another state folder. The page shows its last state.</p>',
}

/** The page of something that is not there; null for a refusal that says something else. */
export function missingPage(refusal: Refusal, path: string, origin: string): PageView | null {
  const known = elsewhereFor(refusal, path)
  if (known === undefined) return null
  const { message, detail } = refusal
  const { section, heading, list, command, because } = known
  return {
    title: 'Not found',
    section,
    live: null,
    fragments: () => gone,
    body: () => (
      <section class="panel">
        <h1 class="page-title">{heading ?? message}</h1>
        <Empty
          title={`${[detail ?? message, because].filter(Boolean).join('; ')}.`}
          commands={[command]}
          origin={origin}
        >
          <p>
            <a href={list[0]}>{list[1]}</a>
          </p>
        </Empty>
      </section>
    ),
  }
}

/** The same as a whole document, with the navigation. */
export async function renderMissingPage(
  context: PagesContext,
  refusal: Refusal,
  path: string,
  origin: string,
): Promise<string | null> {
  const view = missingPage(refusal, path, origin)
  return view && renderPage(context, view)
}
