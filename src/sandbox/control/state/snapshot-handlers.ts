import { Readable } from 'node:stream'
import {
  type Restored,
  type SnapshotList,
  type SnapshotView,
  type StateDiff,
  snapshotControls,
  snapshotName,
} from '../../../contract/control/snapshot-answers.ts'
import { Refusal, reject } from '../../../contract/errors.ts'
import { validate } from '../../../contract/validate.ts'
import { NewerFormat } from '../../../shared/files/checked-json.ts'
import { command } from '../../../shared/text/commands.ts'
import { suggestion } from '../../../shared/text/suggest.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { refuseStore } from '../../engine/gate.ts'
import { membersOfQuery } from '../../http/body.ts'
import type { Call } from '../../http/call.ts'
import { type ReadSnapshot, readSnapshot, type SnapshotHead } from '../../store/file/state-file.ts'
import { DatabaseAway } from '../../store/postgres/connection/database-errors.ts'
import type { Snapshots, StoredSnapshot } from '../../store/storage.ts'
import { diffStates } from '../../views/state-diff.ts'
import type { ControlContext, ControlHandlers } from '../control-context.ts'
import { exportChunks, receive } from './portable-state.ts'
import { restore, whileStill } from './restore.ts'

/** The handlers of snapshots and of an import. */
export const snapshotHandlers: ControlHandlers<
  Exclude<keyof typeof snapshotControls, 'export' | 'restore-snapshot'>
> = {
  snapshots: listSnapshots,
  'save-snapshot': (context, { replace }, call) => saveSnapshot(context, nameIn(call), replace === true),
  'remove-snapshot': (context, _, call) => removeSnapshot(context, nameIn(call)),
  'diff-snapshot': (context, { to }, call) => diffSnapshot(context, nameIn(call), to),
  import: async (context, { replace }, call) => {
    const body = call.req.raw.body ?? reject('SBX_SNAP_READ', { field: 'body', detail: 'it is empty' })
    const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
    return importFrom(context, source, replace === 'true')
  },
}

/** Saves the state under a name. */
export async function saveSnapshot(
  context: ControlContext,
  wantedName: string,
  replace: boolean,
): Promise<SnapshotView> {
  const name = requireName(wantedName, 'name')
  const head = await whileStill(context, { name }, async (state, facts) => {
    if (!replace && (await context.snapshots.has(name).catch(refuseStore)))
      reject('SBX_SNAP_EXISTS', {
        field: 'name',
        message: `Snapshot ${name} exists already`,
        remedy: `Choose another name, or delete this one first, or ${command('sandbox snapshot save', name, '--force')}`,
      })
    await refuseOtherCase(context, name)
    return saveNew(context, name, state, facts)
  })
  return toSnapshotView(name, head)
}

/** Some file systems keep one file for names that differ only in case. */
async function refuseOtherCase({ snapshots }: ControlContext, wantedName: string): Promise<void> {
  const all = await snapshots.list().catch(refuseStore)
  const other = all.find(({ name }) => name.toLowerCase() === wantedName.toLowerCase())
  if (other !== undefined && !all.some(({ name }) => name === wantedName))
    reject('SBX_SNAP_EXISTS', {
      field: 'name',
      detail: `snapshot ${other.name} differs from ${wantedName} only in case`,
      remedy: `Choose another name, or remove it: ${command('sandbox snapshot remove', other.name)}`,
    })
}

/** Writes a snapshot. */
export const saveNew = (
  { snapshots }: ControlContext,
  ...saved: Parameters<ControlContext['snapshots']['save']>
): Promise<SnapshotHead> => snapshots.save(...saved).catch(refuseStore)

/** Replaces the state by a snapshot. */
export async function restoreSnapshot(context: ControlContext, wantedName: string): Promise<Restored> {
  const saved = await readNamed(context, wantedName)
  const replaced = await restore(context, saved)
  return { ...toSnapshotView(saved.name, saved), replaced }
}

/** Differences of another snapshot, or else the current state. */
export async function diffSnapshot(
  context: ControlContext,
  name: string,
  to?: string | null,
): Promise<StateDiff> {
  const from = await readNamed(context, name)
  const other = to == null ? null : await readNamed(context, requireName(to, 'to'))
  if (other !== null) return diffStates(from, other)
  return whileStill(context, { name: null }, (state, facts) => diffStates(from, { name: null, state, facts }))
}

