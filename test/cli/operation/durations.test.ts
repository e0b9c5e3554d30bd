import { describe, expect } from 'vitest'
import { durationOf, momentOrAhead, paceOf, rangeFrom } from '../../../src/cli/input/typed-values.ts'
import { test } from '../../support/commands/running-sandbox.ts'

describe('a duration', () => {
  test.each([
    ['3s', 3_000],
    ['3', 3_000],
    ['500ms', 500],
  ])('the duration %s is %i ms, as without a unit it is seconds', (text, milliseconds) => {
    expect(durationOf(text, 'wait')).toBe(milliseconds)
  })

  test.each(['', 'long'])(
    'the duration %j is refused, and the error says how a duration is written',
    (text) => {
      expect(() => durationOf(text, 'wait')).toThrow(`--wait ${text} is not a duration`)
    },
  )

  test('a duration from a clock that says no time is refused, ahead and ago', async () => {
    const now = async () => 'noon'
    const problem = "Cannot read the time of the sandbox clock 'noon'"
    await expect(momentOrAhead('10m', 'from', now)).rejects.toThrow(problem)
    await expect(rangeFrom({ since: '2h' }, now)).rejects.toThrow(problem)
  })

  test.each([
    ['instant', 0],
    ['800', 800],
    ['2s', 2_000],
  ])('the pace %s is %i ms, as without a unit it is milliseconds', (text, milliseconds) => {
    expect(paceOf(text)).toBe(milliseconds)
  })
})

describe('flags that take a duration', () => {
  test('--wait, --advance, --grace and --pace take it with and without a unit', async ({ sandbox }) => {
    for (const wait of ['--wait=3s', '--wait=3'])
      expect((await sandbox.json(`sale --amount 1.00 ${wait}`)).transactionStatus).toBe('S')
    const clock = (args: string[]) => sandbox.json(['sandbox', 'clock', ...args])
    await clock(['--freeze'])
    const { now } = await clock([])
    for (const advance of ['60s', '60']) await clock(['--advance', advance])
    expect(Date.parse((await clock([])).now) - Date.parse(now)).toBe(120_000)
    expect((await sandbox.run('webhook secret --rotate --grace 3600')).code).toBe(0)
    const paced = 'terminal set TBX-AUTO-001 --pace'
    expect([(await sandbox.json(`${paced} 800`)).pace, (await sandbox.json(`${paced} 2s`)).pace]).toEqual([
      800, 2_000,
    ])
  })
})
