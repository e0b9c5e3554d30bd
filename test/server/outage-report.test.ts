import { expect, test } from 'vitest'
import type { Refusal } from '../../src/contract/errors.ts'
import { refuseStore } from '../../src/engine/gate.ts'
import { nodeRefusalOf } from '../../src/server/cluster/cluster-host.ts'
import { OutageReport } from '../../src/server/cluster/outage-report.ts'
import { DamagedLine } from '../../src/store/file/lines.ts'
import { DatabaseAway } from '../../src/store/postgres/connection/database-errors.ts'

const shown = 'postgres://db/tillbox'
const error = new DatabaseAway(shown, 'connect ECONNREFUSED')
const away = `the database ${shown} does not answer: connect ECONNREFUSED`

function openReport(elapsed?: () => number) {
  const messages: string[] = []
  return { messages, ...new OutageReport((message) => messages.push(message), elapsed) }
}

test('an outage is reported when it begins, and when it is over', () => {
  let now = 0
  const { messages, report, answered } = openReport(() => now)
  answered()
  for (let round = 0; round < 360; round += 1) {
    report(`the session of this node ended: ${away}`, error)
    report(away, error)
    now += 200
  }
  report('the space ci-1 is damaged', new Error('the space ci-1 is damaged'))
  answered()
  answered()
  report(away, error)
  expect(messages).toEqual([
    `${away}. Requests are refused with 503 until it does`,
    'the space ci-1 is damaged',
    `the database ${shown} answers again, after 1 min 12 s`,
    `${away}. Requests are refused with 503 until it does`,
  ])
})

test('any other repeated failure is reported once, and again every 30 s', () => {
  let now = 0
  const { messages, report } = openReport(() => now)
  for (; now < 65_000; now += 200) {
    report('permission denied for table spaces')
    if (now === 10_000) report('the space ci-1 is damaged')
  }
  const denied = 'permission denied for table spaces'
  expect(messages).toEqual([denied, 'the space ci-1 is damaged', denied, denied])
})

function thrownBy(work: () => unknown): Error {
  try {
    throw new Error(`nothing was thrown: ${work()}`)
  } catch (thrown) {
    return thrown as Error
  }
}

test('an outage is recognised by its error, never by the text of a message', () => {
  const { messages, report } = openReport()
  report(`a log says: ${away}`)
  for (const refusal of [nodeRefusalOf(error), thrownBy(() => refuseStore(error))])
    report(refusal.message, refusal)
  expect(messages).toEqual([`a log says: ${away}`, `${away}. Requests are refused with 503 until it does`])
})

test('a damaged row is refused with a remedy that no repetition brings about', () => {
  const damage = new DamagedLine('the journal of the space ci-1', 3, 0, 'its checksum does not match')
  for (const refusal of [nodeRefusalOf(damage), thrownBy(() => refuseStore(damage)) as Refusal])
    expect(refusal.remedy).toMatch(/^Nothing was changed\. .*from a backup/)
})
