import { request } from 'node:http'
import { expect } from 'vitest'
import { clean, cleaned, cleanLines } from '../../../src/cli/output/clean.ts'
import { renderRepeated } from '../../../src/cli/output/render-requests.ts'
import { renderReport } from '../../../src/cli/output/request-line.ts'
import { renderStep } from '../../../src/cli/scenario/triggers.ts'
import { renderScreen } from '../../../src/cli/terminal/render-terminal.ts'
import { renderListened, renderPayload } from '../../../src/cli/webhook/listen/render-listen.ts'
import * as webhooks from '../../../src/cli/webhook/render-webhooks.ts'
import { readLock } from '../../../src/client/sandbox-lock.ts'
import type { DeliveryView } from '../../../src/contract/control/webhooks.ts'
import { openTerminal } from '../../support/commands/command.ts'
import { test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { controlCharacter } from '../../support/commands/terminal-text.ts'
import { openService } from '../../support/service/service.ts'
import { failedDelivery } from '../true-answers.ts'

/** Sets the title, clears the window with one character, turns the direction, and begins a line of its own. */
const attack = '\u001b]0;TITLE\u0007\u009b2J\u007f\u202e\u2028\r'

/** The same with the attack at the end of every text, but where a text is a choice of ours. */
function attacked<T>(value: T, ...ours: readonly string[]): T {
  const walk = (each: unknown, name = ''): unknown => {
    if (typeof each === 'string') return ours.includes(name) ? each : each + attack
    if (Array.isArray(each)) return each.map((item) => walk(item))
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, walk(item, key)]))
  }
  return walk(value) as T
}

const verdict = { valid: false, why: 'no', remedy: 'do' }
const delivery: DeliveryView = { ...failedDelivery, nextAt: '2026-11-20T12:38:29Z' }
const line = {
  at: 0,
  method: 'GET',
  path: '/x',
  status: 404,
  code: 'C',
  durationMs: 1,
  notes: ['note'],
  fault: 'empty',
  times: 3,
  lastAt: 0,
}
const request1 = {
  ...{ ...line, operation: null, traceId: 't', transactionId: '1' },
  refusal: {
    message: 'm',
    field: 'f',
    detail: 'd',
    remedy: 'r',
    others: [{ message: 'm', field: 'f', detail: 'd', remedy: 'r' }],
  },
}
const notification = { ...delivery, terminalSn: 'T', headers: {}, body: '{}' }
const step = { step: 'sale', answer: { transactionId: '1' } }
/** What hostile-server.test.ts does not show: it runs every command that asks a server. */

const sent = { to: attack, attempt: 2, status: null, durationMs: 1, error: attack, fault: attack, retryMs: 0 }
const received = { path: '/x', headers: { 'webhook-id': '1' }, body: 'one', status: 200, verdict }

test.each(
  Object.entries({
    'a report': renderReport(`one\ntwo${attack}`),
    'a request that came again': renderRepeated(attacked(request1, 'code'), 120),
    'what was heard': renderListened(attacked(notification), sent),
    'its payload': renderPayload({ ...notification, body: JSON.stringify({ a: attack, [attack]: 1 }) }),
    'a payload that is not JSON': renderPayload({ ...notification, body: attack }),
    'what was received': webhooks.renderReceived(attacked(received)),
    'a verdict': webhooks.renderSignatureVerdict(attacked(verdict)),
    'a step': renderStep(attacked(step, 'step')),
  }),
)('the text of %s is shown without control characters', (_, text) => {
  expect(text).not.toMatch(controlCharacter)
  expect(text).toMatch(/[\u2400-\u2421\ufffd]/)
})

test('nothing that a sandbox answers controls the window of a terminal', async () => {
  const { control } = await openService()
  const { data } = await control('GET', 'terminals/TBX-ATTENDED-001/screen')
  const screen = { ...attacked(data, 'status', 'state', 'kind'), acts: [], screen: 'idle' as const }
  const text = renderScreen(screen)
  expect(text).not.toMatch(controlCharacter)
  expect(text).toContain('\u241b]0')
})

test('the cleaner shows each control character as one, keeps those that join others, and cleans every text and name in an answer', () => {
  expect(clean(`é茶 a\tb\nc${attack}`)).toBe('é茶 a b c\u241b]0;TITLE\u2407\ufffd2J\u2421\ufffd\ufffd\u240d')
  expect(cleanLines('{\r\n\t"a": "\u001b"\n}')).toBe('{\n\t"a": "\u241b"\n}')
  for (const text of ['👨\u200d👩\u200d👧', 'می\u200cخواهم', '❤\ufe0f']) expect(clean(text)).toBe(text)
  const before = { a: ['\u0007', 1, null, { 'b\u0007': true }] }
  expect(cleaned(before)).toEqual({ a: ['\u2407', 1, null, { 'b\u2407': true }] })
  expect(before.a[0]).toBe('\u0007')
})

const path = '/x%1b]0;TITLE%07%c2%9b2J%0d'

/** Asks as a page of any site can. */
const ask = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, (answer) => answer.resume().on('end', resolve))
    outgoing.on('error', reject).end()
  })

test('the window of a sandbox shows a path with control characters, and obeys none', async () => {
  const cwd = scratchFolder()
  const window = openTerminal(`sandbox start --port 0 --state ${cwd}`, { cwd })
  const shows = (pattern: RegExp) => expect.poll(window.written).toMatch(pattern)
  await shows(/Ctrl-C stops it/)
  await ask((readLock(cwd)?.baseUrl ?? '') + path)
  await shows(/TITLE/)
  expect(window.written()).toContain('/x\u241b]0;TITLE\u2407\ufffd2J\u240d')
  for (const sequence of ['\u001b]', '\u009b', '\u0007']) expect(window.written()).not.toContain(sequence)
})
