import { NotConfirmed, UsageError } from '../errors/exit-codes.ts'
import { clean } from '../output/clean.ts'
import { printing } from '../output/color.ts'

/**
 * True when questions can be asked: where a person may answer, without `--json`, which is for programs, and
 * without `--input -`, which uses the input.
 */
export const canAsk = (input?: unknown): boolean =>
  isInteractive() && !printing.isForPrograms && input !== '-'

/** True when a person can read and answer a question: on a terminal, and not under CI, where nobody does. */
export const isInteractive = (): boolean =>
  process.stdin.isTTY === true && process.stderr.isTTY === true && !process.env.CI

/** Asks for confirmation. `what`: "A restore". */
export async function requireConfirmation(what: string, question: string): Promise<void> {
  requireInteractive(what)
  await requireYes(question)
}

/** `what`: "A reset". */
export function requireInteractive(what: string): void {
  if (isInteractive()) return
  throw new UsageError(`${what} needs confirmation, and this shell is not interactive`, 'Add --yes', 'yes')
}

/** Asks on the terminal. */
export async function requireYes(question: string): Promise<void> {
  const { ask } = await import('./prompt.ts')
  if (!(await ask(clean(question)))) throw new NotConfirmed()
}
