import fc from 'fast-check'
import { expect } from 'vitest'
import { Refusal } from '../../../src/contract/errors.ts'
import type { Command } from '../../../src/domain/model/commands.ts'
import { ledgerText, Restarted, WatchedTill } from './ledger.ts'

/** A value with a weight, for `fc.oneof`. */
export const weighted = <T>(weight: number, value: T) => ({ weight, arbitrary: fc.constant(value) })

/** Takes the steps on a new till; `check` sees it after each of them. */
export function runSteps<Step>(
  reserve: number,
  steps: readonly Step[],
  take: (till: WatchedTill, step: Step, index: number) => void,
  check: (till: WatchedTill) => void,
): WatchedTill {
  const till = new WatchedTill(reserve)
  for (const [index, step] of steps.entries()) {
    take(till, step, index)
    check(till)
  }
  return till
}

/** Does a command, and notes that it was accepted, or the code of its refusal, which must not change the ledger. */
export function note(
  till: WatchedTill,
  command: Command,
  name: string,
  { accepted, refusedWith }: { readonly accepted: Set<string>; readonly refusedWith: Set<string> },
): void {
  const before = ledgerText(till.ledger)
  try {
    till.do(command)
    accepted.add(name)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refusedWith.add(error.code)
    expect(ledgerText(till.ledger), `${name} was refused and changed the ledger`).toBe(before)
  }
}

/** The law that a replay of the events makes the same ledger, at every step. */
export function provesReplay<Step>(
  reserve: fc.Arbitrary<number>,
  steps: fc.Arbitrary<readonly Step[]>,
  take: (till: WatchedTill, step: Step, index: number) => void,
  numRuns: number,
): void {
  const law = fc.property(reserve, steps, (money, all) => {
    const restarted = new Restarted(money)
    const till = runSteps(money, all, take, (now) => {
      restarted.follow(now)
      expect(ledgerText(restarted.ledger)).toBe(ledgerText(now.ledger))
    })
    expect(till.replay()).toEqual(till.ledger)
  })
  fc.assert(law, { numRuns })
}
