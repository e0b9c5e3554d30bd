import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/errors.ts'
import { isFinal, type Status, statusChanges, statusRows } from '../../../src/contract/statuses.ts'
import { stateOf } from '../../../src/control/sessions.ts'
import type { Command } from '../../../src/domain/model/commands.ts'
import type { Event } from '../../../src/domain/model/events.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { expiring, givingUp, newSession, paying } from '../../support/domain/checkout.ts'
import {
  changesBy,
  day,
  freeRefund,
  on,
  payment,
  type StatusTransition,
  saleOf,
  WatchedTill,
} from '../../support/domain/ledger.ts'

const statuses = statusRows().map(({ status }) => status)

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
function walk(): readonly (StatusTransition & { readonly scene: string })[] {
  const changes: (StatusTransition & { scene: string })[] = []
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

/** A till that notes each change of a session's state, as the diagram draws it. */
class SessionTill extends WatchedTill {
  readonly states: string[] = []

  protected override apply(event: Event): void {
    const of = () => [...this.ledger.transactions].findLast(({ online }) => online?.sessionId != null)
    const before = of()
    const from = before === undefined ? '[*]' : stateOf(before)
    super.apply(event)
    const after = of()
    if (after !== undefined && stateOf(after) !== from) this.states.push(`${from} --> ${stateOf(after)}`)
  }
}

/** What can become of a session until its first step. */
const sessionScenes: Readonly<Record<string, (till: SessionTill, session: Transaction) => void>> = {
  fresh: () => undefined,
  triedOnce: (till, session) => void till.do(paying(session, 'visa-declined')),
  triedTwice: (till, session) => {
    for (const _ of [1, 2]) till.do(paying(session, 'visa-declined'))
  },
}

const sessionAttempts: Readonly<Record<string, (till: SessionTill, session: Transaction) => void>> = {
  pay: (till, session) => void till.do(paying(session)),
  payInVain: (till, session) => void till.do(paying(session, 'visa-declined')),
  giveUp: (till, session) => void till.do(givingUp(session)),
  expire: (till, session) => void till.do(expiring(session)),
  abort: (till, session) => void till.do(on('abort', session)),
  nothing: () => undefined,
}

/** Tries everything twice with every session, whatever its host does, and lets time pass until nothing is due. */
function walkSessions(): readonly SessionTill[] {
  const tills: SessionTill[] = []
  for (const stage of Object.values(sessionScenes))
    for (const outcome of [null, 'late-approval', 'host-timeout'])
      for (const attempt of Object.values(sessionAttempts))
        for (const next of Object.values(sessionAttempts)) {
          const till = new SessionTill()
          const session = till.open(newSession(1000, {}, outcome))
          for (const each of [stage, attempt, next])
            try {
              each(till, session)
            } catch (error) {
              if (!(error instanceof Refusal)) throw error
            }
          till.pass(2 * day)
          tills.push(till)
        }
  return tills
}

const sessionTills = walkSessions()
const changes: readonly StatusTransition[] = [...walk(), ...sessionTills.flatMap((till) => till.changes)]

/** `FROM to TO` of every change that an event made; nothing where it left the status alone. */
const made = (event: Event['type']): string[] => {
  const all = changes.filter((change) => change.event === event && change.from !== change.to)
  return [...new Set(all.map(({ from, to }) => `${from} to ${to}`))].sort()
}

/** Statuses in which a transaction was when the event came. */
const metIn = (event: Event['type']): Status[] =>
  statuses.filter((status) => changes.some((change) => change.event === event && change.from === status))

describe('the scenes', () => {
  test('the scenes cover every status', () => {
    const reached = Object.values(scenes).map((stage) => stage(new WatchedTill(), () => saleOf(1000)).status)
    expect(new Set(reached)).toEqual(new Set(statuses))
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
    ['opened', [], ['null to INITIAL']],
    ['terminal-set', [], []],
    ['outcome-queued', [], []],
  ])('api statuses: %s comes in %j and makes %j', (event, statusesBefore, expected) => {
    expect(metIn(event)).toEqual(statusesBefore)
    expect(made(event)).toEqual(expected)
  })
})

describe('every cause', () => {
  test.each(Object.keys(statusChanges))(
    'api statuses: %s makes all that the table allows, and nothing else',
    (cause) => {
      const all = changes.filter((change) => change.cause === cause && change.from !== change.to)
      expect([...new Set(all.map(({ from, to }) => `${from} to ${to}`))].sort()).toEqual(
        changesBy(cause).sort(),
      )
    },
  )
})

/** The arrows of a diagram of the reference, with the causes of each; those to the end are left out. */
function arrowsIn(name: string): Map<string, string[]> {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const [, diagram = ''] = new RegExp(`generated: ${name} -->([^]*?)<!-- end`).exec(page) ?? []
  const arrows = [...diagram.matchAll(/^ {2}(\S+ --> \w+): (.+)$/gm)]
  return new Map(arrows.map(([, arrow = '', whys = '']) => [arrow, whys.split('<br/>').sort()]))
}

describe('the diagrams of the reference', () => {
  test('the status diagram has each change that the rules make, with its cause, and no other', () => {
    const made = new Map<string, Set<string>>()
    for (const { from, to, cause } of changes) {
      if (from === to) continue
      const arrow = `${from ?? '[*]'} --> ${to}`
      const { why } = statusChanges[cause as keyof typeof statusChanges]
      made.set(arrow, (made.get(arrow) ?? new Set()).add(why))
    }
    const sorted = new Map([...made].map(([arrow, whys]) => [arrow, [...whys].sort()]))
    expect(arrowsIn('status-diagram')).toEqual(sorted)
  })

  test('the session diagram has each change that the rules make, and no other', () => {
    const made = new Set(sessionTills.flatMap(({ states }) => states))
    expect(new Set(arrowsIn('session-diagram').keys())).toEqual(made)
  })
})

describe('every status', () => {
  test.each(statuses)('api statuses: %s becomes all that the table allows, and nothing else', (status) => {
    const reached = changes.filter(({ from, to }) => from === status && to !== status).map(({ to }) => to)
    const row = statusRows().find((each) => each.status === status)
    expect([...new Set(reached)].sort()).toEqual([...(row?.next ?? [])].sort())
  })

  test('api statuses: there are five statuses', () => {
    expect(statuses).toEqual(['INITIAL', 'PROCESSING', 'SUCCESS', 'FAIL', 'CLOSED'])
  })

  test('api statuses: the final statuses are those that lead to no other', () => {
    const ends = statusRows().filter(({ next }) => next.length === 0)
    expect(statuses.filter(isFinal)).toEqual(ends.map(({ status }) => status))
    expect(statuses.filter(isFinal)).toEqual(['SUCCESS', 'FAIL', 'CLOSED'])
  })

  test.each(['opened', 'terminal-set', 'outcome-queued'] as const)(
    'the event %s changes the status of no earlier transaction',
    (type) => {
      const till = new WatchedTill()
      const before = [till.open(saleOf(1000)), till.open(saleOf(1000, { terminalSn: 'TBX-OFFLINE-001' }))]
      const statusesBefore = before.map(({ status }) => status)
      const commands: Readonly<Record<typeof type, Command>> = {
        opened: saleOf(1000),
        'terminal-set': { type: 'set-terminal', terminalSn, changes: { pace: 1 } },
        'outcome-queued': { type: 'queue-outcome', terminalSn, outcome: 'approve', times: 1 },
      }
      expect(till.do(commands[type], { still: true }).map((event) => event.type)).toEqual([type])
      expect(before.map(({ status }) => status)).toEqual(statusesBefore)
    },
  )
})
