import type { Child } from 'hono/jsx'
import { listSnapshots } from '../../../control/state/snapshot-handlers.ts'
import { actionLooks, PostButton, Submit } from '../../components/actions.tsx'
import { formatNumber, plural } from '../../components/format.ts'
import { Empty, PageHead, Panel, Table } from '../../components/panel.tsx'
import type { DoneNotice, PageRequest, PagesContext, PageView } from '../../frame/page-view.tsx'
import { latestFirst } from '../../masthead/menus.tsx'
import type { FormFields } from '../../serving/form-fields.ts'

/** The snapshots, the latest first; restores and deletes one. Errors: SBX_STORE_FAIL. */
export async function snapshotsPage(context: PagesContext, { baseUrl }: PageRequest): Promise<PageView> {
  const snapshots = latestFirst((await listSnapshots(context)).snapshots)
  return {
    title: 'Snapshots',
    section: null,
    body: () => (
      <>
        <PageHead title="Snapshots" lead="Saved states; save one in the masthead, under State" />
        <Panel title="Saved states" name="snapshots">
          {snapshots.length === 0 ? (
            <Empty
              title="No snapshot is saved"
              commands={['tillbox sandbox snapshot save clean']}
              baseUrl={baseUrl}
            />
          ) : (
            <Table caption="Snapshots, the latest first" heads={heads} kind="table dense">
              {snapshots.map(rowOf)}
            </Table>
          )}
        </Panel>
      </>
    ),
  }
}

const heads = [
  'Name',
  ['Transactions', 'figure'],
  ['Sandbox time (UTC)', 'from-medium'],
  ['Saved (UTC)', 'from-medium'],
  ['Actions', 'figure'],
] as const

type Snapshot = Awaited<ReturnType<typeof listSnapshots>>['snapshots'][number]

const utc = (iso: string | null): string => iso?.slice(0, 19).replace('T', ' ') ?? '–'

const rowOf = ({ name, transactions, sandboxTime, savedAt, problem }: Snapshot) => (
  <tr>
    <th scope="row" class="code" title={name}>
      {name}
      {problem !== null && <span class="declined"> {problem}</span>}
    </th>
    <td class="figure">{transactions === null ? '–' : formatNumber(transactions)}</td>
    <td class="from-medium time">{utc(sandboxTime)}</td>
    <td class="from-medium time">{utc(savedAt)}</td>
    <td class="figure">
      <span class="row-actions flex gap-3">
        {problem === null && (
          <PostButton action={`/snapshots/${name}/restore`} look="link" about={name}>
            Restore
          </PostButton>
        )}
        <a class={actionLooks.danger} href={`/snapshots/${name}/delete`}>
          Delete…<span class="visually-hidden"> {name}</span>
        </a>
      </span>
    </td>
  </tr>
)

/** Fields of the form that saves a snapshot. */
export const snapshotFields = ['name'] as const

/** Saves a snapshot under a new name. Errors: SBX_SNAP_NAME, SBX_SNAP_EXISTS, SBX_STORE_FAIL. */
export async function saveFromForm(context: PagesContext, { name = '' }: FormFields): Promise<DoneNotice> {
  const { transactions } = await context.commands.saveSnapshot(name.trim(), false)
  return { text: `Saved ${name.trim()} with ${plural(transactions, 'transaction')}.` }
}

/** Takes away what happened, once it is kept as a snapshot. Errors: SBX_STORE_FAIL. */
export async function resetKept({ commands }: PagesContext): Promise<DoneNotice> {
  const kept = await commands.keepAndReset()
  if (kept === null) return { text: 'Reset. Nothing was stored.' }
  const { name, transactions } = kept
  return { text: `Reset. ${plural(transactions, 'transaction')} kept in ${name}.`, undo: restoring(name) }
}

/** Restores a snapshot, once the state is kept as another one. Errors: SBX_SNAP_NAME, SBX_SNAP_NONE, SBX_SNAP_READ, SBX_STORE_FAIL. */
export async function restoreKept({ commands }: PagesContext, name: string): Promise<DoneNotice> {
  const { transactions, kept } = await commands.keepAndRestore(name)
  return {
    text: `Restored ${name} with ${plural(transactions, 'transaction')}.`,
    undo: restoring(kept),
  }
}

const restoring = (name: string) => ({ path: `/snapshots/${name}/restore`, fields: {} })

/** Confirmation page of a reset: lists what it removes. */
export function resetPage({ statistics }: PagesContext): PageView {
  const { transactions, deliveries } = statistics.current
  return questionPage(
    'Reset the sandbox',
    '/reset',
    'Reset',
    ['/', 'Keep everything'],
    <>
      <ul class="stack gap-1 tabular">
        <li>
          This deletes {plural(transactions.length, 'transaction')}, their batches,{' '}
          {plural(deliveries.all.length, 'notification')}, queued outcomes and used request ids.
        </li>
        <li>It keeps terminals, applications, clock, faults and snapshots.</li>
      </ul>
      <p class="page-lead">The state is saved as a snapshot first, so that you can undo this.</p>
    </>,
  )
}

/** Confirmation page before a snapshot is deleted. */
export const deleteSnapshotPage = (_: PagesContext, { id }: PageRequest): PageView =>
  questionPage(
    `Delete the snapshot ${id}`,
    `/snapshots/${id}/delete`,
    'Delete',
    ['/snapshots', 'Keep it'],
    <p class="page-lead">This cannot be undone.</p>,
  )

/** A question before something is removed. `keep`: path and text of the link that removes nothing. */
const questionPage = (
  title: string,
  action: string,
  submit: string,
  [back, keep]: readonly [path: string, text: string],
  text: Child,
): PageView => ({
  title,
  section: null,
  body: () => (
    <section class="panel question stack gap-4">
      <h1 class="page-title tight">{title}?</h1>
      {text}
      <form method="post" action={action} class="flex wrap gap-3">
        <Submit look="danger-large">{submit}</Submit>
        <a class="action action-plain" href={back}>
          {keep}
        </a>
      </form>
    </section>
  ),
})
