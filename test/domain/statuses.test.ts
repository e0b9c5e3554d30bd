import { describe, expect, test } from 'vitest'
import { Refusal } from '../../src/contract/errors.ts'
import { isFinal, type Status } from '../../src/contract/statuses.ts'
import type { Command } from '../../src/domain/model/commands.ts'
import type { Event } from '../../src/domain/model/events.ts'
import type { Transaction } from '../../src/domain/model/transaction.ts'
import { transitions } from '../../src/domain/statuses.ts'
import { type Change, day, freeRefund, on, payment, saleOf, WatchedTill } from '../support/ledger.ts'

const statuses = Object.keys(transitions) as Status[]

/** Every way to each status: a transaction that stands there. `inLine` waits behind another. */
const scenes: Readonly<Record<string, (till: WatchedTill, open: () => Command) => Transaction>> = {
  offline: (till, open) => {
    till.set('TBX-AUTO-001', { online: false })
    return till.open(open())
  },
  inLine: (till, open) => {
    till.set('TBX-AUTO-001', { mode: 'attended' })
    till.open(open())
    return till.open(open())
  },
  attended: (till, open) => {
    till.set('TBX-AUTO-001', { mode: 'attended' })
    return till.open(open())
  },
  screens: (till, open) => {
    till.set('TBX-AUTO-001', { pace: 1000, card: 'visa-chip-pin', tipPercent: 20 })
    return till.open(open())
  },
  cancelling: (till, open) => {
    till.set('TBX-AUTO-001', { pace: 1000, cancels: true })
    return till.open(open())
  },
  lateApproval: (till, open) => {
    till.queue('TBX-AUTO-001', 'late-approval')
    return till.open(open())
  },
  hostTimeout: (till, open) => {
    till.queue('TBX-AUTO-001', 'host-timeout')
    return till.open(open())
  },
  signature: (till, open) => {
    till.set('TBX-AUTO-001', { card: 'discover-swipe' })
    till.queue('TBX-AUTO-001', 'late-approval')
    const transaction = till.open(open())
    till.set('TBX-AUTO-001', { mode: 'attended' })
    till.pass(60_000)
    return transaction
  },
  approved: (till, open) => till.open(open()),
  declined: (till, open) => {
    till.queue('TBX-AUTO-001', 'do-not-honor')
    return till.open(open())
  },
  cancelled: (till, open) => {
    till.set('TBX-AUTO-001', { cancels: true })
    return till.open(open())
  },
  expired: (till, open) => {
    till.set('TBX-AUTO-001', { online: false })
    const transaction = till.open(open())
    till.pass(day)
    till.set('TBX-AUTO-001', { online: true })
    return transaction
  },
}

const openings: Readonly<Record<string, () => Command>> = {
  sale: () => saleOf(1000),
  auth: () => payment('auth', 1000),
  'forced-auth': () => payment('forced-auth', 1000),
  refund: () => freeRefund(1000),
}

const terminalSn = 'TBX-AUTO-001'

/** Everything that can be asked of a transaction, or of the terminal it is on. */
const attempts: Readonly<Record<string, (till: WatchedTill, transaction: Transaction) => void>> = {
  sale: (till, { transactionRequestId }) => void till.do(saleOf(1000, { transactionRequestId })),
  'incremental-auth': (till, original) => void till.do(on('incremental-auth', original, { amount: 10 })),
  'post-auth': (till, original) => void till.do(on('post-auth', original, { amount: 10 })),
  refund: (till, original) => void till.do(on('refund', original, { amount: 10, pushToTerminal: false })),
  void: (till, original) => void till.do(on('void', original, { pushToTerminal: false })),
  'tip-adjust': (till, original) => void till.do(on('tip-adjust', original, { tipAmount: 10 })),
  abort: (till, original) => void till.do(on('abort', original)),
  wake: (till, { id }) => void till.do({ type: 'wake', transactionId: id }),
  'go-online': (till) => till.set(terminalSn, { online: true, mode: 'auto' }),
  'go-offline': (till) => till.set(terminalSn, { online: false }),
  'take-a-person': (till) => till.set(terminalSn, { mode: 'attended' }),
  'queue-outcome': (till) => till.queue(terminalSn, 'do-not-honor'),
}

