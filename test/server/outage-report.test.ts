import { expect, test } from 'vitest'
import type { Refusal } from '../../src/contract/errors.ts'
import { refuseStore } from '../../src/sandbox/engine/gate.ts'
import { DamagedLine } from '../../src/sandbox/store/file/lines.ts'
import { DatabaseAway } from '../../src/sandbox/store/postgres/connection/database-errors.ts'
import { toNodeRefusal } from '../../src/server/cluster/cluster-host.ts'
import { outageReport } from '../../src/server/cluster/upkeep.ts'

const shown = 'postgres://db/tillbox'
const error = new DatabaseAway(shown, 'connect ECONNREFUSED')
const away = `the database ${shown} does not answer: connect ECONNREFUSED`

function openReport() {
  const [messages, time] = [[] as string[], { now: 0 }]
  const tell = (message: string) => messages.push(message)
  return { messages, time, ...outageReport(tell, () => time.now) }
}

/** As a node refuses because of an error: a request before it has a space, and one in a space. */
function refusalsFor(cause: Error): Refusal[] {
  try {
    throw new Error(`nothing was thrown: ${refuseStore(cause)}`)
  } catch (thrown) {
    return [toNodeRefusal(cause), thrown] as Refusal[]
  }
}

test('an outage is reported when it begins, and when it is over', () => {
  const { messages, time, report, answered } = openReport()
  answered()
  for (let round = 0; round < 360; round += 1) {
    report(`the session of this node ended: ${away}`, error)
    report(away, error)
    time.now += 200
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
  const { messages, time, report } = openReport()
  for (; time.now < 65_000; time.now += 200) {
    report('permission denied for table spaces')
    if (time.now === 10_000) report('the space ci-1 is damaged')
  }
  const denied = 'permission denied for table spaces'
  expect(messages).toEqual([denied, 'the space ci-1 is damaged', denied, denied])
})

test('an outage is recognised by its error, never by the text of a message', () => {
  const { messages, report } = openReport()
  report(`a log says: ${away}`)
  for (const refusal of refusalsFor(error)) report(refusal.message, refusal)
  expect(messages).toEqual([`a log says: ${away}`, `${away}. Requests are refused with 503 until it does`])
})

test('a damaged row is refused with a remedy that no repetition brings about', () => {
  const damage = new DamagedLine('the journal of the space ci-1', 3, 0, 'its checksum does not match')
  for (const { remedy } of refusalsFor(damage))
    expect(remedy).toMatch(/^Nothing was changed\. .*from a backup/)
})
