import * as v from 'valibot'
import {
  amount,
  amountOrNull,
  described,
  list,
  named,
  one,
  shape,
  text,
  textOrNull,
  word,
} from '../answer-kinds.ts'
import { flag, optional, queryFlag } from '../member-kinds.ts'
import { transactionTypes } from '../statuses.ts'
import { type Control, get, post, put, remove } from './control.ts'

/** Form of snapshot names, which are file names, too. */
export const snapshotName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The clock after a restore: frozen, or running at this offset from the wall clock. */
const savedClock = shape({ frozen: v.boolean(), offsetMs: amount, speed: v.optional(amount) })

/** Facts of a saved state. Times in ISO 8601. */
const savedState = {
  savedAt: described(text, 'By the wall clock'),
  sandboxTime: described(text, 'Sandbox clock when it was saved'),
  clock: savedClock,
  transactions: amount,
  bytes: described(amount, 'Size of its file'),
  version: described(text, 'Version of the tillbox that wrote it, and the format of its lines'),
  format: amount,
}

const snapshotView = named('SnapshotView', 'A snapshot', { name: text, ...savedState })
export type SnapshotView = v.InferOutput<typeof snapshotView>

const listedSnapshot = named(
  'ListedSnapshot',
  'A snapshot of the list. If its first lines cannot be read, `problem` says why and the rest is null; a restore or a comparison checks it whole',
  {
    name: text,
    savedAt: described(textOrNull, 'By the wall clock'),
    sandboxTime: textOrNull,
    clock: v.nullable(savedClock),
    transactions: amountOrNull,
    bytes: amountOrNull,
    version: textOrNull,
    format: amountOrNull,
    problem: textOrNull,
  },
)
export type ListedSnapshot = v.InferOutput<typeof listedSnapshot>

const snapshotList = named('SnapshotList', 'The saved snapshots', {
  snapshots: list(listedSnapshot),
})
export type SnapshotList = v.InferOutput<typeof snapshotList>

/** The state that a restore or an import put in place. */
const restoredState = {
  name: textOrNull,
  ...savedState,
  replaced: described(amount, 'How many transactions there were before'),
}
const restored = named('Restored', 'The state that a restore or an import put in place', restoredState)
export type Restored = v.InferOutput<typeof restored>

const restoredSnapshot = shape({
  ...restoredState,
  kept: v.exactOptional(described(text, 'The snapshot of the state before, if the request asked for it')),
})

const memberChange = named('MemberChange', 'A changed member, before and after; null: it was absent', {
  member: text,
  from: v.nullable(v.union([text, amount, v.boolean()])),
  to: v.nullable(v.union([text, amount, v.boolean()])),
})
export type MemberChange = v.InferOutput<typeof memberChange>

const change = one(['added', 'removed', 'changed'])
const changed = {
  merchantId: text,
  change: described(change, 'Whether only the second state has it, only the first, or both'),
  changes: list(memberChange),
}

const changedTransaction = named('ChangedTransaction', 'A transaction that differs between two states', {
  transactionId: text,
  type: word(transactionTypes),
  terminalSn: textOrNull,
  referenceOrderId: textOrNull,
  status: described(text, 'Status and amount of the second state, or of the first if only that has it'),
  amount,
  currency: text,
  ...changed,
})
export type ChangedTransaction = v.InferOutput<typeof changedTransaction>

const changedBatch = named('ChangedBatch', 'A batch that differs between two states', {
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

const changedTerminal = named('ChangedTerminal', 'A terminal that differs between two states', {
  terminalSn: text,
  ...changed,
  merchantId: described(textOrNull, 'Null for a terminal that belongs to no merchant'),
})
export type ChangedTerminal = v.InferOutput<typeof changedTerminal>

const changedWebhook = named('ChangedWebhook', 'A delivery that differs between two states', {
  id: text,
  transactionId: text,
  event: described(textOrNull, 'Name of a terminal event; null for a result'),
  url: text,
  state: described(text, 'State of the delivery'),
  ...changed,
})
export type ChangedWebhook = v.InferOutput<typeof changedWebhook>

/** A compared state: a snapshot, or the current state of the sandbox, which has no name. */
const comparedState = shape({ name: textOrNull, sandboxTime: text, transactions: amount })

const stateDiff = named('StateDiff', 'What differs between two states', {
  from: comparedState,
  to: comparedState,
  same: described(v.boolean(), 'True when nothing below differs'),
  transactions: list(changedTransaction),
  batches: list(changedBatch),
  terminals: list(changedTerminal),
  webhooks: list(changedWebhook),
  settings: described(list(memberChange), 'Clock and faults'),
})
export type StateDiff = v.InferOutput<typeof stateDiff>

/** Saves the state first. */
export const keepMember = optional(flag('Save the state before as a snapshot; the answer names it in kept'))

/** Snapshots, and the whole state as a file. Paths with `:name` name a snapshot. */
export const snapshotControls = {
  snapshots: get('/snapshots', {
    summary: 'List the snapshots of the running sandbox',
    command: 'sandbox snapshot list',
    answer: snapshotList,
  }),
  'save-snapshot': put('/snapshots/:name', {
    summary: 'Save the state of the running sandbox under a name',
    command: 'sandbox snapshot save',
    tool: { name: 'save_snapshot', shows: ['name', 'transactions', 'sandboxTime'] },
    answer: snapshotView,
    input: {
      replace: optional(flag('Replace the snapshot of that name')),
    },
  }),
  'restore-snapshot': post('/snapshots/:name/restore', {
    summary: 'Restore a snapshot in place of the current state',
    tool: {
      name: 'restore_snapshot',
      note: 'The state before is saved first, as the snapshot kept.',
      takes: [],
      says: { keep: true },
      shows: ['name', 'transactions', 'replaced', 'kept'],
      destroys: true,
    },
    answer: restoredSnapshot,
    input: {
      keep: keepMember,
    },
  }),
  'remove-snapshot': remove('/snapshots/:name', { summary: 'Remove a snapshot', answer: snapshotList }),
  'diff-snapshot': get('/snapshots/:name/diff', {
    summary: 'Show what changed since a snapshot',
    command: 'sandbox snapshot diff',
    answer: stateDiff,
    input: {
      to: optional(
        v.pipe(v.string(), v.description('Snapshot to compare it with; left out, the state as it is')),
      ),
    },
  }),
  export: get('/export', {
    summary: 'Send the whole state as one file: a JSON array with one record a line',
    answer: null,
    input: {
      secrets: queryFlag('With keys, webhook secrets and allow-lists'),
    },
  }),
  import: post('/import', {
    summary: 'Replace the whole state with the export in the body',
    body: 'file',
    answer: restored,
    input: {
      replace: queryFlag('Even if the sandbox has transactions'),
    },
  }),
} as const satisfies Record<string, Control>
