import { terminalPath } from '../../../contract/control/screens.ts'
import type { ListedSnapshot, StateDiff } from '../../../contract/control/snapshot-answers.ts'
import { reject } from '../../../contract/errors.ts'
import { type DiffRow, diffTables } from '../../../contract/presentation/diff-tables.ts'
import { money } from '../../../contract/presentation/money.ts'
import { keepAndReset, keepAndRestore } from '../../../sandbox/control/state/keep-state.ts'
import {
  diffSnapshot,
  listSnapshots,
  saveSnapshot,
} from '../../../sandbox/control/state/snapshot-handlers.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { PostButton } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import { Command } from '../../components/command.tsx'
import { formatNumber, plural, utc } from '../../components/format.ts'
import { actionLooks } from '../../components/looks.ts'
import { Empty, Panel, Table } from '../../components/panel.tsx'
import type { DoneNotice, MakePage, PagesContext } from '../../frame/page-view.tsx'
import { pageBefore } from '../../serving/form-fields.ts'
import { type Column, ListTable } from '../lists/list-table.tsx'
import { AddForm, formAction, questionPage } from '../payments/form-parts.tsx'

/**
 * Saves the state, and lists the snapshots, the latest first: each can be compared with now, restored and
 * deleted.
 */
export const snapshotsPage: MakePage = async (context, { baseUrl, query }, form = { values: {} }) => {
  const snapshots = latestFirst((await context.send(listSnapshots)).snapshots)
  const { compare = '', to } = query
  const diff = compare === '' ? null : await context.send(diffSnapshot, compare, to)
  const isEmpty = snapshots.length === 0
  const add = (
    <AddForm
      title="New snapshot"
      action="/snapshots"
      submit="Save snapshot"
      form={form}
      fields={[{ name: 'name', label: 'Name', maxLength: 64, placeholder: 'before-lunch' }]}
    />
  )
  return {
    title: 'Snapshots',
    section: 'sandbox',
    lead: 'Saved states: compare them, and go back to one.',
    aside: () => !isEmpty && add,
    body: () => (
      <>
        <section class="panel">
          {isEmpty ? (
            <Empty title="No snapshot is saved">
              <p>
                A snapshot keeps payments, terminals and webhooks as they are now, to compare with or go back
                to.
              </p>
              {add}
            </Empty>
          ) : (
            <Table caption="Snapshots, the latest first" heads={heads}>
              {snapshots.map((each) => snapshotRow(each, compare))}
            </Table>
          )}
        </section>
        {diff !== null && differences(diff, baseUrl)}
      </>
    ),
  }
}

/** The latest snapshots first. */
export const latestFirst = (snapshots: readonly ListedSnapshot[]): readonly ListedSnapshot[] =>
  snapshots.toSorted((one, other) => (other.savedAt ?? '').localeCompare(one.savedAt ?? ''))

const heads = [
  'Name',
  ['Transactions', 'figure @max-sm:hidden'],
  ['Sandbox time (UTC)', '@max-md:hidden'],
  ['Saved (UTC)', '@max-lg:hidden'],
  ['Actions', 'figure'],
] as const

/** `from`: name of the snapshot that is compared: with this one next. */
const snapshotRow = ({ name, transactions, sandboxTime, savedAt, problem }: ListedSnapshot, from: string) => (
  <tr>
    <th scope="row">
      <span class="code">{name}</span>
      {problem !== null && <span class="text-bad"> {problem}</span>}
      {transactions !== null && (
        <span class="under block @sm:hidden">
          {plural(transactions, 'transaction')}, {utc(sandboxTime)}
        </span>
      )}
    </th>
    <td class="figure @max-sm:hidden">{transactions === null ? '–' : formatNumber(transactions)}</td>
    <td class="@max-md:hidden whitespace-nowrap">{utc(sandboxTime)}</td>
    <td class="@max-lg:hidden whitespace-nowrap">{utc(savedAt)}</td>
    <td class="figure">
      <span class="row-actions max-sm:-mx-1 flex flex-wrap gap-3 @sm:justify-end">
        {problem === null && (
          <>
            {from !== '' && from !== name ? (
              <a class={actionLooks.link} href={`/snapshots?compare=${from}&to=${name}#differences-title`}>
                Compare with {from}
                <span class="sr-only"> {name}</span>
              </a>
            ) : (
              <a class={actionLooks.link} href={`/snapshots?compare=${name}#differences-title`}>
                Compare<span class="sr-only"> {name} with now</span>
              </a>
            )}
            <PostButton action={`/snapshots/${name}/restore`} look="link" about={name}>
              Restore
            </PostButton>
          </>
        )}
        <a class={actionLooks.quiet} href={`/snapshots/${name}/delete`} data-drawer>
          Delete…<span class="sr-only"> {name}</span>
        </a>
      </span>
    </td>
  </tr>
)

/** Most rows of a table; a command lists all differences. */
const mostRows = 100

/** Rows that changed alike are shown one by one while there are no more of them. */
const fewAlike = 3

const tones = { added: 'good', removed: 'bad', changed: 'open' } as const

