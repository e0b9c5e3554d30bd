import { expect, test } from 'vitest'
import type { Law } from '../../../src/contract/exam/situation.ts'
import type { Drive, Try } from '../../../src/testing/attack/lane.ts'
import type { Move } from '../../../src/testing/attack/moves.ts'
import { shortest } from '../../../src/testing/attack/shortest.ts'
import type { Step } from '../../../src/testing/scenario/file/read-scenario.ts'

const driveOf = (...actions: readonly string[]) =>
  ({ steps: actions.map((action): Step => ({ action, value: null, path: [] })) }) as unknown as Drive

const crash = () => ({ action: 'server crash', value: null })
const moveAt = (step: number): Move => ({
  situation: 'killed-after-request',
  at: step,
  edits: [{ step, after: [crash(), crash()] }],
  isAlike: false,
})

const broken = (law: Law | undefined) =>
  ({ result: law === undefined ? {} : { failure: {}, violations: [{ law }] } }) as unknown as Try

const actionsOf = ({ steps }: Drive) => steps.map(({ action }) => action)

/** What is left of a drive; `law`: what breaks with these steps, `isKind`: whether they work without a move. */
async function left(
  law: (actions: readonly string[], moves: readonly Move[]) => Law | undefined,
  isKind: (actions: readonly string[]) => boolean = () => true,
  isOver = () => false,
) {
  const first = {
    drive: driveOf('buy', 'look', 'pay', 'ship'),
    moves: [moveAt(2), moveAt(0)],
    last: broken('charged-once'),
  }
  const { drive, moves } = await shortest(first, {
    isOver,
    again: async (tried, some) => broken(law(actionsOf(tried), some)),
    kindly: async (tried) => (isKind(actionsOf(tried)) ? tried : undefined),
  })
  return [
    actionsOf(drive),
    moves.map(({ at, edits }) => [at, edits.map(({ step, after }) => [step, after?.length])]),
  ]
}

const needsPay = (actions: readonly string[], moves: readonly Move[]): Law | undefined =>
  moves.some(({ at }) => actions[at] === 'pay') ? 'charged-once' : undefined

test('moves, parts of moves and steps that are not needed go, and moves follow their steps', async () => {
  expect(await left(needsPay)).toEqual([['pay'], [[0, [[0, 1]]]]])
})

test('a step stays without which the drive fails while nothing goes wrong', async () => {
  const [actions] = await left(needsPay, (all) => all.includes('buy'))
  expect(actions).toEqual(['buy', 'pay'])
})

test('a step stays without which another law is broken', async () => {
  const law = (all: readonly string[], moves: readonly Move[]): Law | undefined =>
    needsPay(all, moves) && (all.includes('ship') ? 'charged-once' : 'approved-known')
  expect((await left(law))[0]).toEqual(['pay', 'ship'])
})

test('nothing is tried once the time is over', async () => {
  expect((await left(needsPay, undefined, () => true))[0]).toEqual(['buy', 'look', 'pay', 'ship'])
})
