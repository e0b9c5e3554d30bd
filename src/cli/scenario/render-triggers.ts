import { textOf } from '../../client/tolerant.ts'
import type { Done } from '../../scenario/steps/run-context.ts'
import { hintText } from '../hints/hint-text.ts'
import { clean } from '../output/clean.ts'
import { columns } from '../output/table.ts'
import { themeOf } from '../output/theme.ts'
import type { Trigger } from './triggers.ts'

/** Every trigger with what it does. */
export function renderTriggers(triggers: readonly Trigger[]): string {
  const theme = themeOf('stdout')
  const rows = triggers.map(({ name, summary }) => [name, theme.faint(summary)])
  const back = hintText('tillbox sandbox clock --reset returns an advanced clock to the wall clock.', theme)
  return `${columns(['trigger', ''], rows, theme)}\n\n${theme.faint(back)}\n`
}

/** A step that was done. */
export function renderStep({ step, answer }: Done): string {
  const theme = themeOf('stdout')
  const { transactionId, sessionId, batchNo } = answer as Readonly<Record<string, unknown>>
  const batch = textOf(batchNo)
  const subject = textOf(transactionId) ?? textOf(sessionId) ?? (batch === undefined ? '' : `batch ${batch}`)
  const line = `${theme.good('✓')} ${step.padEnd(18)} ${theme.faint(clean(subject))}`
  return `${line.trimEnd()}\n`
}
