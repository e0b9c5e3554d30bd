import type { ErrorCode, Refusal } from '../../../api/errors.ts'
import type { Place } from '../masthead.tsx'
import { Empty } from './marks.tsx'
import type { Parts, View } from './view.ts'

/** Where to look for what is not there. */
interface Elsewhere {
  readonly place: Place
  readonly list: string
  readonly command: string
  /** Why something that was there may be gone. */
  readonly because: string
}

const elsewhere: { readonly [code in ErrorCode]?: Elsewhere } = {
  SBX_TXN_UNKNOWN: {
    place: 'transactions',
    list: '/',
    command: 'tillbox sandbox status',
    because: 'a reset may have forgotten it',
  },
  SBX_WEBHOOK_NONE: {
    place: 'webhooks',
    list: '/webhooks',
    command: 'tillbox webhook list',
    because: 'a reset may have forgotten it',
  },
  SBX_REQ_NONE: {
    place: 'requests',
    list: '/requests',
    command: 'tillbox logs tail',
    because: 'only the last ones are kept, until the sandbox stops',
  },
}

/** Takes the place of the headline of a record that is gone while its page is open. */
export const gone: Parts = {
  headline:
    '<p class="done gone" role="status">It was forgotten by a reset, or the sandbox has another state; this page shows how it was.</p>',
}

/** The page of something that is not there; null for a refusal that says something else. */
export function missingView({ code, message, detail }: Refusal, origin: string): View | null {
  const known = elsewhere[code]
  if (known === undefined) return null
  const { place, list, command, because } = known
  return {
    title: 'Not found',
    place,
    live: null,
    status: 404,
    parts: () => gone,
    body: () => (
      <section class="panel">
        <h1 class="page-title">{message}</h1>
        <Empty title={`${detail ?? message}; ${because}.`} commands={[command]} origin={origin}>
          <p>
            <a href={list}>Look at the list</a>
          </p>
        </Empty>
      </section>
    ),
  }
}
