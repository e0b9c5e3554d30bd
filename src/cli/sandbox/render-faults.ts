import type { FaultList, FaultView } from '../../contract/control/fault-list.ts'
import {
  faultFrequency,
  faultInWords,
  faultsInShort,
  faultTarget,
} from '../../contract/presentation/words.ts'
import { command } from '../../shared/text/commands.ts'
import { hintText } from '../hints/hint-text.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleaned } from '../output/clean.ts'
import { columns } from '../output/table.ts'
import { theme } from '../output/theme.ts'

/** The rules, in the order of their use. */
export function renderFaults(list: FaultList): string {
  const { faults } = cleaned(list)
  if (faults.length === 0) return 'No fault is injected.\n'
  const rows = faults.map((fault) => [
    fault.id,
    fault.kind,
    faultTarget(fault) || 'all',
    faultFrequency(fault),
    String(fault.used),
    fault.state === 'on' || fault.state === 'later' ? theme.open(fault.state) : theme.faint(fault.state),
  ])
  return `${columns(['id', 'fault', 'for', 'how often', 'used', 'state'], rows, ['used'])}\n`
}

/** The rules that are gone; nothing where there was none. */
export function renderCleared(before: FaultList, after: FaultList): string {
  const gone = cleaned(before).faults.filter(({ id }) => after.faults.every((each) => each.id !== id))
  if (gone.length === 0) return ''
  return `Cleared ${gone.map(({ id, kind }) => `${id} (${kind})`).join(', ')}.\n`
}

/** A rule that was added. */
export function renderAdded(added: FaultView): string {
  const fault = cleaned(added)
  const confirmation = `Fault ${fault.id} is on: ${faultInWords(fault)}, ${faultFrequency(fault)}.`
  return `${hintText(confirmation)}\n${hintText(`Remove it: ${command('sandbox fault --clear', fault.id)}`)}\n`
}

/** The faults that may hit, in one line, for the panels; undefined without one. */
export function faultsLine(faults: readonly FaultView[]): string | undefined {
  const summary = faultsInShort(faults)
  if (summary === '') return undefined
  return `${theme.open(summary)}   ${theme.faint(hint('turn them off: `tillbox sandbox fault --clear`'))}`
}
