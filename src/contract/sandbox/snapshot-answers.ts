import * as v from 'valibot'
import { amount, amountOrNull, list, one, shape, text, textOrNull, word } from '../answer-kinds.ts'
import { flag, optional, queryFlag } from '../member-kinds.ts'
import type { TransactionType } from '../statuses.ts'
import { type Control, get, post, put, remove } from './control.ts'

/** Form of snapshot names, which are file names, too. */
export const snapshotName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The clock after a restore: frozen, or running at this offset from the wall clock. */
const savedClock = shape({ frozen: v.boolean(), offsetMs: amount, speed: v.optional(amount) })

/** Facts of a saved state. Times in ISO 8601. */
const savedState = {
  /** By the wall clock. */
  savedAt: text,
  /** Sandbox clock when it was saved. */
  sandboxTime: text,
  clock: savedClock,
  transactions: amount,
  /** Size of its file. */
  bytes: amount,
  /** Version of the tillbox that wrote it, and the format of its lines. */
  version: text,
  format: amount,
}

/** A snapshot. */
const snapshotView = shape({ name: text, ...savedState })
export type SnapshotView = v.InferOutput<typeof snapshotView>

/** A snapshot of the list; if it cannot be read, `problem` says why and the rest is null. */
const listedSnapshot = shape({
  name: text,
  /** By the wall clock. */
  savedAt: textOrNull,
  sandboxTime: textOrNull,
  clock: v.nullable(savedClock),
  transactions: amountOrNull,
  bytes: amountOrNull,
  version: textOrNull,
  format: amountOrNull,
  problem: textOrNull,
})
export type ListedSnapshot = v.InferOutput<typeof listedSnapshot>

const snapshotList = shape({ snapshots: list(listedSnapshot) })
export type SnapshotList = v.InferOutput<typeof snapshotList>

/** The state that a restore or an import put in place. */
const restoredState = {
  name: textOrNull,
  ...savedState,
  /** How many transactions there were before. */
  replaced: amount,
}
const restored = shape(restoredState)
export type Restored = v.InferOutput<typeof restored>

/** Answer of `restore-snapshot`. */
const restoredSnapshot = shape({
  ...restoredState,
  /** The snapshot of the state before, if the request asked for it. */
  kept: v.exactOptional(text),
})

/** A changed member, before and after; null: it was absent. */
const memberChange = shape({
  member: text,
  from: v.nullable(v.union([text, amount, v.boolean()])),
  to: v.nullable(v.union([text, amount, v.boolean()])),
})
export type MemberChange = v.InferOutput<typeof memberChange>

const change = one(['added', 'removed', 'changed'])
const changed = {
  merchantId: text,
  /** Whether only the second state has it, only the first, or both. */
  change,
  changes: list(memberChange),
}

const changedTransaction = shape({
  transactionId: text,
  type: word<TransactionType>(),
  terminalSn: textOrNull,
  referenceOrderId: textOrNull,
  /** Status and amount of the second state, or of the first if only that has it. Minor units. */
  status: text,
  amount,
  currency: text,
  ...changed,
})
export type ChangedTransaction = v.InferOutput<typeof changedTransaction>

const changedBatch = shape({
  terminalSn: text,
  batchNo: amount,
  channel: text,
  status: one(['open', 'closed']),
  count: amount,
  net: amount,
  currency: text,
  ...changed,
})
export type ChangedBatch = v.InferOutput<typeof changedBatch>

const changedTerminal = shape({
  terminalSn: text,
  ...changed,
  /** Null for a terminal that belongs to no merchant. */
  merchantId: textOrNull,
})
export type ChangedTerminal = v.InferOutput<typeof changedTerminal>

const changedWebhook = shape({
  id: text,
  transactionId: text,
  /** Name of a terminal event; null for a result. */
  event: textOrNull,
  url: text,
  /** State of the delivery. */
  state: text,
  ...changed,
})
export type ChangedWebhook = v.InferOutput<typeof changedWebhook>

/** A compared state: a snapshot, or the current state of the sandbox, which has no name. */
const comparedState = shape({ name: textOrNull, sandboxTime: text, transactions: amount })

const stateDiff = shape({
  from: comparedState,
  to: comparedState,
  /** True when nothing below differs. */
  same: v.boolean(),
  transactions: list(changedTransaction),
  batches: list(changedBatch),
  terminals: list(changedTerminal),
  webhooks: list(changedWebhook),
  /** Clock and faults. */
  settings: list(memberChange),
})
export type StateDiff = v.InferOutput<typeof stateDiff>

/** Saves the state first. */
export const keepMember = optional(flag('Save the state before as a snapshot; the answer names it in kept'))

/** Snapshots, and the whole state as a file. Paths with `:name` name a snapshot. */
export const snapshotControls = {
  snapshots: get('/snapshots', 'List the snapshots', {}, snapshotList),
  'save-snapshot': put(
    '/snapshots/:name',
    'Save the state as a snapshot',
    { replace: optional(flag('Replace the snapshot of that name')) },
    snapshotView,
  ),
  'restore-snapshot': post(
    '/snapshots/:name/restore',
    'Restore a snapshot',
    { keep: keepMember },
    restoredSnapshot,
  ),
  'remove-snapshot': remove('/snapshots/:name', 'Remove a snapshot', {}, snapshotList),
  'diff-snapshot': get(
    '/snapshots/:name/diff',
    'Compare a snapshot with the state as it is, or with another snapshot',
    { to: optional(v.pipe(v.string(), v.description('Snapshot to compare it with'))) },
    stateDiff,
  ),
  export: get(
    '/export',
    'Send the whole state as one file, a JSON object a line',
    { secrets: queryFlag('With keys, webhook secrets and allow-lists') },
    null,
  ),
  import: {
    ...post(
      '/import',
      'Replace the whole state by an export, which is the body',
      { replace: queryFlag('Even if the sandbox has transactions') },
      restored,
    ),
    body: 'file',
  },
} as const satisfies Record<string, Control>
