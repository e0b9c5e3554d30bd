import { expect, it } from 'vitest'
import { elapsedTime, inTurns, nextTurn } from '../../src/shared/timers.ts'

it('goes through many items in several turns, in order, so that others run between', async () => {
  const seen: (number | string)[] = []
  const slow = (item: number) => {
    seen.push(item)
    const began = elapsedTime()
    while (elapsedTime() - began < 25);
  }
  const others = async () => {
    for (let turn = 1; turn <= 3; turn++) {
      await nextTurn()
      seen.push('another')
    }
  }
  await Promise.all([inTurns([1, 2, 3], slow), others()])
  expect(seen.filter((each) => each !== 'another')).toEqual([1, 2, 3])
  expect(seen.indexOf('another')).toBeLessThan(seen.indexOf(3))
})

it('passes on what goes wrong with an item, and does not go on', async () => {
  const seen: number[] = []
  const failing = (item: number) => {
    seen.push(item)
    if (item === 2) throw new Error('no')
  }
  await expect(inTurns([1, 2, 3], failing)).rejects.toThrow('no')
  expect(seen).toEqual([1, 2])
})
