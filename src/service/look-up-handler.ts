import type { HandlerResult } from '../answering/answer.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import {
  type OperationHandler,
  partiesOfRequest,
  type ReadName,
  type RequestContext,
} from './request-context.ts'
import type { ServiceContext } from './service-context.ts'

/** Reads the data of an answer from the ledger of the request. */
type LookUp<N extends ReadName> = (
  ledger: Ledger,
  request: RequestContext<N>,
  context: ServiceContext,
) => object

/** Handles a look-up: answers with the current state once that is durable; after a failed write it reads again. */
export function read<N extends ReadName>(look: LookUp<N>): OperationHandler<N> {
  return async (context, request) => {
    const { engine } = context
    if (engine.isReloading) await engine.ready()
    const show = (): HandlerResult => {
      const { ledger, notes } = partiesOfRequest(context, request)
      return { data: look(ledger, request, context), notes }
    }
    const shown = show()
    return !engine.unsettled || (await engine.written()) ? shown : show()
  }
}
