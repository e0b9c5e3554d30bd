import fc from 'fast-check'
import { newId } from '../service/new-id.ts'
import { type openService, sale, type WallClock } from '../service/service.ts'

const terminals = ['TBX-AUTO-001', 'TBX-TIP20-001', 'TBX-CANCEL-001', 'TBX-LATE-001', 'TBX-OFFLINE-001']

/** Something that a client or the clock does. */
export const randomAct = fc.record({
  what: fc.constantFrom('sale', 'sale', 'auth', 'refund', 'void', 'post', 'tip', 'close', 'wait', 'other'),
  amount: fc.constantFrom(1000, 2500, 9734, 9823, 7629),
  terminal: fc.constantFrom(...terminals),
  currency: fc.constantFrom('USD', 'EUR'),
  which: fc.nat(),
})

type RandomAct = typeof randomAct extends fc.Arbitrary<infer T> ? T : never

/** Does it; a transaction that it makes joins the ids, of which a later one may be the original. */
export async function performAct(
  service: Awaited<ReturnType<typeof openService>>,
  clock: WallClock,
  ids: string[],
  { what, amount, terminal, currency, which }: RandomAct,
): Promise<void> {
  const { call } = service
  clock.pass(1 + (which % 40_000))
  const paid = { priceCurrency: currency, terminalSn: terminal }
  const original = {
    originalTransactionId: ids[which % Math.max(1, ids.length)] ?? '0',
    transactionRequestId: newId(),
    pushToTerminal: false,
  }
  const made = await {
    sale: () => call('sale', sale(amount, paid)),
    auth: () => call('auth', sale(amount, paid)),
    refund: () => call('refund', { ...original, amount: amount / 2 }),
    void: () => call('void', original),
    post: () => call('post-auth', { ...original, amount }),
    tip: () => call('tip-adjust', { originalTransactionId: original.originalTransactionId, tipAmount: 50 }),
    close: () => call('batch-close', { transactionRequestId: newId(), terminalSn: terminal }),
    wait: () => service.control('POST', 'clock', { action: 'advance', milliseconds: 61_000 }),
    other: () => call('sale', sale(amount, { merchantId: 'M-other-1', ...paid })),
  }[what]()
  if (made.data?.transactionId !== undefined) ids.push(made.data.transactionId)
}
