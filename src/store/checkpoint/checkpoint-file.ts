import { randomUUID } from 'node:crypto'
import { closeSync, readSync, statSync } from 'node:fs'
import * as v from 'valibot'
import { countTransactions, type State } from '../../domain/state.ts'
import { DamagedFile } from '../../files/checked-json.ts'
import { openState } from '../../files/files.ts'
import { type Header, headerLine, requireHeader } from '../file/format/checks.ts'
import { recordFormat } from '../file/format/manifest.ts'
import { DamagedLine, readLines } from '../file/format/state-lines.ts'
import { type SnapshotLine, snapshotBlocks } from '../file/snapshot.ts'
import { SnapshotReader } from '../file/snapshot-reader.ts'
import { accessSettings, checkpointSettings } from '../settings.ts'
import { missingIn, recordChecks } from './record-checks.ts'

/**
 * A checkpoint, like an export, is a snapshot with one record a line: every reader of a state can read it, and so can
 * people. Its first line says what the file is, and has the settings that belong to the state.
 */

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const moment = v.pipe(v.string(), v.isoTimestamp())

const facts = v.strictObject({
  /** Null for an export. */
  name: v.nullable(v.string()),
  /** Wall clock and sandbox clock when it was saved. */
  savedAt: moment,
  sandboxTime: moment,
  transactions: count,
  settings: checkpointSettings,
  access: v.exactOptional(accessSettings),
})
/** Facts about the state, in the first line. */
export type CheckpointFacts = Readonly<v.InferOutput<typeof facts>>

/** The members of the first line. */
const firstMembers = v.strictObject({
  format: v.number(),
  id: v.pipe(v.string(), v.uuid()),
  version: v.pipe(v.string(), v.maxLength(64)),
  checkpoint: facts,
  crc: v.string(),
})

/** The first line of a checkpoint. */
interface CheckpointHeader extends Header {
  readonly checkpoint: CheckpointFacts
}

/** The facts that are known without reading the whole checkpoint. */
export interface CheckpointHead {
  readonly facts: CheckpointFacts
  /** Format of its lines, as in the state files. */
  readonly format: number
  /** Version of the tillbox that wrote it. */
  readonly version: string
  readonly bytes: number
}

/** A checkpoint that was read completely. */
export interface ReadCheckpoint extends CheckpointHead {
  readonly state: State
}

/** The text of a checkpoint in blocks, each valid until the next one is asked for. */
export function checkpointBlocks(state: State, facts: CheckpointFacts): Generator<Uint8Array> {
  const header: CheckpointHeader = { ...headerLine(randomUUID(), recordFormat), checkpoint: facts }
  return snapshotBlocks(state, header)
}

/**
 * Fills an empty state from a checkpoint. The file is not changed. Errors: DamagedFile for a file that is not a
 * checkpoint or does not match its first line; DamagedLine; NewerFormat with the version that wrote it; an Error of the
 * file system.
 */
export function readCheckpoint(path: string, empty: () => State): ReadCheckpoint {
  const head = readHead(path)
  const state = empty()
  const reader = new SnapshotReader(path, undefined, state, recordChecks())
  const { soundBytes, unfinishedBytes, lines } = readLines<SnapshotLine>(path, {
    take: (value, line, offset, bytes) => reader.take(value, line, offset, bytes),
  })
  if (unfinishedBytes > 0 || reader.finish() !== lines - 1)
    throw new DamagedLine(path, lines + 1, soundBytes, 'its end is missing')
  const count = countTransactions(state)
  if (count !== head.facts.transactions)
    throw new DamagedFile(path, `it has ${count} transactions, and says ${head.facts.transactions}`)
  const missing = missingIn(state)
  if (missing !== undefined) throw new DamagedFile(path, missing)
  return { ...head, state }
}

/** Most bytes of the first line: it holds up to a hundred faults, and the keys and addresses of many applications. */
const longestHead = 4 * 1024 * 1024

/** The facts of the first line. Errors: as `readCheckpoint`. */
export function readHead(path: string): CheckpointHead {
  const header = firstLine(path)
  const damaged = (why: string) => new DamagedLine(path, 1, 0, why)
  const format = requireHeader(path, header, undefined, damaged)
  if (!('checkpoint' in header))
    throw new DamagedFile(path, 'it is a snapshot of a state folder, and no checkpoint or export')
  const parsed = v.safeParse(firstMembers, header)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw damaged(`${v.getDotPath(issue) ?? 'it'}: ${issue.message}`)
  }
  const { checkpoint, version } = parsed.output
  return { facts: checkpoint, format, version, bytes: statSync(path).size }
}

function firstLine(path: string): Header & { readonly checkpoint?: unknown } {
  const bytes = firstBytes(path)
  let first: Header | undefined
  try {
    readLines<Header>(path, {
      bytes,
      take: (value) => {
        first ??= value
      },
    })
  } catch (error) {
    if (!(error instanceof DamagedLine)) throw error
  }
  if (first === undefined || typeof first !== 'object')
    throw new DamagedFile(path, 'it is not a checkpoint or export of tillbox, or its first line is damaged')
  return first
}

/** Length of the first line in bytes, including its newline. */
function firstBytes(path: string): number {
  const file = openState(path, 'read')
  try {
    const chunk = Buffer.alloc(64 * 1024)
    for (let position = 0; position < longestHead; position += chunk.length) {
      const read = readSync(file, chunk, 0, chunk.length, position)
      const end = chunk.subarray(0, read).indexOf(10)
      if (end !== -1) return position + end + 1
      if (read < chunk.length) return position + read
    }
    return longestHead
  } finally {
    closeSync(file)
  }
}
