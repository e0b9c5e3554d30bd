import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { liveOutput } from '../../../src/cli/webhook/listen/live-list.ts'

/** The streams of a window, and what was written to it. */
function openStreams(size = { columns: 80, rows: 24 }) {
  const input = Object.assign(new PassThrough(), {
    raw: [] as boolean[],
    setRawMode(raw: boolean) {
      this.raw.push(raw)
    },
  })
  const output = Object.assign(new PassThrough(), size)
  let written = ''
  output.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk
  })
  return { input, output, written: () => written }
}

/** A window of injected streams, with the deliveries that were sent again. */
function openList() {
  const { input, output, written } = openStreams({ columns: 60, rows: 24 })
  const quit = vi.fn()
  const resent: string[] = []
  const list = liveOutput({ input, output }, output, quit)
  const deliver = (name: string) => {
    list.print(`${name}\n`, { text: name, resend: () => resent.push(name) })
  }
  const type = async (...keys: string[]) => {
    for (const key of keys) {
      input.write(key)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { input, list, deliver, type, quit, resent, written }
}

const [up, down] = ['\u001b[A', '\u001b[B']

test('arrows select a delivery, and r sends it again', async () => {
  const { deliver, type, resent, written } = openList()
  await type('r') // there is none yet
  for (const name of ['first', 'second', 'third']) deliver(name)
  await type('r', up, up, 'r', up, 'r', down, 'r')
  expect(resent).toEqual(['third', 'first', 'first', 'second'])
  expect(written()).not.toContain('› 3/3') // the latest stands right above
  expect(written()).toContain('r send the last again')
  expect(written()).toContain('› 1/3  first')
  expect(written()).toContain('r send again')
})

test('new deliveries leave the selection, unless the latest is selected', async () => {
  const { deliver, type, resent } = openList()
  deliver('first')
  deliver('second')
  await type(up)
  deliver('third')
  await type('r', down, down)
  deliver('fourth')
  await type('r')
  expect(resent).toEqual(['first', 'fourth'])
})

test('the selection stays when the list is full, and leaves with the oldest', async () => {
  const { deliver, type, resent } = openList()
  for (let count = 1; count < 500; count++) deliver(String(count))
  await type(up)
  for (const name of ['500', '501']) {
    deliver(name)
    await type('r')
  }
  expect(resent).toEqual(['498', '498'])
})

test('q and ctrl-c quit, and the window is given back', async () => {
  const { input, list, deliver, type, quit, written } = openList()
  await type('q', '\u0003')
  expect(quit).toHaveBeenCalledTimes(2)
  deliver('a very long line that has more columns than there are in the window of the person')
  deliver('another one')
  await type(up)
  expect(written().split('\n').at(-2)).toMatch(/› 1\/2 .{1,52}…$/)
  list.close()
  list.close()
  expect(input.raw).toEqual([true, false])
  expect(written().endsWith('\u001b[J')).toBe(true)
})