/** What changed since a snapshot, a table for each kind of record; below it what changed alike. */
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
      {diffTables(diff, money).map(({ title, heads, rows }) => {
        const groups = alike(rows)
        const table = (shown: readonly DiffRow[]) => (
          <>
            <ListTable
              caption={`Changed ${title}`}
              columns={diffColumns(heads, other === null)}
              rows={shown.slice(0, mostRows)}
            />
            {shown.length > mostRows && (
              <p class="text-note text-ink-soft">The first {mostRows} are shown; the command lists all.</p>
            )}
          </>
        )
        const few = groups.flatMap(([, group]) => (group.length > fewAlike ? [] : group))
        return (
          <>
            <h3 class="mt-3">
              {capitalize(title)} <span class="text-note text-ink-soft">{formatNumber(rows.length)}</span>
            </h3>
            {few.length > 0 && table(few)}
            {groups.map(
              ([said, group]) =>
                group.length > fewAlike && (
                  <Fold summary={`${formatNumber(group.length)} ${said}`} look="small">
                    {table(group)}
                  </Fold>
                ),
            )}
          </>
        )
      })}
    </Panel>
  )
}

/** Rows by what is said of them: `changed: batch status open → closed`. */
function alike(rows: readonly DiffRow[]) {
  const groups = new Map<string, DiffRow[]>()
  for (const row of rows) {
    const said = `${row.change}: ${row.what}`
    const group = groups.get(said) ?? []
    if (group.push(row) === 1) groups.set(said, group)
  }
  return [...groups]
}

/** Where a record of that kind is shown; undefined for a setting. */
function recordPath(kind: string, id: string): string | undefined {
  if (kind === 'transaction') return `/transactions/${id}`
  return kind === 'terminal' ? terminalPath(id) : undefined
}

/** The columns of records that differ; `isNow`: they are compared with what there is now. */
const diffColumns = (heads: readonly string[], isNow: boolean): readonly Column<DiffRow>[] => {
  const fact = (at: number): Column<DiffRow> => ({
    head: capitalize(heads[at] ?? ''),
    look: `${at === 1 ? '@sm:w-28' : '@sm:w-42'} ${heads[at] === 'amount' ? '@max-sm:hidden figure' : '@max-lg:hidden'}`,
    cell: ({ cells }) => capitalize(cells[at] ?? ''),
  })
  return [
    {
      head: capitalize(heads[0] ?? ''),
      look: '@sm:w-42 wraps',
      cell: ({ cells: [id = ''], change }) => {
        const path = isNow && change !== 'removed' ? recordPath(heads[0] ?? '', id) : undefined
        return <span class="code">{path === undefined ? id : <a href={path}>{id}</a>}</span>
      },
      isName: true,
    },
    {
      head: 'Change',
      look: '@sm:w-28',
      cell: ({ change }) => <span class={`state tone-${tones[change]}`}>{capitalize(change)}</span>,
    },
    fact(1),
    { ...fact(2), isUnder: true },
    {
      head: 'What',
      look: 'wraps @max-sm:text-note @max-sm:text-ink-soft',
      cell: ({ what }) => capitalize(what),
    },
  ]
}

/** Saves a snapshot under a new name. */
export const saveAction = formAction(snapshotsPage, ['name'], async (context, { name = '' }, _, call) => {
  const { transactions } = await context.send(saveSnapshot, name.trim(), false)
  const text = `Saved ${name.trim()} with ${plural(transactions, 'transaction')}.`
  return { to: pageBefore(call, '/snapshots'), notice: { text } }
})

/** Takes away what happened, once it is kept as a snapshot. */
export async function resetKept(context: PagesContext): Promise<DoneNotice> {
  const kept = await context.send(keepAndReset)
  if (kept === null) return { text: 'Reset. Nothing was stored.' }
  const { name, transactions } = kept
  return { text: `Reset. ${plural(transactions, 'transaction')} kept in ${name}.`, undo: restoring(name) }
}

/** Restores a snapshot, once the state is kept as another one. */
export async function restoreKept(context: PagesContext, name: string): Promise<DoneNotice> {
  const { transactions, kept } = await context.send(keepAndRestore, name)
  const text = `Restored ${name} with ${plural(transactions, 'transaction')}.`
  return { text, undo: restoring(kept) }
}

const restoring = (name: string) => ({ path: `/snapshots/${name}/restore`, fields: {} })

/** Confirmation page of a reset: lists what it removes. */
export const resetPage: MakePage = ({ statistics }) => {
  const { transactions, deliveries } = statistics.current
  return questionPage(
    'Reset the sandbox',
    '/reset',
    'Reset',
    ['/', 'Keep everything'],
    <>
      <ul class="grid gap-1 tabular-nums">
        <li>
          This deletes {plural(transactions.length, 'transaction')}, their batches,{' '}
          {plural(deliveries.all.length, 'webhook')}, queued outcomes and used request ids.
        </li>
        <li>It keeps terminals, applications, clock, faults and snapshots.</li>
      </ul>
      <p class="text-sm text-ink-soft">The state is saved as a snapshot first, so that you can undo this.</p>
    </>,
  )
}

/** Confirmation page before a snapshot is deleted: says what it has. */
export const deleteSnapshotPage: MakePage = async (context, { id }) => {
  const { snapshots } = await context.send(listSnapshots)
  const { transactions, savedAt, sandboxTime } =
    snapshots.find(({ name }) => name === id) ??
    reject('SBX_SNAP_NONE', { message: `There is no snapshot ${id}` })
  return questionPage(
    `Delete the snapshot ${id}`,
    `/snapshots/${id}/delete`,
    'Delete',
    ['/snapshots', 'Keep it'],
    <>
      {transactions !== null && (
        <ul class="grid gap-1 tabular-nums">
          <li>It has {plural(transactions, 'transaction')}.</li>
          <li>Sandbox time: {utc(sandboxTime)} UTC</li>
          <li>Saved, wall clock: {utc(savedAt)} UTC</li>
        </ul>
      )}
      <p class="text-sm text-ink-soft">This cannot be undone.</p>
    </>,
  )
}
