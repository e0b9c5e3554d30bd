import { expect, test } from 'vitest'
import { OutageReport } from '../../src/server/cluster/outage-report.ts'

const away = 'the database postgres://db/tillbox does not answer: connect ECONNREFUSED'

test('an outage is one line when it begins, one every 30 s, and one when it is over', () => {
  const told: string[] = []
  let now = 0
  const { report, answered } = new OutageReport(
    (message) => told.push(message),
    'postgres://db/tillbox',
    () => now,
  )
  answered()
  for (let round = 0; round < 360; round += 1) {
    report(`the leases of this node could not be renewed: ${away}`)
    report(away)
    now += 200
  }
  report('the space ci-1 is damaged')
  answered()
  answered()
  report(away)
  expect(told).toEqual([
    `${away}. Requests are refused with 503 until it does`,
    `${away}. It has not for 30 s`,
    `${away}. It has not for 1 min`,
    'the space ci-1 is damaged',
    'the database postgres://db/tillbox answers again, after 1 min 12 s',
    `${away}. Requests are refused with 503 until it does`,
  ])
})
