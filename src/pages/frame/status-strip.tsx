import { flagName } from '../../contract/operation-members.ts'
import { forEachShare, type WebhookFaults } from '../../contract/sandbox/webhooks.ts'
import { durationInWords, formatDateTime } from '../components/format.ts'
import { Pairs } from '../components/pairs.tsx'
import type { PagesContext } from './context.ts'
import { html } from './page-view.tsx'

/** The sandbox at a glance, as a piece of every page: clock, faults of webhooks, queued outcomes; what is unusual stands out. */
export function statusStripOf(context: PagesContext): string {
  const faults = faultsInWords(context.settings.data.faults)
  const queued = queuedInWords(context)
  const pair = (name: string, text: string, unusual: boolean) =>
    [name, text, unusual ? 'fact-unusual' : undefined] as const
  return html(
    <Pairs
      kind="status-strip"
      pairs={[
        pair('Clock', clockInWords(context), isMoved(context)),
        pair('Webhook faults', faults.join(', ') || 'none', faults.length > 0),
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

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

function faultsInWords(faults: WebhookFaults): string[] {
  const shares = Object.entries(forEachShare((name) => faults[name])).filter(([, share]) => share > 0)
  return [
    ...shares.map(([name, share]) => `${flagName(name).replace('-', ' ')} ${percent(share)}`),
    ...(faults.delayMs === null ? [] : [`delay ${faults.delayMs.join('–')} ms`]),
    ...(faults.reorder > 1 ? [`reorder ${faults.reorder}`] : []),
  ]
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
