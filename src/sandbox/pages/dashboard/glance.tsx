import type { WebhookFaults } from '../../../api/webhooks.ts'
import type { Sandbox } from '../../sandbox.ts'
import { durationInWords, moment } from './texts.ts'
import { html, type View } from './view.ts'

/** The sandbox at a glance, as a piece of every page. */
const glanceOf = (sandbox: Sandbox): string => html(<Glance sandbox={sandbox} />)

/** Every page shows the sandbox at a glance. */
export const withGlance = (sandbox: Sandbox, view: View): View => ({
  ...view,
  parts: async () => ({ glance: glanceOf(sandbox), ...(await view.parts()) }),
})

/** What differs from a sandbox as it starts: the clock, faults of webhooks, outcomes that wait. */
const Glance = ({ sandbox }: { readonly sandbox: Sandbox }) => {
  const faults = faultsInWords(sandbox.settings.data.faults)
  const queued = queuedOutcomes(sandbox)
  return (
    <dl class="glance">
      <Fact name="Clock" unusual={isMoved(sandbox)}>
        {clockInWords(sandbox)}
      </Fact>
      <Fact name="Webhook faults" unusual={faults.length > 0}>
        {faults.length === 0 ? 'none' : faults.join(', ')}
      </Fact>
      <Fact name="Queued outcomes" unusual={queued > 0}>
        {queued === 0 ? 'none' : String(queued)}
      </Fact>
    </dl>
  )
}

interface FactProps {
  readonly name: string
  readonly unusual: boolean
  readonly children: string
}

const Fact = ({ name, unusual, children }: FactProps) => (
  <div class={unusual ? 'fact fact-unusual' : 'fact'}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** Less than so much is no offset: it is how long things take. Milliseconds. */
const noticeable = 1_000

/** To the second: nothing is moved by less. */
const offsetOf = ({ clock }: Sandbox): number =>
  Math.round((clock.now() - clock.wall()) / noticeable) * noticeable

const isMoved = (sandbox: Sandbox): boolean =>
  sandbox.clock.frozen || Math.abs(sandbox.clock.state.offset) >= noticeable

function clockInWords(sandbox: Sandbox): string {
  if (sandbox.clock.frozen) return `frozen at ${moment(sandbox.clock.now(), 'UTC')} UTC`
  if (!isMoved(sandbox)) return 'real time'
  const offset = offsetOf(sandbox)
  return `${durationInWords(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

function faultsInWords(faults: WebhookFaults): string[] {
  const shares = [
    ['duplicate', faults.duplicate],
    ['drop', faults.drop],
    ['bad signature', faults.badSignature],
    ['stale', faults.stale],
  ] as const
  return [
    ...shares.filter(([, share]) => share > 0).map(([name, share]) => `${name} ${percent(share)}`),
    ...(faults.delayMs === null ? [] : [`delay ${faults.delayMs.join('–')} ms`]),
    ...(faults.reorder > 1 ? [`reorder ${faults.reorder}`] : []),
  ]
}

function queuedOutcomes({ engine }: Sandbox): number {
  let queued = 0
  for (const { terminals } of engine.book.ledgers.values())
    for (const { queue } of terminals.values()) for (const { times } of queue) queued += times
  return queued
}
