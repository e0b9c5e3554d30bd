import type { State } from '../../domain/state.ts'
import { DamagedLine, decodeLine } from '../file/lines.ts'
import { formatLine, type SnapshotLine, SnapshotReader, snapshotLines } from '../file/snapshot.ts'
import type { RunStatement, StatementValue } from './connection/connection.ts'

/** Lines that one query reads. */
const linesAtOnce = 200

/** Characters of lines in one write. */
const pieceLength = 1024 * 1024

/** The lines of a snapshot as text, in pieces of one write each. */
export const snapshotPieces = (state: State): string[][] => piecesOf(snapshotLines(state, formatLine()))

/** Lines in pieces of one write each. */
export function piecesOf(lines: Iterable<string>): string[][] {
  const pieces: string[][] = []
  let [piece, length]: [string[], number] = [[], 0]
  for (const line of lines) {
    piece.push(line)
    length += line.length
    if (length < pieceLength) continue
    pieces.push(piece)
    ;[piece, length] = [[], 0]
  }
  return piece.length === 0 ? pieces : [...pieces, piece]
}

/** Writes lines into a table; `key`: the columns before the line, and their values. Errors: as `Run`. */
export async function insertLines(
  run: RunStatement,
  table: 'snapshots (space, sequence, line, body)' | 'checkpoints (space, name, line, body)',
  key: readonly [string, string | number],
  pieces: readonly (readonly string[])[],
): Promise<void> {
  let before = 0
  for (const piece of pieces) {
    await run(
      `insert into ${table} select $1, $2, $3 + e.line, e.body
        from json_array_elements_text($4::json) with ordinality as e(body, line)`,
      [...key, before, JSON.stringify(piece)],
    )
    before += piece.length
  }
}

/**
 * Fills a state from the snapshot at that sequence. `source`: its name in errors. Errors: DamagedLine, DamagedFile,
 * NewerFormat; as `Run`.
 */
export async function readSnapshotRows(
  run: RunStatement,
  space: string,
  sequence: number,
  source: string,
  state: State,
): Promise<void> {
  const reader = new SnapshotReader(source, state)
  let last = 0
  for await (const body of linesOf(run, 'snapshots where space = $1 and sequence = $2', [space, sequence])) {
    last += 1
    const line = last
    reader.take(decoded(Buffer.from(body), source, line), (why) => new DamagedLine(source, line, 0, why))
  }
  if (!reader.isWhole) throw new DamagedLine(source, last + 1, 0, 'its end is missing')
}

/** The texts of lines in their order. `from`: table and condition. Errors: as `Run`. */
export async function* linesOf(
  run: RunStatement,
  from: string,
  values: readonly StatementValue[],
): AsyncGenerator<string> {
  for (let after = 0; ; after += linesAtOnce) {
    const { rows } = await run(
      `select body from ${from} and line > ${after} and line <= ${after + linesAtOnce} order by line`,
      values,
    )
    for (const { body } of rows) yield body ?? ''
    if (rows.length < linesAtOnce) return
  }
}

function decoded(body: Buffer, source: string, line: number): SnapshotLine {
  const value = decodeLine<SnapshotLine>(body)
  if (value === undefined) throw new DamagedLine(source, line, 0, 'its checksum does not match')
  return value
}
