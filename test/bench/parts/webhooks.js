// How fast notifications leave, beside the sales that cause them.
import { runLoad, startReceiver, startSandbox } from '../processes.js'
import { compare, median } from '../report.js'

export async function webhooks({ report, rounds, sent, newFolder }) {
  const [sold, told] = [[], []]
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    const receiver = await startReceiver()
    const server = await startSandbox({ state: newFolder(), notifyUrl: receiver.url })
    const started = performance.now()
    const { rate } = await runLoad(server, 'sale', { amount: sent })
    while ((await receiver.count()) < sent) await new Promise((resolve) => setTimeout(resolve, 20))
    sold.push(rate)
    told.push((sent * 1_000) / (performance.now() - started))
    await server.stop()
    await receiver.stop()
  }
  report.add({
    what: `${sent} webhooks received ÷ sales that cause them, by rate`,
    value: `${Math.round(median(told))}/s; ${Math.round(median(sold))}/s`,
    ...compare(told, sold),
  })
}
