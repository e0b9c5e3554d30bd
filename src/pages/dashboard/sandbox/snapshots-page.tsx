import type { StateDiff } from '../../../contract/sandbox/snapshot-answers.ts'
import { listSnapshots } from '../../../control/state/snapshot-handlers.ts'
import { baseUrlOf, type Call } from '../../../http/call.ts'
import { diffTables } from '../../../presentation/diff-tables.ts'
import { capitalize } from '../../../text/words.ts'
import { actionLooks, PostButton } from '../../components/actions.tsx'
import { Command } from '../../components/command.tsx'
import { formatNumber, plural, utc } from '../../components/format.ts'
import { Empty, Panel, Table } from '../../components/panel.tsx'
import type {
  DoneNotice,
  NoticeRedirect,
  PageRequest,
  PagesContext,
  PageView,
} from '../../frame/page-view.tsx'
import { latestFirst } from '../../masthead/menus.tsx'
import { type FormFields, fieldsOf } from '../../serving/form-fields.ts'
import { type FormState, ListWithForm, questionPage, shownRefusal } from '../payments/form-parts.tsx'

/**
 * Saves the state, and lists the snapshots, the latest first: each can be compared with now, restored and deleted. Errors:
 * SBX_SNAP_NONE, SBX_SNAP_READ, SBX_STORE_FAIL.
 */
export async function snapshotsPage(
  context: PagesContext,
  { baseUrl, query }: Pick<PageRequest, 'baseUrl' | 'query'>,
  form: FormState = { values: {} },
): Promise<PageView> {
  const snapshots = latestFirst((await listSnapshots(context)).snapshots)
  const { compare = '', to } = query
  const diff = compare === '' ? null : await context.commands.diffSnapshot(compare, to)
  return {
    title: 'Snapshots',
    menu: 'state',
    lead: 'Saved states: compare them, and go back to one',
    ...(form.refusal !== undefined && { status: 422 as const }),
    body: () => (
      <>
        <ListWithForm
          title="New snapshot"
          action="/snapshots/save"
          submit="Save the state"
          form={form}
          fields={[{ name: 'name', label: 'Name', maxLength: 64, placeholder: 'before-lunch' }]}
        >
          {snapshots.length === 0 ? (
            <Empty title="No snapshot is saved">
              <p>
                A snapshot keeps payments, terminals and webhooks as they are now, to compare with or go back
                to.
              </p>
            </Empty>
          ) : (
            <Table caption="Snapshots, the latest first" heads={heads}>
              {snapshots.map((each) => rowOf(each, compare))}
            </Table>
          )}
        </ListWithForm>
        {diff !== null && differences(diff, baseUrl)}
      </>
    ),
  }
}

const heads = [
  'Name',
  ['Transactions', 'figure from-small'],
  ['Sandbox time (UTC)', 'from-medium'],
  ['Saved (UTC)', 'from-medium'],
  ['Actions', 'figure'],
] as const

type Snapshot = Awaited<ReturnType<typeof listSnapshots>>['snapshots'][number]

/** `compared`: name of the snapshot that is compared: with this one next. */
const rowOf = ({ name, transactions, sandboxTime, savedAt, problem }: Snapshot, compared: string) => (
  <tr>
    <th scope="row">
      <span class="code">{name}</span>
      {problem !== null && <span class="declined"> {problem}</span>}
      {transactions !== null && (
        <span class="under block until-small">
          {plural(transactions, 'transaction')}, saved {utc(savedAt)}
        </span>
      )}
    </th>
    <td class="figure from-small">{transactions === null ? '–' : formatNumber(transactions)}</td>
    <td class="from-medium one-line">{utc(sandboxTime)}</td>
    <td class="from-medium one-line">{utc(savedAt)}</td>
    <td class="figure">
      <span class="row-actions flex wrap gap-2">
        {problem === null && (
          <>
            {compared !== '' && compared !== name ? (
              <a
                class={actionLooks.plain}
                href={`/snapshots?compare=${compared}&to=${name}#differences-title`}
              >
                Compare with {compared}
                <span class="visually-hidden"> {name}</span>
              </a>
            ) : (
              <a class={actionLooks.plain} href={`/snapshots?compare=${name}#differences-title`}>
                Compare<span class="visually-hidden"> {name} with now</span>
              </a>
            )}
            <PostButton action={`/snapshots/${name}/restore`} about={name}>
              Restore
            </PostButton>
          </>
        )}
        <a class={actionLooks.danger} href={`/snapshots/${name}/delete`} data-drawer>
          Delete…<span class="visually-hidden"> {name}</span>
        </a>
      </span>
    </td>
  </tr>
)

/** Most differences of a table; a command lists all. */
const mostRows = 100

const tones = { added: 'good', removed: 'bad', changed: 'open' } as const

/** On a phone a row has its first cell and what changed. */
const from = (cell: number): string => (cell === 0 ? '' : 'from-small')

/** What changed since a snapshot, one table a kind of record. */
const differences = (diff: StateDiff, baseUrl: string) => {
  const { name } = diff.from
  const { name: other } = diff.to
  const text = ['tillbox sandbox snapshot diff', name, other].filter(Boolean).join(' ')
  return (
    <Panel
      title={`Changes from ${name} to ${other ?? 'now'}`}
      name="differences"
      note={<Command text={text} baseUrl={baseUrl} />}
    >
      {diff.same && <Empty title="Nothing differs" />}
      {diffTables(diff).map(({ title, heads, rows }) => (
        <>
          <h3 class="above-3">
            {capitalize(title)} <span class="note">{formatNumber(rows.length)}</span>
          </h3>
          <Table
            caption={`Changed ${title}`}
            heads={['Change', ...heads.map((head, at) => [capitalize(head), from(at)] as const), 'What']}
          >
            {rows.slice(0, mostRows).map(({ change, cells, what }) => (
              <tr>
                <th scope="row">
                  <span class={`state tone-${tones[change]}`}>{capitalize(change)}</span>
                </th>
                {cells.map((cell, at) => (
                  <td class={`code ${from(at)}`}>{cell}</td>
                ))}
                <td>{what}</td>
              </tr>
            ))}
          </Table>
          {rows.length > mostRows && (
            <p class="note">The first {mostRows} are shown; the command lists all.</p>
          )}
        </>
      ))}
    </Panel>
  )
}

/** Saves a snapshot under the name of the page's form; a refusal is shown there, and the name is kept. Errors: SBX_STORE_FAIL. */
export async function saveAction(context: PagesContext, call: Call): Promise<NoticeRedirect | PageView> {
  const values = await fieldsOf(call, ['name'])
  try {
    return { to: '/snapshots', notice: await saveFromForm(context, values) }
  } catch (error) {
    const form = { values, refusal: shownRefusal(error) }
    return snapshotsPage(context, { baseUrl: baseUrlOf(call), query: {} }, form)
  }
}

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

/** Confirmation page before a snapshot is deleted: says what it has. */
export async function deleteSnapshotPage(context: PagesContext, { id }: PageRequest): Promise<PageView> {
  const { snapshots } = await listSnapshots(context)
  const { transactions = null, savedAt = null } = snapshots.find(({ name }) => name === id) ?? {}
  return questionPage(
    `Delete the snapshot ${id}`,
    `/snapshots/${id}/delete`,
    'Delete',
    ['/snapshots', 'Keep it'],
    <p class="page-lead">
      {transactions !== null && `It has ${plural(transactions, 'transaction')}, saved ${utc(savedAt)} UTC. `}
      This cannot be undone.
    </p>,
  )
}
