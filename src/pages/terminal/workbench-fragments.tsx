import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { PastStory } from '../../contract/control/control-answers.ts'
import type { Receipt, ScreenView } from '../../contract/control/screens.ts'
import type { Refusal } from '../../contract/errors.ts'
import { sequenceOf } from '../../contract/presentation/sequence.ts'
import { Pairs, Panel } from '../components/panel.tsx'
import { Receipts } from '../components/receipts.tsx'
import { ListTable } from '../dashboard/lists/list-table.tsx'
import { newTransactionRequestId } from '../dashboard/payments/form-parts.tsx'
import { SequenceDiagram } from '../dashboard/transactions/sequence-diagram.tsx'
import { transactionColumns } from '../dashboard/transactions/transaction-table.tsx'
import { cardPicker } from './card-picker.tsx'
import { pairingForm, RefusalNotice, refusalLook, WorkbenchForm } from './screens/forms.tsx'
import { drawScreen, GoneScreen, StatusBar } from './screens/screen.tsx'
import { type LatestTransactions, type WorkbenchView, workbenchId } from './screens/workbench-view.ts'

/** A part of a workbench that is replaced as a whole when it changes. */
export interface WorkbenchFragment {
  readonly id: string
  readonly kind: FragmentKind
  readonly html: string
  /** Differs when the html differs. */
  readonly version: string
}

type FragmentKind = 'note' | 'screen' | 'status' | 'cards' | 'settings' | 'receipt' | 'latest' | 'story'

/** The fragments of one workbench; the screen includes the status. */
export function workbenchFragments(workbench: WorkbenchView) {
  const { screen: view, receipt, latest, story } = workbench
  const { terminalSn } = view
  const status = toFragment(terminalSn, 'status', <StatusBar view={view} />)
  const screen = (bar: Child, id: string) => drawScreen(workbench, bar, id)
  return {
    note: toFragment(terminalSn, 'note', <Note view={workbench} />),
    // The status bar and the id of the next sale are not of the version: they clear nothing that was typed.
    screen: {
      ...toFragment(terminalSn, 'screen', screen(fragmentContainer(status), newTransactionRequestId())),
      version: htmlHash(String(screen(null, ''))),
    },
    cards: toFragment(
      terminalSn,
      'cards',
      view.screen === 'pairing' ? pairingForm(workbench) : cardPicker(workbench),
    ),
    settings: toFragment(terminalSn, 'settings', <TerminalSettings view={view} />),
    receipt: toFragment(
      terminalSn,
      'receipt',
      latest && receipt && <LastReceipt {...{ terminalSn, receipt }} />,
    ),
    latest: toFragment(terminalSn, 'latest', latest && <LatestPayments {...{ terminalSn, ...latest }} />),
    story: toFragment(terminalSn, 'story', story && <Story {...{ terminalSn, story }} />),
    status,
  }
}

const Note = ({ view: { screen, summary } }: { readonly view: WorkbenchView }) => (
  <p class="text-ink-soft text-sm truncate">
    {screen.label !== undefined && <strong>{screen.label}</strong>}
    {screen.label !== undefined && ' · '}
    {screen.merchantName ?? 'not paired'}
    {screen.mode === 'auto' && <span> · {summary}</span>}
  </p>
)

/** The fragments of a terminal that no longer exists: without buttons. */
export const missingFragments = (terminalSn: string): readonly WorkbenchFragment[] =>
  (['screen', 'cards', 'settings', 'receipt', 'latest', 'story'] as const).map((kind) =>
    toFragment(terminalSn, kind, kind === 'screen' ? <GoneScreen terminalSn={terminalSn} /> : null),
  )

function toFragment(terminalSn: string, kind: FragmentKind, content: JSX.Element | null): WorkbenchFragment {
  const html = String(content ?? '')
  return { id: `${kind}-${workbenchId(terminalSn)}`, kind, html, version: htmlHash(html) }
}

const htmlHash = (html: string): string => createHash('sha256').update(html).digest('base64url').slice(0, 12)

