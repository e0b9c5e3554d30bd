import { expect, test } from 'vitest'
import { openDashboard } from '../../support/pages/dashboard.ts'
import { attributesOf, hrefsIn, linkTo, wordsOf } from '../../support/pages/page.ts'
import { newId } from '../../support/service/new-id.ts'

test('the page saves the state, and compares a snapshot with now', async () => {
  const { get, post, sell, control, read } = await openDashboard()
  const first = await sell(1000)
  const { status, headers } = await post('/snapshots', { name: ' base ' })
  expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/snapshots\?notice=/)])
  expect(linkTo((await get('/snapshots')).page, 'Delete… base')).toBe('/snapshots/base/delete')
  const second = await sell(2000)
  await control('POST', 'faults', { kind: 'lost-answer' })
  const words = await read('/snapshots?compare=base')
  expect(words).toContain('Changes from base to now')
  expect(words).toContain(`${second} $20.00 Added Sale $20.00 Approved`)
  expect(words).toMatch(/TBX-AUTO-001 .*Changed .*1 SBX-CARD Count 1 → 2, net \$10\.00 → \$30\.00/)
  expect(words).toContain('faults Changed None → f1 lost-answer (used 0)')
  expect(words).not.toContain(first)
})

test('a terminal that lost its merchant is one that changed', async () => {
  const { post, control, read } = await openDashboard()
  await post('/snapshots', { name: 'base' })
  await control('POST', 'terminals/TBX-LATE-001/unpair', {})
  const words = await read('/snapshots?compare=base')
  expect(words).toMatch(/TBX-LATE-001 Changed Paired with M\d+ → not paired/)
  expect(words).not.toMatch(/Added|Removed/)
})

test('what changed alike is folded below what changed otherwise', async () => {
  const { get, post, sellMany, call, sell } = await openDashboard()
  await sellMany(4)
  await post('/snapshots', { name: 'base' })
  await call('batch-close', { transactionRequestId: newId(), terminalSn: 'TBX-AUTO-001' })
  const added = await sell(1000)
  const { page } = await get('/snapshots?compare=base')
  const [fold] = page.querySelectorAll('details:has(table)')
  expect(wordsOf(fold as Element)).toMatch(/^4 changed: batch status open → closed Changed transactions /)
  expect(wordsOf(fold?.previousElementSibling as Element)).toMatch(`${added} $10.00 Added`)
})

test('two snapshots are compared: once one is chosen, the others lead to the comparison with it', async () => {
  const { get, post, sell, read } = await openDashboard()
  await post('/snapshots', { name: 'base' })
  const id = await sell(1000)
  await post('/snapshots', { name: 'later' })
  await sell(2000)
  const { page } = await get('/snapshots?compare=base')
  expect(hrefsIn(page)).toContain('/snapshots?compare=base&to=later#differences-title')
  const words = await read('/snapshots?compare=base&to=later')
  expect(words).toContain('Changes from base to later')
  expect(words).toContain(`${id} $10.00 Added Sale $10.00 Approved`)
  expect(words).not.toContain('$20.00')
})

test('what is not possible any more says why, within the dashboard, and leads back', async () => {
  const { url, get, post } = await openDashboard()
  await post('/snapshots', { name: 'base' })
  await post('/snapshots/base/delete')
  const late = await post('/snapshots/base/restore', {}, { Referer: `${url}/snapshots` })
  expect([late.status, late.words]).toEqual([404, expect.stringContaining('There is no snapshot base')])
  expect(late.words).toContain('Nothing was changed.')
  expect(hrefsIn(late.page)).toContain('/webhooks')
  expect(linkTo(late.page, 'Back')).toBe('/snapshots')
  const { status, words } = await get('/batches/close')
  expect([status, words]).toEqual([409, expect.stringContaining('No open batch has transactions')])
})

test('a snapshot that does not differ from now says so; one that is not there is refused', async () => {
  const { get, post, read } = await openDashboard()
  await post('/snapshots', { name: 'base' })
  expect(await read('/snapshots?compare=base')).toContain('Nothing differs')
  expect(await get('/snapshots?compare=bse')).toMatchObject({
    status: 404,
    words: expect.stringContaining('There is no snapshot bse'),
  })
})

test.each([
  ['base', 'Snapshot base exists already. Choose another name, or delete this one first.'],
  ['../x', 'Use 1 to 64 letters'],
])('the name %s is refused at its field, where it stays typed', async (name, message) => {
  const { post } = await openDashboard()
  await post('/snapshots', { name: 'base' })
  const { status, page, words } = await post('/snapshots', { name })
  expect(status).toBe(422)
  expect(attributesOf(page, 'input[autofocus]', 'value')).toEqual([name])
  expect(words).toContain(message)
})