/** Deletes a snapshot; returns the remaining ones. */
export async function removeSnapshot(context: ControlContext, wantedName: string): Promise<SnapshotList> {
  const name = await existing(context, requireName(wantedName, 'name'))
  await context.snapshots.remove(name).catch(refuseStore)
  return listSnapshots(context)
}

/** Replaces the state by an export. */
export async function importFrom(
  context: ControlContext,
  source: AsyncIterable<Uint8Array>,
  replace: boolean,
): Promise<Restored> {
  const read = async () => readSnapshot('the file', context.newState, await receive(source))
  const saved = await readable(read, 'body')
  const replaced = await restore(context, saved, { onlyIfEmpty: !replace })
  await context.attempts.forget() // they belong to the replaced deliveries
  return { ...toSnapshotView(null, saved), replaced }
}

/** Sends the whole state as a file. */
export async function sendExport(context: ControlContext, call: Call): Promise<Response> {
  const { secrets } = validate(snapshotControls.export, membersOfQuery(call).members)
  const chunks = await exportChunks(context, secrets === 'true')
  const body = Readable.toWeb(Readable.from(chunks)) as ReadableStream
  return call.body(body, 200, { 'Content-Type': 'application/json' })
}

/** The snapshots by name. */
export async function listSnapshots({
  snapshots,
}: {
  readonly snapshots: Pick<Snapshots, 'list'>
}): Promise<SnapshotList> {
  return { snapshots: (await snapshots.list().catch(refuseStore)).map(listed) }
}

const unreadable = {
  savedAt: null,
  sandboxTime: null,
  transactions: null,
  clock: null,
  bytes: null,
  version: null,
  format: null,
}

function listed(one: StoredSnapshot): SnapshotList['snapshots'][number] {
  if ('problem' in one) return { name: one.name, ...unreadable, problem: one.problem.message }
  const { name, ...view } = toSnapshotView(one.name, one.head)
  return { name, ...view, problem: null }
}

export const toSnapshotView = <N extends string | null>(
  name: N,
  { facts, bytes, version, format }: SnapshotHead,
) => {
  const { savedAt, sandboxTime, transactions, settings } = facts
  const { frozenAt, offset, speed } = settings.clock
  const running = speed === undefined ? offset : Date.parse(sandboxTime) - Date.parse(savedAt)
  const clock = { frozen: frozenAt !== null, offsetMs: running, ...(speed && { speed }) }
  return { name, savedAt, sandboxTime, clock, transactions, bytes, version, format }
}

const nameIn = (call: Call): string => requireName(call.req.param('name') ?? '', 'name')

function requireName(name: string, field: string): string {
  if (snapshotName.test(name)) return name
  const message = `'${name.slice(0, 64)}' cannot be the name of a snapshot`
  return reject('SBX_SNAP_NAME', { field, message })
}

async function existing({ snapshots }: ControlContext, name: string): Promise<string> {
  if (await snapshots.has(name).catch(refuseStore)) return name
  const names = (await snapshots.list().catch(refuseStore)).map((each) => each.name)
  const remedy = names.length === 0 ? undefined : capitalize(suggestion(name, names))
  return reject('SBX_SNAP_NONE', { field: 'name', message: `There is no snapshot ${name}`, remedy })
}

/** Reads a snapshot. */
export async function readNamed(
  context: ControlContext,
  wantedName: string,
): Promise<ReadSnapshot & { readonly name: string }> {
  const name = await existing(context, requireName(wantedName, 'name'))
  return { name, ...(await readable(() => context.snapshots.read(name), 'name')) }
}

/** Reads a snapshot or an import. `field`: what names it. */
async function readable<T>(read: () => Promise<T>, field: 'name' | 'body'): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof DatabaseAway) return refuseStore(error)
    const version = error instanceof NewerFormat ? error.version : undefined
    const remedy = version ? `Use tillbox ${version}, which wrote it` : undefined
    return reject('SBX_SNAP_READ', { field, detail: (error as Error).message, remedy })
  }
}
