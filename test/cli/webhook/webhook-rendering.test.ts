import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noteCommandLine } from '../../../src/cli/hints/same-sandbox.ts'
import { renderListened } from '../../../src/cli/webhook/listen/render-listen.ts'
import { parseStatusLetters, parseType } from '../../../src/cli/webhook/notification-filter.ts'
import { renderDeliveries, renderWebhook } from '../../../src/cli/webhook/render-deliveries.ts'
import { renderOrder, renderResent } from '../../../src/cli/webhook/render-webhooks.ts'
import type { StreamedNotification } from '../../../src/contract/control/webhook-stream.ts'
import type { DeliveryView, WebhookStory } from '../../../src/contract/control/webhooks.ts'
import { notificationInWords } from '../../../src/contract/presentation/words.ts'
import { failedDelivery } from '../true-answers.ts'

const attempt = {
  ...{ at: '2026-11-21T16:12:52.000Z', url: 'http://127.0.0.1:3000/hook', durationMs: 3, fault: null },
  ...{ status: 500, error: null, requestHeaders: { 'X-Timestamp': '1' }, responseHeaders: {} },
  ...{ requestBody: '{"transactionId":"1"}', responseBody: 'busy' },
}

const shown = (...tries: object[]) => {
  const story = { deliveries: [{ ...delivery, tries }] } as unknown as WebhookStory
  return stripVTControlCharacters(renderWebhook(story))
}

test('a notification has a table of its attempts, and each in full', () => {
  const text = shown(attempt, { ...attempt, status: 200, responseBody: '' })
  expect(text.match(/^ {2}\d {4}2026/gm)).toHaveLength(2)
  expect(text.match(/^attempt \d/gm)).toEqual(['attempt 1', 'attempt 2'])
})

const delivery: DeliveryView = {
  ...{ ...failedDelivery, id: '9bd81f17-e7fd-8000-8006-60b2cc789660', transactionId: '1795159696581000' },
  ...{ url: 'http://127.0.0.1:3000/webhooks/hook', createdAt: '2026-11-21T16:12:52.000Z' },
  ...{ last: 'nothing listens there', fault: null },
}

describe('in a window of 80 columns', () => {
  const before = Object.getOwnPropertyDescriptor(process.stdout, 'columns')
  beforeEach(() => {
    Object.defineProperty(process.stdout, 'columns', { value: 80, configurable: true })
  })
  afterEach(() => {
    if (before === undefined) Reflect.deleteProperty(process.stdout, 'columns')
    else Object.defineProperty(process.stdout, 'columns', before)
  })

  test('every sentence fits 80 columns', () => {
    const order = { retries: [], concurrency: 3 }
    for (const [text, sentence] of [
      [renderDeliveries({ deliveries: [] }, false), 'or pass --notify-url to a payment'],
      [renderDeliveries({ deliveries: [] }, true), 'No webhook matches the filters'],
      [renderOrder({ ...order, order: 'strict' }), 'strict To each URL one after another;'],
      [renderOrder({ ...order, order: 'concurrent' }), 'at most 3 at the same time, in any order.'],
      [renderResent({ resent: ['a'] }), '1 delivery is resent'],
    ] as const) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain(sentence)
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    }
  })

  const made = { to: delivery.url, attempt: 1, status: 500, error: null, durationMs: 7, retryMs: 5_000 }

  test.each([40, 80, 100, 120, 200])('a line of listen fits a window of %d columns', (columns) => {
    Object.defineProperty(process.stdout, 'columns', { value: columns, configurable: true })
    const { transactionId, id } = delivery
    const streamed = { ...delivery, headers: {}, body: '{}' } as unknown as StreamedNotification
    const line = stripVTControlCharacters(renderListened(streamed, { ...made, fault: 'duplicate, delay' }))
    const [first = '', ...below] = line.trimEnd().split('\n')
    expect(first).toMatch(/^↻ [\d:]{8}Z sale approved/)
    expect(below).toEqual([])
    expect(first.length).toBeLessThanOrEqual(columns)
    const last = { ...made, retryMs: null, fault: null }
    const givenUp = stripVTControlCharacters(renderListened(streamed, last)).split('\n')
    expect(givenUp[1]).toBe(`  ${transactionId}  tillbox webhook resend ${id}`)
    expect(stripVTControlCharacters(renderListened(streamed, { ...last, status: 200 }))).not.toContain(id)
  })

  test('what is given up is resent in the sandbox that was typed', () => {
    Object.defineProperty(process.stdout, 'columns', { value: 80, configurable: true })
    const streamed = { ...delivery, headers: {}, body: '{}' } as unknown as StreamedNotification
    const resend = { flags: { state: {} } } as never
    noteCommandLine(['listen', '--state', 'shop'], {
      commandIDs: ['webhook:resend'],
      findCommand: () => resend,
    })
    const shown = renderListened(streamed, { ...made, retryMs: null, fault: null })
    noteCommandLine([], { commandIDs: [], findCommand: () => resend })
    expect(stripVTControlCharacters(shown)).toContain(`tillbox webhook resend ${delivery.id} --state shop\n`)
  })

  test('the next try has its date when it is on another day than the notification', () => {
    Object.defineProperty(process.stdout, 'columns', { value: 160, configurable: true })
    const shown = (nextAt: string) => {
      const pending: DeliveryView = { ...delivery, state: 'pending', attempts: 1, last: 500, nextAt }
      return stripVTControlCharacters(renderDeliveries({ deliveries: [pending] }, false))
    }
    expect(delivery.createdAt).toMatch(/^2026-11-21T/)
    expect(shown('2026-11-21T23:59:59.000Z')).toMatch(/500, next 23:59/)
    expect(shown('2027-01-20T00:10:00.000Z')).toMatch(/500, next 01-20 00:10/)
  })

  test('date, endpoint and the id that the next command needs are shown; the amount yields', () => {
    const text = stripVTControlCharacters(renderDeliveries({ deliveries: [delivery] }, false))
    expect(text).toContain('1795159696581000')
    expect(text).toMatch(/ 11-21 16:12 {2}sale approved {2}nothing +:3000\/w…/)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})

test('a status is shown in plain words, and filtered by these or by those of the wire', () => {
  const notification = { event: null, transactionType: 'SALE', amount: 1000, currency: 'USD' } as const
  const inWords = { I: 'pending', P: 'pending', S: 'approved', F: 'declined', C: 'closed' } as const
  for (const [letter, word] of Object.entries(inWords)) {
    const transactionStatus = letter as keyof typeof inWords
    expect(notificationInWords({ ...notification, transactionStatus })).toBe(`sale ${word} 10.00 USD`)
  }
  for (const [text, letters] of [
    ['approved', 'S'],
    ['SUCCESS', 'S'],
    ['s', 'S'],
    ['pending', 'IP'],
    ['INITIAL', 'I'],
    ['approved,F', 'SF'],
  ] as const)
    expect([text, parseStatusLetters(text).join('')]).toEqual([text, letters])
  expect(() => parseStatusLetters('aproved')).toThrow('aproved')
})

test('a type is named as commands are, as people say it, or as on the wire', () => {
  for (const text of ['post-auth', 'capture', 'POST_AUTH', ' Post-Auth '])
    expect([text, parseType(text)]).toEqual([text, 'POST_AUTH'])
  expect(() => parseType('sail')).toThrow('There is no type sail')
})
