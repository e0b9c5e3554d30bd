import { NotConfirmed } from '../errors/not-confirmed.ts'
import { UsageError } from '../errors/usage-error.ts'
import { clean } from '../output/clean.ts'

/** Asks before something is done. `what`: "Restoring a checkpoint". Errors: UsageError when there is nobody to ask; as `requireYes`. */
export async function requireConfirmation(what: string, question: string): Promise<void> {
  requireTerminal(what)
  await requireYes(question)
}

/** Errors: UsageError when there is nobody to ask. `what`: "Resetting the sandbox". */
export function requireTerminal(what: string): void {
  if (process.stdin.isTTY) return
  throw new UsageError(`${what} needs confirmation, and this shell is not interactive`, 'Add --yes', 'yes')
}

/** Asks somebody who is there. Errors: NotConfirmed for no, and for input that ends without an answer; Interrupted for Ctrl-C. */
export async function requireYes(question: string): Promise<void> {
  const { ask } = await import('./prompt.ts')
  if (!(await ask(clean(question)))) throw new NotConfirmed()
}