/** Tries everything in every scene, each on a till of its own, and lets time pass until nothing is due. */
function walk(): readonly (Change & { readonly scene: string })[] {
  const changes: (Change & { scene: string })[] = []
  for (const [scene, stage] of Object.entries(scenes))
    for (const open of Object.values(openings))
      for (const attempt of Object.values(attempts)) {
        const till = new WatchedTill()
        const transaction = stage(till, open)
        try {
          attempt(till, transaction)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
        till.pass(2 * day)
        changes.push(...till.changes.map((change) => ({ ...change, scene })))
      }
  return changes
}

const changes = walk()

/** `FROM to TO` of every change that an event made; nothing where it left the status alone. */
const made = (event: Event['type']): string[] => {
  const all = changes.filter((change) => change.event === event && change.from !== change.to)
  return [...new Set(all.map(({ from, to }) => `${from} to ${to}`))].sort()
}

/** Statuses in which a transaction was when the event came. */
const metIn = (event: Event['type']): Status[] =>
  statuses.filter((status) => changes.some((change) => change.event === event && change.from === status))

describe('the scenes', () => {
  test('stand in every status', () => {
    const standing = Object.values(scenes).map((stage) => stage(new WatchedTill(), () => saleOf(1000)).status)
    expect(new Set(standing)).toEqual(new Set(statuses))
  })
})

describe('every event', () => {
  // Each line: the event, the statuses it comes in, and the changes it makes.
  test.each<[Event['type'], readonly Status[], readonly string[]]>([
    ['taken-up', ['INITIAL'], ['INITIAL to PROCESSING']],
    ['card-presented', ['PROCESSING'], []],
    ['tip-chosen', ['PROCESSING'], []],
    ['pin-entered', ['PROCESSING'], []],
    ['host-asked', ['PROCESSING'], []],
    ['approved', ['PROCESSING'], ['PROCESSING to SUCCESS']],
    ['declined', ['PROCESSING'], ['PROCESSING to FAIL']],
    ['closed', ['INITIAL', 'PROCESSING'], ['INITIAL to CLOSED', 'PROCESSING to CLOSED']],
    ['signed', ['SUCCESS'], []],
    ['abort-too-late', ['PROCESSING'], []],
    ['tip-adjusted', ['SUCCESS'], []],
    ['opened', [], []],
    ['terminal-set', [], []],
    ['outcome-queued', [], []],
  ])('States: %s comes in %j and makes %j', (event, statusesBefore, expected) => {
    expect(metIn(event)).toEqual(statusesBefore)
    expect(made(event)).toEqual(expected)
  })
})

describe('every status', () => {
  test.each(statuses)('States: %s becomes all that the table allows, and nothing else', (status) => {
    const reached = changes.filter(({ from, to }) => from === status && to !== status).map(({ to }) => to)
    expect([...new Set(reached)].sort()).toEqual([...transitions[status]].sort())
  })

  test('States: there are five of them', () => {
    expect(statuses).toEqual(['INITIAL', 'PROCESSING', 'SUCCESS', 'FAIL', 'CLOSED'])
  })

  test('States: the final ones are those without a way on', () => {
    expect(statuses.filter(isFinal)).toEqual(statuses.filter((status) => transitions[status].length === 0))
    expect(statuses.filter(isFinal)).toEqual(['SUCCESS', 'FAIL', 'CLOSED'])
  })

  test.each(['opened', 'terminal-set', 'outcome-queued'] as const)('%s leaves every status alone', (type) => {
    const till = new WatchedTill()
    const before = [till.open(saleOf(1000)), till.open(saleOf(1000, { terminalSn: 'TBX-OFFLINE-001' }))]
    const standing = before.map(({ status }) => status)
    const commands: Readonly<Record<typeof type, Command>> = {
      opened: saleOf(1000),
      'terminal-set': { type: 'set-terminal', terminalSn, changes: { pace: 1 } },
      'outcome-queued': { type: 'queue-outcome', terminalSn, outcome: 'approve', times: 1 },
    }
    expect(till.do(commands[type], { still: true }).map((event) => event.type)).toEqual([type])
    expect(before.map(({ status }) => status)).toEqual(standing)
  })
})