/** A fragment in its place on the page; with `swap`, one that replaces the fragment with its id. */
export const fragmentContainer = ({ id, kind, html, version }: WorkbenchFragment, swap?: 'true') => (
  <div class={`fragment-${kind}`} id={id} data-version={version} hx-swap-oob={swap}>
    {raw(html)}
  </div>
)

/** A fragment that replaces the one with its id. */
export const replacement = (part: WorkbenchFragment): string => String(fragmentContainer(part, 'true'))

/** The answer to an action of the page's script: every fragment, and the refusal. */
export const renderFragments = (terminalSn: string, parts: readonly WorkbenchFragment[], refusal?: Refusal) =>
  parts.map(replacement).join('') +
  String(
    <div class={refusalLook} id={`refusal-${workbenchId(terminalSn)}`} hx-swap-oob="true">
      <RefusalNotice refusal={refusal} />
    </div>,
  )

interface LastReceiptProps {
  readonly terminalSn: string
  readonly receipt: Receipt
}

const LastReceipt = ({ terminalSn, receipt }: LastReceiptProps) => (
  <Panel title="Last receipt" name={`receipt-${workbenchId(terminalSn)}`}>
    <Receipts receipt={receipt} />
  </Panel>
)

/** What was paid here last, with its pages. */
const LatestPayments = ({ terminalSn, rows, now }: LatestTransactions & { readonly terminalSn: string }) => (
  <Panel
    title="Latest payments"
    name={`latest-${workbenchId(terminalSn)}`}
    note={
      rows.length > 0 && (
        <a class="text-sm" href={`/?${new URLSearchParams({ terminal: terminalSn })}`}>
          All of them
        </a>
      )
    }
  >
    {rows.length === 0 ? (
      <p class="text-ink-soft text-sm">No payment yet.</p>
    ) : (
      <ListTable
        caption="Latest payments"
        columns={transactionColumns('status,card,time', now)}
        rows={rows}
        link={({ transaction: { id } }) => ({ id: `payment-${id}`, href: `/transactions/${id}` })}
      />
    )}
  </Panel>
)

const Story = ({ terminalSn, story }: { readonly terminalSn: string; readonly story: PastStory }) => (
  <Panel
    title={`${story.waiting === null ? 'Last' : 'This'} payment, step by step`}
    name={`story-${workbenchId(terminalSn)}`}
  >
    <SequenceDiagram sequence={sequenceOf(story, true)} />
  </Panel>
)

/** Settings of a terminal: online or offline, mode; queued outcomes, if any. */
const TerminalSettings = ({ view }: { readonly view: ScreenView }) => {
  const { online, mode, queue } = view
  return (
    <>
      <WorkbenchForm view={view} act="set" className="gap-4 flex flex-wrap">
        {drawSwitch('online', online ? 'false' : 'true', online, 'Online')}
        {drawSwitch('mode', mode === 'attended' ? 'auto' : 'attended', mode === 'attended', 'Attended')}
      </WorkbenchForm>
      <Pairs
        kind="inline"
        pairs={[['Queued outcomes', queue.length === 0 ? null : queue.map(queuedOutcome)]]}
      />
    </>
  )
}

const queuedOutcome = ({ outcome, times }: ScreenView['queue'][number]) => (
  <span class="queued block code">
    {outcome}
    {times > 1 && ` × ${times}`}
  </span>
)

/** `value`: what pressing it sets. */
const drawSwitch = (name: 'online' | 'mode', value: string, on: boolean, label: string) => (
  <button
    class="switch flex items-center gap-2 font-medium min-h-control"
    type="submit"
    name={name}
    value={value}
    role="switch"
    aria-checked={on ? 'true' : 'false'}
  >
    <span
      class="switch-track relative h-6.5 w-11 rounded-full bg-line-strong p-0.75 in-aria-checked:bg-accent after:block after:size-5 after:rounded-full after:bg-paper in-aria-checked:after:translate-x-4.5"
      aria-hidden="true"
    />
    {label}
  </button>
)
