import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visibleEventSource } from '../../src/pages/browser/visible-event-source.ts'

/** An event source that the test opens and breaks. */
class Fake {
  static readonly CONNECTING = 0
  static readonly CLOSED = 2
  static readonly all: Fake[] = []
  readyState = 0
  onopen: ((event: Event) => void) | null = null
  onerror: ((event: Event) => void) | null = null
  readonly listeners: string[] = []
  constructor(readonly url: string) {
    Fake.all.push(this)
  }
  addEventListener(name: string) {
    this.listeners.push(name)
  }
  removeEventListener() {}
  close() {
    this.readyState = Fake.CLOSED
  }
  /** Refused, as by a record that is gone; or only interrupted. */
  fail(readyState: number) {
    this.readyState = readyState
    this.onerror?.(new Event('error'))
  }
}

/** A window that is hidden and seen. */
function pageOf() {
  const page = Object.assign(new EventTarget(), { hidden: false })
  const show = (hidden: boolean) => {
    page.hidden = hidden
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { page: page as unknown as Document, hide: () => show(true), see: () => show(false) }
}

beforeEach(() => {
  Fake.all.length = 0
  vi.stubGlobal('EventSource', Fake)
  return () => vi.unstubAllGlobals()
})

describe('an event source of a window', () => {
  test('the stream is open while the window is visible, with its listeners', () => {
    const { page, hide, see } = pageOf()
    const source = visibleEventSource('/live', page)
    source.addEventListener('part', () => undefined)
    hide()
    expect(Fake.all.map(({ readyState }) => readyState)).toEqual([Fake.CLOSED])
    see()
    expect(Fake.all).toHaveLength(2)
    expect(Fake.all[1]?.listeners).toEqual(['part'])
  })

  test('a refused stream stays closed, however often the window is shown again', () => {
    const { page, hide, see } = pageOf()
    const source = visibleEventSource('/live', page)
    source.onerror = vi.fn()
    Fake.all[0]?.fail(Fake.CLOSED)
    expect(source.onerror).toHaveBeenCalledOnce()
    expect(source.readyState).toBe(Fake.CLOSED)
    hide()
    see()
    expect(Fake.all).toHaveLength(1)
  })

  test('an interrupted stream goes on by itself, and is opened again when the window is shown', () => {
    const { page, hide, see } = pageOf()
    visibleEventSource('/live', page)
    Fake.all[0]?.fail(Fake.CONNECTING)
    hide()
    see()
    expect(Fake.all).toHaveLength(2)
  })

  test('a closed stream stays closed', () => {
    const { page, hide, see } = pageOf()
    visibleEventSource('/live', page).close()
    hide()
    see()
    expect(Fake.all.map(({ readyState }) => readyState)).toEqual([Fake.CLOSED])
  })
})
