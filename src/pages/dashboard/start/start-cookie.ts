import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Call } from '../../../http/call.ts'
import type { Done } from '../../frame/notices.ts'

/** Says to this browser that its home page shows no first steps. It holds for every sandbox of the host. */
const cookie = 'tillbox_start'

/** A year, in seconds: longer than the browser needs to remember that one has begun. */
const keptFor = 31_536_000

/** True for a browser that hid the first steps. */
export const hidesStart = (call: Call): boolean => getCookie(call, cookie) === 'hidden'

/** Hides the first steps on the home page of this browser. */
export function hideStart(call: Call): Done {
  setCookie(call, cookie, 'hidden', { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: keptFor })
  return {
    to: '/',
    notice: { text: 'The first steps stay at /start.', undo: { path: '/start/show', fields: {} } },
  }
}

/** Shows them again. */
export function showStart(call: Call): Done {
  deleteCookie(call, cookie, { path: '/' })
  return { to: '/', notice: { text: 'The home page shows the first steps of an empty sandbox.' } }
}
