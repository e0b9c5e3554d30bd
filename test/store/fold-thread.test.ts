import { EventEmitter } from 'node:events'
import workerThreads from 'node:worker_threads'
import { beforeEach, describe, expect, test } from 'vitest'
import { FoldThread } from '../../src/store/fold-thread.ts'
import { replaceFunctions } from '../support/runner/replaced-functions.ts'

/** Threads that were started, and what each was ordered. */
const started: FakeWorker[] = []

class FakeWorker extends EventEmitter {
  readonly orders: Order[] = []
  keepsProcess = true
  constructor() {
    super()
    started.push(this)
  }
  postMessage(order: Order): void {
    this.orders.push(order)
  }
  answer(message: object): void {
    this.emit('message', message)
  }
  ref(): void {
    this.keepsProcess = true
  }
  unref(): void {
    this.keepsProcess = false
  }
  terminate(): void {
    this.emit('exit', 1)
  }
}

interface Order {
  readonly number: number
}

/** The thread that has so many orders by now. */
async function threadWith(orders: number): Promise<FakeWorker> {
  await expect.poll(() => started.at(-1)?.orders.length).toBe(orders)
  return started.at(-1) as FakeWorker
}

describe('the thread that folds the journal', () => {
  let foldThread: FoldThread
  beforeEach(() => {
    replaceFunctions(workerThreads, () => ({ Worker: FakeWorker }))
    started.length = 0
    foldThread = new FoldThread()
  })

  test('the thread carries out one order after the other, and keeps the process alive until it is done', async () => {
    const results = [1, 2].map((number) => foldThread.run<string>({ number }))
    const thread = await threadWith(1)
    expect([foldThread.isRested, thread.keepsProcess]).toEqual([false, true])
    thread.answer({ done: 'one' })
    await threadWith(2)
    expect(thread.orders).toEqual([{ number: 1 }, { number: 2 }])
    thread.answer({ done: 'two' })
    expect(await Promise.all(results)).toEqual(['one', 'two'])
    expect([started.length, thread.keepsProcess]).toEqual([1, false])
    expect(thread.eventNames()).toEqual([])
  })

  test('the thread goes on after an order that failed', async () => {
    const failed = expect(foldThread.run({ number: 1 })).rejects.toThrow('the disk is full')
    ;(await threadWith(1)).answer({ error: new Error('the disk is full') })
    await failed
    const done = foldThread.run({ number: 2 })
    ;(await threadWith(2)).answer({ done: 2 })
    expect(await done).toBe(2)
    expect(started).toHaveLength(1)
  })

  test.each([
    ['error', new Error('out of memory'), 'out of memory'],
    ['exit', 9, 'the thread ended with 9'],
  ])('the thread is started again after its %s', async (event, value, message) => {
    const failed = expect(foldThread.run({ number: 1 })).rejects.toThrow(message)
    const next = foldThread.run({ number: 2 })
    ;(await threadWith(1)).emit(event, value)
    await failed
    await expect.poll(() => started.length).toBe(2)
    ;(await threadWith(1)).answer({ done: 2 })
    expect(await next).toBe(2)
  })
})
