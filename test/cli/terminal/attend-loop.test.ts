import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { themeOf } from '../../../src/cli/output/theme.ts'
import { attend, type TerminalConnection } from '../../../src/cli/tty/attend.ts'
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

/** A window of injected streams, and somebody at it. */
function open(counter: Partial<TerminalConnection> = {}, first = view('idle'), holdTime?: number) {
  const { push, screens } = feed()
  const input = Object.assign(new PassThrough(), {
    raw: [] as boolean[],
    setRawMode(raw: boolean) {
      this.raw.push(raw)
    },
  })
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 24 })
  let written = ''
  output.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk
  })
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
    themeOf('stdout'),
    ending.signal,
    holdTime,
  )
  const shows = (text: string) => expect.poll(() => screenLines(written).join('\n')).toContain(text)
  const restored = () => {
    expect(input.raw).toEqual([true, false])
    expect(written.endsWith('\u001b[0m\u001b[?25h\u001b[?1049l')).toBe(true)
    expect(process.listeners('exit')).toHaveLength(listeners)
  }
  return { push, input, output, ending, ended, shows, restored, written: () => written }
}

const listeners = process.listeners('exit').length

test('the window asks for a new sale, and shows a refusal', async () => {
  const sales: unknown[] = []
  const sell = async (...sale: unknown[]) => {
    sales.push(sale)
    throw new Unreachable('http://127.0.0.1:1', 'connection refused')
  }
  const window = open({ sell })
  await window.shows('new sale')
  window.input.write('n12.50')
  await window.shows('12.50▏ = $12.50')
  window.input.write('\r')
  await window.shows('! ')
  expect(sales).toEqual([[1250, 'USD']])
  window.input.write('q')
  await window.ended
})

describe('the window of terminal open', () => {
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
})

test('a refusal is shown in words, and disappears with the next key', async () => {
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

test('a receipt is printed and shown', async () => {
  const print = vi.fn(async () => receiptTexts)
  const window = open({ print }, view('result'))
  await window.shows('r receipt')
  window.input.write('r')
  await window.shows('Customer copy')
  expect(print).toHaveBeenCalledExactlyOnceWith(view('result').last?.transactionId)
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
