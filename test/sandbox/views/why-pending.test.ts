import { expect, test } from 'vitest'
import { type PendingContext, whyPending } from '../../../src/sandbox/views/why-pending.ts'
import type { LedgerDelivery } from '../../../src/sandbox/webhooks/deliveries.ts'

const context = {
  courier: { isHeld: () => false },
  followers: { isReachable: () => false },
} as unknown as PendingContext

test.each([
  ['http://127.0.0.1:3000/hook', 'tillbox listen http://127.0.0.1:3000/hook'],
  ['http://127.0.0.1:3000/hook?a=1&b=$(id)', "tillbox listen 'http://127.0.0.1:3000/hook?a=1&b=$(id)'"],
  ['http://127.0.0.1:3000/hook?key=secret', null],
])('the command for a listener of %s is one that a shell can run, or none', (url, command) => {
  const waiting = { delivery: { nextAt: 1, url } } as unknown as LedgerDelivery
  expect(whyPending(context, waiting)?.command).toBe(command)
})
