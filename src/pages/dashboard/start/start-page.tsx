import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { basePathOf, type Call } from '../../../http/call.ts'
import { PostButton } from '../../components/actions.tsx'
import { html, type MakePage, type NoticeRedirect } from '../../frame/page-view.tsx'
import { startPanel } from './start-panel.tsx'

/** The first steps on a page of their own, done or not. */
export const startPage: MakePage = (context, { baseUrl, isStartHidden }) => ({
  title: 'First steps',
  section: 'transactions',
  live: {
    path: `/start/live${isStartHidden ? '?start=off' : ''}`,
    topics: ['transactions', 'webhooks', 'terminals'],
  },
  fragments: () => ({
    start: html(
      startPanel(
        context,
        baseUrl,
        isStartHidden && <PostButton action="/start/show">Show on the home page</PostButton>,
      ),
    ),
  }),
  body: (slot) => (
    <>
      <h1 class="visually-hidden">First steps</h1>
      {slot('start')}
    </>
  ),
})

/** Says to this browser that the home page shows no first steps: one for every sandbox of the host, and one for each space. */
const cookieOf = (call: Call): string => `tillbox_start${basePathOf(call).replaceAll('/', '_')}`

const pathOf = (call: Call): string => basePathOf(call) || '/'

/** A year, in seconds: longer than the browser needs to remember that one has begun. */
const maxAgeSeconds = 31_536_000

/** True for a browser that hid the first steps. */
export const hidesStart = (call: Call): boolean => getCookie(call, cookieOf(call)) === 'hidden'

/** Hides the first steps on the home page of this browser. */
export function hideStart(call: Call): NoticeRedirect {
  const attributes = { path: pathOf(call), maxAge: maxAgeSeconds }
  setCookie(call, cookieOf(call), 'hidden', { httpOnly: true, sameSite: 'Strict', ...attributes })
  return {
    to: '/',
    notice: { text: 'The first steps stay at /start.', undo: { path: '/start/show', fields: {} } },
  }
}

/** Shows them again. */
export function showStart(call: Call): NoticeRedirect {
  deleteCookie(call, cookieOf(call), { path: pathOf(call) })
  return { to: '/', notice: { text: 'The home page shows the first steps of an empty sandbox.' } }
}
