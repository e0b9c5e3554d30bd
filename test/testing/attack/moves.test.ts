import { describe, expect, test } from 'vitest'
import {
  canBeBoth,
  type Move,
  movesFor,
  movesInRecovery,
  withMoves,
  withoutAPart,
} from '../../../src/testing/attack/moves.ts'
import type { Observed } from '../../../src/testing/attack/observe.ts'
import type { Step } from '../../../src/testing/scenario/file/read-scenario.ts'

const step = (action: string, value: unknown, more: Partial<Step> = {}): Step => ({
  action,
  value,
  path: ['steps', 0],
  ...more,
})

const observed = (given: Step, more: Partial<Observed> = {}): Observed => ({
  step: given,
  at: 0,
  requests: [],
  webhooks: [],
  opened: [],
  payments: [],
  ...more,
})

const sells = observed(step('server request', 'POST /orders'), {
  requests: [{ operation: 'sale' }, { operation: 'query' }] as unknown as Observed['requests'],
  opened: [{ terminalSn: 'TBX-AUTO-001' }] as unknown as Observed['opened'],
})
const server = { start: 'node shop.js', reconcile: 'POST /reconcile', orders: undefined }

const written = (moves: readonly Move[]) => moves.map((move) => JSON.stringify(move))
const some = (part: string, moves: readonly Move[]) =>
  written(moves).filter((text) => text.includes(part)).length

/** What stands in the place of steps. */
const valuesInstead = (moves: readonly Move[]) =>
  moves.flatMap(({ edits }) => edits.flatMap(({ instead = [] }) => instead.map(({ value }) => value)))

