import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { theme } from '../../../src/cli/output/theme.ts'
import { attend, type TerminalConnection } from '../../../src/cli/tty/attend.ts'
import { liveOutput } from '../../../src/cli/webhook/listen/live-list.ts'
import { ServiceRefusal } from '../../../src/client/client.ts'
import { Unreachable } from '../../../src/client/http.ts'
import type { ScreenView } from '../../../src/contract/sandbox/screens.ts'
import { screenLines } from '../../support/commands/terminal-text.ts'
import { everyScreen, receiptTexts } from '../../support/service/screens.ts'

const views = await everyScreen()
const view = (name: string) => views[name] as ScreenView

/** A stream of screens that the test feeds. */
function feed() {
  const waiting: (() => void)[] = []
  const queue: (ScreenView | Error | null)[] = []
  const push = (each: ScreenView | Error | null) => {
    queue.push(each)
    waiting.shift()?.()
  }
  async function* screens(signal: AbortSignal): AsyncGenerator<ScreenView> {
    signal.addEventListener('abort', () => push(null), { once: true })
    for (;;) {
      if (queue.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      const next = queue.shift()
      if (next instanceof Error) throw next
      if (next == null) return
      yield next
    }
  }
  return { push, screens }
}

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

/** A window of injected streams, and somebody at it. */
function open(counter: Partial<TerminalConnection> = {}, first = view('idle'), holdTime?: number) {
  const { push, screens } = feed()
  const { input, output, written } = openStreams()
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const silent = {
    outcomes: [],
    act: async () => ({}),
    sell: async () => ({}),
    print: async () => receiptTexts,
  }
  const ended = attend(
    { screens, ...silent, ...counter },
    first,
    { input, output },
    theme,
    ending.signal,
    holdTime,
  )
  const shows = (text: string) => expect.poll(() => screenLines(written()).join('\n')).toContain(text)
  const restored = () => {
    expect(input.raw).toEqual([true, false])
    expect(written().endsWith('\u001b[0m\u001b[?25h\u001b[?1049l')).toBe(true)
    expect(process.listeners('exit')).toHaveLength(listeners)
  }
  return { push, input, output, ending, ended, shows, restored, written }
}

const listeners = process.listeners('exit').length

test('the window is given back when the person quits or is gone, or an end is requested', async () => {
  for (const end of [
    ({ input }: ReturnType<typeof open>) => input.write('q'),
    ({ input }: ReturnType<typeof open>) => input.write('\u0003'),
    ({ input }: ReturnType<typeof open>) => input.end(),
    ({ ending }: ReturnType<typeof open>) => ending.abort(),
  ]) {
    const window = open()
    await window.shows('Ready')
    end(window)
    await window.ended
    window.restored()
  }
})

test('the window is given back when an unexpected error occurs, and the error is shown', async () => {
  const act = async () => {
    throw new TypeError('a mistake of ours')
  }
  const window = open({ act })
  await window.shows('Ready')
  window.input.write('o')
  await expect(window.ended).rejects.toThrow('a mistake of ours')
  window.restored()
  const other = open()
  other.push(new TypeError('another mistake'))
  await expect(other.ended).rejects.toThrow('another mistake')
  other.restored()
})

test('a refusal is shown in words, and disappears with the next key; the window asks for a new sale', async () => {
  const envelope = { code: 'SBX_TERM_SCREEN', msg: 'no', traceId: 't', detail: 'it shows tip' }
  const act = vi.fn(async () => {
    throw new ServiceRefusal(200, envelope)
  })
  const window = open({ act }, view('present-card'))
  await window.shows('$10.00')
  window.input.write('t')
  await window.shows('! it shows tip')
  expect(act).toHaveBeenCalledExactlyOnceWith('present-card', {
    card: 'visa-contactless',
    entry: 'tap',
    transactionId: view('present-card').transaction?.transactionId,
  })
  window.input.write('x')
  await expect.poll(() => screenLines(window.written()).join()).not.toContain('it shows tip')
  const sales: unknown[] = []
  const sell = async (...sale: unknown[]) => {
    sales.push(sale)
    throw new Unreachable('http://127.0.0.1:1', 'connection refused')
  }
  const selling = open({ sell })
  await selling.shows('new sale')
  selling.input.write('n12.50')
  await selling.shows('12.50▏ = $12.50')
  selling.input.write('\r')
  await selling.shows('! ')
  expect(sales).toEqual([[1250, 'USD']])
  selling.input.write('q')
  await selling.ended
})

test('after a moment keys act on the next payment', async () => {
  const act = vi.fn(async () => ({}))
  const window = open({ act }, view('insert-card'), 1)
  window.push(view('next'))
  await window.shows('before: ■ 300.00 USD')
  await window.shows('t tap')
  window.input.write('t')
  await expect.poll(() => act).toHaveBeenCalledOnce()
  expect(act.mock.calls).toMatchObject([
    ['present-card', { transactionId: view('next').transaction?.transactionId }],
  ])
})

test('the window waits for a sandbox that is gone, and then shows the current state', async () => {
  const window = open()
  window.push(new Unreachable('http://127.0.0.1:1', 'nothing listens there', true))
  await window.shows('The sandbox is gone')
  window.push(view('tip'))
  await window.shows('Add a tip?')
  expect(screenLines(window.written()).join()).not.toContain('The sandbox is gone')
})

test('a resized window is redrawn completely', async () => {
  const window = open({}, view('pin'))
  await window.shows('Enter PIN')
  Object.assign(window.output, { columns: 40, rows: 20 }).emit('resize')
  await expect.poll(() => screenLines(window.written())).toHaveLength(20)
  expect(screenLines(window.written()).every((line) => line.length <= 40)).toBe(true)
})

test('a receipt that arrives late is not drawn over a screen that waits for a person', async () => {
  let hand: (printed: typeof receiptTexts) => void = () => undefined
  const print = vi.fn(() => new Promise<typeof receiptTexts>((resolve) => (hand = resolve)))
  const window = open({ print }, view('idle'))
  await window.shows('Ready')
  window.push(view('result'))
  await window.shows('r receipt')
  window.input.write('r')
  await expect.poll(() => print).toHaveBeenCalled()
  window.push(view('present-card'))
  await window.shows('Cards')
  hand(receiptTexts)
  await Promise.resolve()
  window.push(view('tip'))
  await window.shows('Add a tip?')
  expect(window.written()).not.toContain('Customer copy')
})

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
