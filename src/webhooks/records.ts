import type { Engine } from '../engine/engine.ts'
import type { Records } from './courier.ts'

/** What the courier does to the state goes through the engine; a ledger is looked up anew, as it may be replaced. */
export const recordsOf = (engine: Engine, report: (error: Error) => void): Records => ({
  merchants: () => engine.state.ledgers.values(),
  ledgerOf: (merchantId) => engine.state.ledgers.get(merchantId),
  durable: () => engine.written(),
  record: async ({ settings: { merchantId } }, number, result) => {
    await engine.ready()
    const ledger = engine.state.ledgers.get(merchantId)
    const command = { type: 'record-attempt', number, ...result } as const
    if (ledger !== undefined) engine.run(ledger, command, undefined, () => ({})).catch(report)
  },
})
