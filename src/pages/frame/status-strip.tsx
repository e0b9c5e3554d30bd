import type { Child } from 'hono/jsx'
import { faultsInShort } from '../../presentation/faults.ts'
import { durationInWords, formatDateTime } from '../components/format.ts'
import { Pairs } from '../components/pairs.tsx'
import type { PagesContext } from './context.ts'
import { html } from './page-view.tsx'

/** The sandbox at a glance, as a piece of every page: clock, faults, queued outcomes; what is unusual stands out. */
export function statusStripOf(context: PagesContext): string {
  const faults = faultsInShort(context.faults.list())
  const queued = queuedInWords(context)
  const pair = (name: string, text: Child, unusual: boolean) =>
    [name, text, unusual ? 'fact-unusual' : undefined] as const
  return html(
    <Pairs
      kind="status-strip"
      pairs={[
        pair('Clock', clockInWords(context), isMoved(context)),
        pair(
          'Faults',
          <a class="status-link" href="/faults">
            {faults || 'none'}
          </a>,
          faults !== '',
        ),
        pair('Queued outcomes', queued ?? 'none', queued !== null),
      ]}
    />,
  )
}

/** Less than so much is no offset: it is how long things take. Milliseconds. */
const noticeable = 1_000

/** To the second: nothing is moved by less. */
const offsetOf = ({ clock }: Pick<PagesContext, 'clock'>): number =>
  Math.round((clock.now() - clock.wall()) / noticeable) * noticeable

const isMoved = (context: PagesContext): boolean =>
  context.clock.frozen || Math.abs(context.clock.state.offset) >= noticeable

function clockInWords(context: PagesContext): string {
  if (context.clock.frozen) return `frozen at ${formatDateTime(context.clock.now(), 'UTC')} UTC`
  if (!isMoved(context)) return 'real time'
  const offset = offsetOf(context)
  return `${durationInWords(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`
}

/** How many outcomes wait, and where: `2 at TBX-ATTENDED-001`, `5 at 3 terminals`; null for none. */
function queuedInWords({ engine }: Pick<PagesContext, 'engine'>): string | null {
  const waiting: [terminalSn: string, count: number][] = []
  for (const { terminals } of engine.state.ledgers.values())
    for (const { terminalSn, queue } of terminals.values())
      if (queue.length > 0) waiting.push([terminalSn, queue.reduce((sum, { times }) => sum + times, 0)])
  const [first] = waiting
  if (first === undefined) return null
  const count = waiting.reduce((sum, [, times]) => sum + times, 0)
  return `${count} at ${waiting.length === 1 ? first[0] : `${waiting.length} terminals`}`
}
