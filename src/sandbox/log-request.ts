import type { Call } from './guard.ts'
import type { Sandbox } from './sandbox.ts'

/** Enters a handled request into the request log. A path that held card data is left out. */
export function logRequest(
  { log, clock }: Sandbox,
  call: Call,
  status: number,
  code: string,
  traceId: string,
  started: number,
  notes: readonly string[],
): void {
  log.add({
    at: clock.wall(),
    method: call.req.method,
    path: code === 'SBX_CARD_DATA' ? '…' : call.req.path,
    status,
    code,
    traceId,
    durationMs: performance.now() - started,
    notes,
  })
}
