import { themeOf } from '../theme.ts'
import type { Done, Trigger } from '../trigger.ts'
import { columns } from './table.ts'

/** Every trigger with what it does. */
export function renderTriggers(triggers: readonly Trigger[]): string {
  const theme = themeOf('stdout')
  const rows = triggers.map(({ name, summary }) => [name, theme.faint(summary)])
  const back = theme.faint(
    'A sandbox clock that was moved ahead goes back with tillbox sandbox clock --reset.',
  )
  return `${columns(['trigger', ''], rows, theme)}\n\n${back}\n`
}

/** A step that was done. */
export function renderStep({ step, answer }: Done): string {
  const theme = themeOf('stdout')
  const { transactionId, sessionId, batchNo } = answer as Readonly<Record<string, unknown>>
  const subject = transactionId ?? sessionId ?? (batchNo === undefined ? '' : `batch ${String(batchNo)}`)
  const line = `${theme.good('✓')} ${step.padEnd(18)} ${theme.faint(String(subject))}`
  return `${line.trimEnd()}\n`
}
