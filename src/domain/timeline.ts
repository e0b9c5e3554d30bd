import type { Transaction } from './transaction.ts'

/** What happened to a transaction, and when (milliseconds of the sandbox clock). */
export interface Moment {
  readonly at: number
  readonly what: string
  readonly detail: string | null
}

/**
 * The moments of a transaction in one flat list, three entries each: milliseconds since it was opened, what happened,
 * and its detail. Flat, because every transaction keeps its own for good.
 */
export type Timeline = (number | string | null)[]

/** Adds to what is remembered of a transaction. */
export function note(transaction: Transaction, at: number, what: string, detail: string | null = null): void {
  transaction.timeline.push(at - transaction.createdAt, what, detail)
}

/** When something last happened to it, in milliseconds of the sandbox clock. */
export const lastMomentOf = ({ timeline, createdAt }: Transaction): number =>
  createdAt + ((timeline.at(-3) as number | undefined) ?? 0)

/** Everything that happened to it, in order. */
export function momentsOf({ timeline, createdAt }: Transaction): Moment[] {
  const moments: Moment[] = []
  for (let index = 0; index < timeline.length; index += 3)
    moments.push({
      at: createdAt + (timeline[index] as number),
      what: timeline[index + 1] as string,
      detail: timeline[index + 2] as string | null,
    })
  return moments
}
