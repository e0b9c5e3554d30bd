import type { Ledger } from '../domain/ledger.ts'
import { endOfTurn } from '../http/turn.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { type Asked, type Handled, type Handler, partiesFor, type ReadName } from './asked.ts'

/** A look-up, at the ledger that the request is for. */
type Look<N extends ReadName> = (ledger: Ledger, asked: Asked<N>, sandbox: Sandbox) => object

/** Shows things as they are now, once that is durable; after a failed write it looks again. */
export function read<N extends ReadName>(look: Look<N>): Handler<N> {
  return async (sandbox, asked) => {
    const { engine } = sandbox
    await endOfTurn()
    await engine.ready()
    const show = (): Handled => {
      const { ledger, notes } = partiesFor(sandbox, asked)
      return { data: look(ledger, asked, sandbox), notes }
    }
    const shown = show()
    return !engine.unsettled || (await engine.written()) ? shown : show()
  }
}
