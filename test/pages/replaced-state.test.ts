import { expect, test } from 'vitest'
import { formType } from '../support/pages/session-page.ts'
import { appOf } from '../support/service/app.ts'
import { crashCopy, openService, sale, temporaryFolder } from '../support/service/service.ts'

/** A service with a hosted page that waits for its shopper. */
async function withSession(state = temporaryFolder()) {
  const service = await openService({ state })
  const { data } = await service.call('create-session', sale(1000))
  return { ...service, state, path: new URL(data.checkoutUrl).pathname }
}

/** A body of a form whose second half comes when it is let. */
function halfForm(first: string, rest: string) {
  let finish = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(first))
      finish = () => {
        controller.enqueue(new TextEncoder().encode(rest))
        controller.close()
      }
    },
  })
  return { body, finish: () => finish() }
}

test('a form whose second half arrives after a reset pays nothing, and later payments are kept', async () => {
  const { sandbox, call, control, path, state } = await withSession()
  const { body, finish } = halfForm('card=visa-', 'contactless')
  const paying = appOf(sandbox).request(`${path}/pay`, {
    method: 'POST',
    headers: { ...formType, Host: 'localhost' },
    body,
    duplex: 'half',
  } as RequestInit)
  await control('POST', 'reset')
  const ids: string[] = [(await call('sale', sale(1000))).data.transactionId]
  finish()
  expect((await paying).status).toBe(404)
  ids.push((await call('sale', sale(2000))).data.transactionId)
  const again = await openService({ state: crashCopy(state) })
  for (const service of [{ call }, again])
    for (const transactionId of ids)
      expect((await service.call('query', { transactionId })).data).toMatchObject({ transactionStatus: 'S' })
})

test('a command for a ledger of a replaced state is refused and changes nothing', async () => {
  const { sandbox, control } = await withSession()
  const { engine } = sandbox
  const [ledger] = engine.state.ledgers.values()
  if (ledger === undefined) throw new Error('there is no ledger')
  await control('POST', 'reset')
  const { terminalSn } = [...ledger.terminals.values()][0] ?? { terminalSn: '' }
  const command = { type: 'queue-outcome', terminalSn, outcome: 'approve', times: 1 } as const
  expect(() => engine.run(ledger, command)).toThrow(/could not write its state/)
  expect([...engine.state.ledgers.values()]).not.toContain(ledger)
  expect(ledger.terminals.get(terminalSn)?.queue).toEqual([])
})
