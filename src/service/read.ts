import type { Ledger } from '../domain/ledger.ts'
import { endOfTurn } from '../http/turn.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import {
  type Handler,
  type HandlerResult,
  partiesFor,
  type ReadName,
  type RequestContext,
} from './request-context.ts'

/** A look-up, at the ledger that the request is for. */
type Look<N extends ReadName> = (ledger: Ledger, context: RequestContext<N>, sandbox: Sandbox) => object

/** Shows things as they are now, once that is durable; after a failed write it looks again. */
export function read<N extends ReadName>(look: Look<N>): Handler<N> {
  return async (sandbox, context) => {
    const { engine } = sandbox
    await endOfTurn()
    await engine.ready()
    const show = (): HandlerResult => {
      const { ledger, notes } = partiesFor(sandbox, context)
      return { data: look(ledger, context, sandbox), notes }
    }
    const shown = show()
    return !engine.unsettled || (await engine.written()) ? shown : show()
  }
}
