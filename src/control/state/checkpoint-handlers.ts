import { Readable } from 'node:stream'
import { Refusal, reject } from '../../contract/errors.ts'
import {
  type CheckpointList,
  type CheckpointView,
  checkpointControls,
  checkpointName,
  type Restored,
  type StateDiff,
} from '../../contract/sandbox/checkpoint-answers.ts'
import type { ControlInput } from '../../contract/sandbox/controls/controls.ts'
import { validate } from '../../contract/validate.ts'
import { refuseStore } from '../../engine/gate.ts'
import { NewerFormat } from '../../files/checked-json.ts'
import { membersOfQuery } from '../../http/body.ts'
import type { Call } from '../../http/call.ts'
import { type CheckpointHead, type ReadCheckpoint, readCheckpoint } from '../../store/file/state-file.ts'
import { DatabaseAway } from '../../store/postgres/connection/database-errors.ts'
import type { StoredCheckpoint } from '../../store/storage.ts'
import { suggestion } from '../../text/suggest.ts'
import { capitalize } from '../../text/words.ts'
import { diffStates } from '../../views/state-diff.ts'
import type { ControlContext } from '../control-context.ts'
import { exportOf, receive } from './portable-state.ts'
import { type RestoreContext, restore, whileStill } from './restore.ts'

type CheckpointsContext = Pick<ControlContext, 'checkpoints'>

/** The handlers of checkpoints and of an import. */
export const checkpointHandlers = {
  checkpoints: listCheckpoints,
  'save-checkpoint': (
    context: RestoreContext,
    { replace }: ControlInput<'save-checkpoint'>,
    call: Call,
  ): Promise<CheckpointView> => saveCheckpoint(context, nameIn(call), replace === true),
  'restore-checkpoint': (context: RestoreContext, _: object, call: Call): Promise<Restored> =>
    restoreCheckpoint(context, nameIn(call)),
  'remove-checkpoint': (context: CheckpointsContext, _: object, call: Call): Promise<CheckpointList> =>
    removeCheckpoint(context, nameIn(call)),
  'diff-checkpoint': (
    context: RestoreContext,
    { to }: ControlInput<'diff-checkpoint'>,
    call: Call,
  ): Promise<StateDiff> => diffCheckpoint(context, nameIn(call), to),
  import: async (
    context: RestoreContext,
    { replace }: ControlInput<'import'>,
    call: Call,
  ): Promise<Restored> => {
    const body = call.req.raw.body ?? reject('SBX_CKPT_READ', { field: 'body', detail: 'it is empty' })
    return importFrom(
      context,
      Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]),
      replace === 'true',
    )
  },
}

/** Saves the state under a name. Errors: SBX_CKPT_NAME, SBX_CKPT_EXISTS unless it replaces, SBX_STORE_FAIL. */
export async function saveCheckpoint(
  context: RestoreContext,
  given: string,
  replace: boolean,
): Promise<CheckpointView> {
  const name = requireName(given, 'name')
  const head = await whileStill(context, { name }, async (state, facts) => {
    if (!replace && (await written(() => context.checkpoints.has(name))))
      reject('SBX_CKPT_EXISTS', {
        field: 'name',
        detail: `checkpoint ${name} exists already`,
        remedy: `Choose another name, or replace it: tillbox sandbox checkpoint save ${name} --force`,
      })
    return written(() => context.checkpoints.save(name, state, facts))
  })
  return viewOf(name, head)
}

/** Replaces the state by a checkpoint. Errors: SBX_CKPT_NAME, SBX_CKPT_NONE, SBX_CKPT_READ, SBX_STORE_FAIL. */
export async function restoreCheckpoint(context: RestoreContext, given: string): Promise<Restored> {
  const name = requireName(given, 'name')
  const saved = await readNamed(context, name)
  const replaced = await restore(context, saved)
  return { ...viewOf(name, saved), replaced }
}

/** Differences of another checkpoint, or else the current state. Errors: SBX_CKPT_NAME, SBX_CKPT_NONE, SBX_CKPT_READ. */
export async function diffCheckpoint(
  context: RestoreContext,
  name: string,
  to?: string | null,
): Promise<StateDiff> {
  const from = await readNamed(context, name)
  const other = to == null ? null : await readNamed(context, requireName(to, 'to'))
  if (other !== null) return diffStates(comparedOf(name, from), comparedOf(to ?? '', other))
  return whileStill(context, { name: null }, (state, facts) =>
    diffStates(comparedOf(name, from), { name: null, state, facts }),
  )
}

