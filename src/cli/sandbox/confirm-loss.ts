import { clean } from '../output/clean.ts'

/** Asks before something is lost. `what`: "A restore". Errors: UsageError when there is nobody to ask. */
export async function isConfirmed(what: string, question: string): Promise<boolean> {
  const { ask, requireTerminal } = await import('../input/prompt.ts')
  requireTerminal(what)
  return ask(clean(question))
}

export const transactionsText = (count: number): string =>
  count === 1 ? '1 transaction' : `${count} transactions`