describe('the moves that a drive allows', () => {
  test('a step that sells at a terminal', () => {
    const moves = movesFor([sells], server)
    expect(some('"kind":"lost-answer","operation":"sale"', moves)).toBe(2)
    expect(some('"kind":"http-503","operation":"query"', moves)).toBe(1)
    expect(some('"kind":"lost-request","operation":"query"', moves)).toBe(0)
    expect(
      some(
        '"operation":"query"}',
        moves.filter((move) => written([move])[0]?.includes('outcome=')),
      ),
    ).toBe(0)
    expect(some('late-approval', moves)).toBe(1)
    expect(some('"kind":"after-webhook","operation":"sale"', moves)).toBe(1)
    expect(some('webhook forge', moves)).toBe(6)
    expect(some('"server crash","value":{"on":"sale"}', moves)).toBe(3)
    const again = '{"action":"server request","value":{"to":"POST /orders"}}]'
    expect(some(`"after":[${again}`, moves)).toBe(1)
    expect(some(`"server crash","value":null},${again}`, moves)).toBe(1)
    expect(
      some('"instead":[{"action":"server request","value":{"to":"POST /orders","together":3}}]', moves),
    ).toBe(3)
  })

  test('a server that runs already is never killed, and one that cannot reconcile is not asked to', () => {
    const moves = movesFor([sells], { url: 'http://127.0.0.1:3000' })
    expect(some('server crash', moves)).toBe(0)
    expect(some('server reconcile', moves)).toBe(0)
  })

  test('a step that only looks is neither repeated nor disturbed', () => {
    const moves = movesFor([observed(step('server request', 'GET /orders'))], server)
    expect(some('together', moves)).toBe(0)
    expect(some('GET /orders', moves)).toBe(0)
    expect(some('fault', moves)).toBe(0)
  })

  test('an operation that is asked for after something else is disturbed there, and in the cron job', () => {
    const lost = movesFor([sells], server).find(({ situation }) => situation === 'answer-lost') as Move
    const recovery = movesInRecovery([sells], server, lost, 'void')
    expect(recovery.map((moves) => moves.slice(1).map(({ situation }) => situation))).toEqual(
      ['insufficient-funds', 'host-timeout', 'answer-lost', 'request-lost'].flatMap((name) => [
        [name],
        [name, 'reconciled-early'],
      ]),
    )
    for (const moves of recovery) {
      expect(moves[0]).toBe(lost)
      expect(some('"operation":"void"', moves)).toBe(1)
    }
    const { reconcile: _, ...never } = server
    expect(movesInRecovery([sells], never, lost, 'abort')).toHaveLength(2) // an abort opens no payment
  })

  test('an amount is one that a number with a fraction does not hold, and never more than was meant', () => {
    const moves = movesFor(
      [
        observed(
          step(
            'server request',
            { to: 'POST /orders', body: { amount: '4.00' } },
            { expect: { answer: { amount: '4.00' } } },
          ),
        ),
      ],
      server,
    )
    expect(some('expect', moves)).toBe(0)
    expect(valuesInstead(moves)).toEqual([
      { to: 'POST /orders', body: { amount: '0.29' } },
      { to: 'POST /orders', body: { amount: '1.15' } },
      { to: 'POST /orders', body: { amount: '4.00' }, together: 3 },
    ])
  })

  test.each([
    [{ cents: 1250 }, [{ cents: 29 }, { cents: 115 }, { cents: 829 }]],
    [{ quantity: 1250 }, []],
    [
      { price: '12.50', currency: 'USD' },
      [
        ...['0.29', '1.15', '8.29'].map((price) => ({ price, currency: 'USD' })),
        { price: '1250', currency: 'JPY' },
        { price: '12.505', currency: 'KWD' },
      ],
    ],
    [
      { amount: 1250, currency: 'JPY' },
      [...[29, 115, 829].map((amount) => ({ amount, currency: 'JPY' })), { amount: 1250, currency: 'KWD' }],
    ],
  ])('a purchase of %o is one of other amounts, and in other currencies', (body, expected) => {
    const moves = movesFor([observed(step('server request', { to: 'POST /orders', body }))], server)
    const bodies = valuesInstead(moves).flatMap((value) =>
      (value as { together?: number }).together ? [] : [(value as { body: object }).body],
    )
    expect(bodies.map((each) => JSON.stringify(each)).sort()).toEqual(
      expected.map((each) => JSON.stringify(each)).sort(),
    )
  })

  test('what does more than look is disturbed, too, without an outcome of the host', () => {
    const aborts = observed(step('server request', 'POST /cancel'), {
      requests: [{ operation: 'abort' }] as unknown as Observed['requests'],
    })
    const moves = movesFor([aborts], server)
    expect(some('"kind":"lost-answer","operation":"abort"', moves)).toBe(1)
    expect(some('after-webhook', moves)).toBe(0)
    expect(some('outcome=', moves)).toBe(0)
  })

  test('a customer on a hosted page pays with a declined card, or leaves', () => {
    const pays = step('checkout pay', { session: '$order.sessionId' })
    const moves = movesFor([observed(pays)], server)
    expect(
      some(
        '"before":[{"action":"checkout pay","value":{"session":"$order.sessionId","card":"visa-declined"}}]',
        moves,
      ),
    ).toBe(1)
    expect(some('"instead":[{"action":"checkout pay"', moves)).toBe(1)
    expect(some('"instead":[]', moves)).toBe(1)
  })

  test('a customer keeps the page that was left, and pays it before the other one, after it, or in its place', () => {
    const leaves = observed(step('checkout cancel', { session: '$order.url' }))
    const pays = observed(step('checkout pay', { session: '$again.url' }))
    const found = movesFor([leaves, observed(step('server request', 'POST /pay')), pays], server)
    const edits = found.filter(({ situation }) => situation === 'pays-the-old-page').map((move) => move.edits)
    const pay = { action: 'checkout pay', value: { session: '$order.url' } }
    expect(edits).toEqual([
      [{ step: 0, instead: [pay] }],
      [
        { step: 0, instead: [] },
        { step: 2, instead: [pay] },
      ],
      [
        { step: 0, instead: [] },
        { step: 2, after: [pay] },
      ],
    ])
  })

  const buys = observed(
    step('server request', { to: 'POST /orders', body: { amount: '12.50' } }, { as: 'order' }),
    {
      requests: [{ operation: 'sale' }] as unknown as Observed['requests'],
    },
  )

  test('webhooks are held until the next step was handled, or arrive with it', () => {
    const moves = movesFor([buys, observed(step('server request', 'GET /return'))], server)
    const editsOf = (name: string) =>
      moves.filter(({ situation }) => situation === name).map(({ edits }) => edits)
    const [hold, release] = ['hold', 'release'].map((what) => ({ action: `webhook ${what}`, value: null }))
    expect(editsOf('webhook-after-next-step')).toEqual([
      [
        { step: 0, before: [hold] },
        { step: 1, after: [release] },
      ],
    ])
    const instead = [{ action: 'server request', value: { to: 'GET /return', together: 'webhooks' } }]
    const slow = { action: 'fault', value: { kind: 'latency=300', operation: 'query', times: 3 } }
    expect(editsOf('webhook-with-next-step')).toEqual([
      [
        { step: 0, before: [hold] },
        { step: 1, instead },
      ],
      [
        { step: 0, before: [hold] },
        { step: 1, before: [slow], instead },
      ],
    ])
    expect(
      movesFor([buys], server).filter(({ situation }) => situation === 'webhook-after-next-step'),
    ).toEqual([])
  })

  test('two requests come at the same time where the second does not need the answer to the first', () => {
    const togetherWith = (next: Step) =>
      movesFor([buys, observed(next)], server).filter(({ situation }) => situation === 'two-requests-at-once')
    const other = { to: 'POST /orders', body: { amount: '4.00' } }
    expect(togetherWith(step('server request', other)).map(({ edits }) => edits)).toEqual([
      [
        {
          step: 0,
          instead: [
            {
              action: 'server request',
              value: { to: 'POST /orders', body: { amount: '12.50' }, together: [other] },
              as: 'order',
            },
          ],
        },
        { step: 1, instead: [] },
      ],
    ])
    expect(togetherWith(step('server request', 'POST /orders/${order.id}/refund'))).toEqual([])
    expect(togetherWith(step('server request', 'GET /orders'))).toEqual([])
  })

  test('no two moves are the same', () => {
    const moves = movesFor([sells, observed(step('server request', 'GET /return'))], server)
    expect(new Set(moves.map(({ edits }) => JSON.stringify(edits))).size).toBe(moves.length)
  })

  test('a move of several parts can lose each of them, and one of a single part none', () => {
    const [held] = movesFor([buys, observed(step('server request', 'GET /return'))], server).filter(
      ({ situation }) => situation === 'webhook-after-next-step',
    )
    const actions = withoutAPart(held as Move).map(({ edits }) =>
      edits.flatMap(({ before = [], after = [] }) => [...before, ...after].map(({ action }) => action)),
    )
    expect(actions).toEqual([['webhook release'], ['webhook hold']])
    const [single] = movesFor([buys], server)
    expect(withoutAPart(single as Move)).toEqual([])
  })

  test('what replaces a step is a part, too; the last part stays', () => {
    const act = (action: string) => ({ action, value: null })
    const edit = { step: 0, before: [act('webhook hold')], instead: [act('checkout pay')] }
    const move: Move = { situation: 'page-left', at: 0, edits: [edit], isAlike: false }
    const left = withoutAPart(move)
    expect(left.map(({ edits }) => edits)).toEqual([
      [{ ...edit, before: [] }],
      [{ step: 0, before: edit.before }],
    ])
    expect(left.flatMap(withoutAPart)).toEqual([])
  })

  test('two moves that replace the same step are never tried together, and others are', () => {
    const moveAt = (step: number, more: object): Move => ({
      ...{ situation: 'page-left', at: step, isAlike: false },
      edits: [{ step, ...more }],
    })
    const [left, also, next, held] = [
      moveAt(0, { instead: [] }),
      moveAt(0, { instead: [] }),
      moveAt(1, { instead: [] }),
      moveAt(0, { before: [] }),
    ] as const
    expect([left, also, next, held].map((other) => canBeBoth(left, other))).toEqual([
      false,
      false,
      true,
      true,
    ])
  })
})