/** Deletes a checkpoint; returns the remaining ones. Errors: SBX_CKPT_NAME, SBX_CKPT_NONE, SBX_STORE_FAIL. */
export async function removeCheckpoint(context: CheckpointsContext, given: string): Promise<CheckpointList> {
  const name = await existing(context, requireName(given, 'name'))
  await written(() => context.checkpoints.remove(name))
  return listCheckpoints(context)
}

/**
 * Replaces the state by an export; `adapt` changes the imported state. Errors: SBX_CKPT_READ, SBX_NOT_EMPTY,
 * SBX_STORE_FAIL.
 */
export async function importFrom(
  context: RestoreContext,
  source: AsyncIterable<Uint8Array>,
  replace: boolean,
  adapt: (saved: ReadCheckpoint) => ReadCheckpoint = (saved) => saved,
): Promise<Restored> {
  const read = async () => readCheckpoint('the file', context.newState, await receive(source))
  const saved = adapt(await readable(read, 'body'))
  const replaced = await restore(context, saved, { onlyIfEmpty: !replace })
  await context.attempts.forget() // they belong to the replaced deliveries
  return { ...viewOf(null, saved), replaced }
}

/** Sends the whole state as a file. Errors: SBX_STORE_FAIL. */
export async function sendExport(context: RestoreContext, call: Call): Promise<Response> {
  const { secrets } = validate(checkpointControls.export, membersOfQuery(call))
  const chunks = await exportOf(context, secrets === 'true')
  const body = Readable.toWeb(Readable.from(chunks)) as ReadableStream
  return call.body(body, 200, { 'Content-Type': 'application/x-ndjson' })
}

/** The checkpoints by name. Errors: SBX_STORE_FAIL. */
export async function listCheckpoints({
  checkpoints,
}: {
  readonly checkpoints: Pick<CheckpointsContext['checkpoints'], 'list'>
}): Promise<CheckpointList> {
  return { checkpoints: (await written(() => checkpoints.list())).map(listed) }
}

const nothing = {
  savedAt: null,
  sandboxTime: null,
  transactions: null,
  clock: null,
  bytes: null,
  version: null,
  format: null,
}

function listed(one: StoredCheckpoint): CheckpointList['checkpoints'][number] {
  if ('problem' in one) return { name: one.name, ...nothing, problem: one.problem.message }
  const { name, ...view } = viewOf(one.name, one.head)
  return { name, ...view, problem: null }
}

const viewOf = <N extends string | null>(name: N, { facts, bytes, version, format }: CheckpointHead) => {
  const { savedAt, sandboxTime, transactions, settings } = facts
  const { frozenAt, offset } = settings.clock
  const clock = { frozen: frozenAt !== null, offsetMs: offset }
  return { name, savedAt, sandboxTime, clock, transactions, bytes, version, format }
}

const comparedOf = (name: string, { state, facts }: ReadCheckpoint) => ({ name, state, facts })

const nameIn = (call: Call): string => requireName(call.req.param('name') ?? '', 'name')

/** Errors: SBX_CKPT_NAME. */
function requireName(name: string, field: string): string {
  if (checkpointName.test(name)) return name
  return reject('SBX_CKPT_NAME', {
    field,
    detail: `'${name.slice(0, 64)}' cannot be the name of a checkpoint`,
  })
}

/** Errors: SBX_CKPT_NONE. */
async function existing({ checkpoints }: CheckpointsContext, name: string): Promise<string> {
  if (await written(() => checkpoints.has(name))) return name
  const names = (await written(() => checkpoints.list())).map((each) => each.name)
  const remedy = names.length === 0 ? undefined : capitalize(suggestion(name, names))
  return reject('SBX_CKPT_NONE', { field: 'name', detail: `there is no checkpoint ${name}`, remedy })
}

/** Errors: SBX_CKPT_NONE, SBX_CKPT_READ. */
const readNamed = async (context: CheckpointsContext, name: string): Promise<ReadCheckpoint> => {
  await existing(context, name)
  return readable(() => context.checkpoints.read(name), 'name')
}

/** Reads a checkpoint or an import. `field`: what names it. Errors: SBX_CKPT_READ with the reason; another refusal unchanged. */
async function readable<T>(read: () => Promise<T>, field: 'name' | 'body'): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof DatabaseAway) return refuseStore(error)
    const version = error instanceof NewerFormat ? error.version : undefined
    const remedy = version ? `Use the tillbox that wrote it: npx tillbox@${version}` : undefined
    return reject('SBX_CKPT_READ', { field, detail: (error as Error).message, remedy })
  }
}

/** Runs a write or a listing. Errors: SBX_STORE_FAIL with the error of the disk or the database. */
async function written<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    return refuseStore(error as Error)
  }
}
