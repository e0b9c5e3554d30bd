import { control } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import type { CardList, TerminalView } from '../../contract/control/control-answers.ts'
import { maxWidth, pad } from '../../shared/text/display-width.ts'
import { clean } from '../output/clean.ts'
import { type Choice, choose } from './prompt.ts'

/** Questions whose answers a sandbox lists. */

/** Asks for a terminal; undefined unless there are several. */
export async function chooseTerminal(
  sandbox: SandboxAddress,
  isCandidate: (terminal: TerminalView) => boolean,
): Promise<string | undefined> {
  const { terminals } = await control(sandbox, 'terminals')
  const candidates = terminals.filter(isCandidate)
  if (candidates.length < 2) return candidates[0]?.terminalSn
  return choose(
    'Which terminal?',
    inColumns(
      candidates.map(({ terminalSn, screen, summary }) => [terminalSn, [terminalSn, screen, summary]]),
    ),
  )
}

/** Asks for a test card. */
export async function chooseCard(
  sandbox: SandboxAddress,
  isCandidate: (card: CardList['cards'][number]) => boolean = () => true,
): Promise<string> {
  const { cards } = await control(sandbox, 'cards')
  const lines = cards
    .filter(isCandidate)
    .map(({ name, category, paymentMethod, entryMode, outcome }): [string, string[]] => [
      name,
      [name, category === 'QR' ? 'QR' : paymentMethod, entryMode ?? '', outcome ?? ''],
    ])
  return choose('Which card?', inColumns(lines))
}

/** Choices in columns: a value, and its description. */
export function inColumns(rows: readonly (readonly [value: string, cells: readonly string[]])[]): Choice[] {
  const shown = rows.map(([value, cells]) => ({ value, cells: cells.map(clean) }))
  const widths = (shown[0]?.cells ?? []).map((_, index) =>
    maxWidth(shown.map(({ cells }) => cells[index] ?? '')),
  )
  const rowText = (cells: readonly string[]) =>
    cells.map((cell, index) => pad(cell, widths[index] ?? 0)).join('  ')
  return shown.map(({ value, cells }) => ({ value, name: rowText(cells).trimEnd() }))
}