test('no payment is approved late to a card that declines its refund', () => {
  const moveOf = (situation: Move['situation']): Move => ({ situation, at: 0, isAlike: false, edits: [] })
  const [late, declined, again] = (['late-approval', 'online-declined', 'online-try-declined'] as const).map(
    moveOf,
  ) as [Move, Move, Move]
  expect([canBeBoth(late, declined), canBeBoth(again, late), canBeBoth(declined, again)]).toEqual([
    false,
    false,
    true,
  ])
})

describe('steps with moves', () => {
  const first = step('server request', 'POST /orders', {
    as: 'order',
    expect: { answer: { httpStatus: 200 } },
  })
  const second = step('server request', 'POST /refund')
  const act = (action: string) => ({ action, value: null })

  test('stand before, after, and in place of theirs', () => {
    const moveOf = (edits: Move['edits']): Move => ({ situation: 'page-left', at: 0, edits, isAlike: false })
    const moves = [
      moveOf([{ step: 0, before: [act('webhook hold')], after: [act('server crash')] }]),
      moveOf([{ step: 1, instead: [] }]),
    ]
    const expected = ['webhook hold', 'server request', 'server crash']
    expect(withMoves([first, second], moves).map(({ action }) => action)).toEqual(expected)
  })

  test('a step keeps its name, and loses what is expected of a kind world', () => {
    expect(withMoves([first], [])).toEqual([step('server request', 'POST /orders', { as: 'order' })])
  })
})
