import type { Hono } from 'hono'
import type { Call, Env } from '../guard.ts'
import type { Sandbox } from '../sandbox.ts'
import { type AddPage, answer } from './answer.ts'
import { serveCheckout } from './checkout/routes.ts'
import { serveDashboard } from './dashboard/routes.ts'
import { policy } from './policy.ts'
import { asset } from './static-files.ts'
import { serveTerminals } from './terminal/routes.ts'

/** Every page, and what they need. `host`: the address the sandbox is bound to. */
export function servePages(app: Hono<Env>, sandbox: Sandbox, host: string): void {
  const page =
    (ofLooks: boolean): AddPage =>
    (method, path, handle) =>
      app.on(method, path, policy, (call) => answer(sandbox, call, host, handle, ofLooks))
  serveCheckout(page(false), sandbox)
  serveTerminals(page(true), sandbox)
  serveDashboard(page(true), sandbox)
  app.get('/_assets/:name', policy, (call) => asset(call))
}

/** A page that says that the token is wanted. */
export async function showTokenWanted(call: Call): Promise<Response> {
  const { renderTokenWanted } = await import('./token-page.tsx')
  const shown = await policy(call, async () => {
    call.res = await call.html(renderTokenWanted(), 401)
  })
  return shown ?? call.res
}
