import { describe, expect } from 'vitest'
import { parseNdjson, untilStderr } from '../../support/commands/launched.ts'
import { listening } from '../../support/commands/listening.ts'
import { test } from '../../support/commands/running-sandbox.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const sale = 'sale --amount 10.00'

/** Ids of the transactions that a receiver was told of. */
const ids = (posts: readonly { readonly body: string }[]): string[] =>
  posts.map(({ body }) => JSON.parse(body).transactionId)

test('listen that begins on an older state gets no earlier notifications', async ({ sandbox }) => {
  await sandbox.json(sale)
  const listener = await listening(sandbox, '--events', 'payment', '--json')
  const { transactionId } = await sandbox.json(sale)
  await listener.until(/"payment"/)
  expect(parseNdjson(listener.output().stdout)).toMatchObject([{ transactionId }])
})

describe('over a restart of listen', () => {
  test('missed notifications follow in order after a restart of listen, none twice', async ({ sandbox }) => {
    const target = await openReceiver()
    const listen = () => listening(sandbox, '--forward-to', target.url, '--events', 'payment')
    const one = await listen()
    const ended = await one.stop('SIGINT') // before it heard of anything
    expect(ended.code).toBe(0)
    const sales = [await sandbox.json(sale), await sandbox.json(sale)]
    const two = await listen()
    await target.got(2)
    await two.until(/approved.*\n.*approved/)
    await two.stop('SIGINT')
    sales.push(await sandbox.json(sale))
    await listen()
    sales.push(await sandbox.json(sale))
    await target.got(4)
    expect(ids(target.arrivals)).toEqual(sales.map(({ transactionId }) => transactionId))
  })

  test('listen says how many were missed, and --from-now skips them', async ({ sandbox }) => {
    const listen = (...flags: string[]) => listening(sandbox, '--json', ...flags)
    await (await listen()).stop('SIGINT')
    await sandbox.json(sale)
    const two = await listen()
    await untilStderr(
      two,
      /^Listening to \S+\n5 notifications were missed meanwhile; those that fit the filters follow\n$/,
    )
    await two.until(/TRANSACTION_ENDED/)
    await two.stop('SIGINT')
    await sandbox.json(sale)
    const three = await listen('--from-now')
    const { transactionId } = await sandbox.json(sale)
    await three.until(/TRANSACTION_ENDED/)
    expect(new Set(parseNdjson(three.output().stdout).map((each) => each.transactionId))).toEqual(
      new Set([transactionId]),
    )
    const { stderr } = await three.stop('SIGINT')
    expect(stderr).not.toContain('missed')
  })
})
