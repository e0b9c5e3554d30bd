import { basename, dirname } from 'node:path'
import type { State } from '../../../domain/state.ts'
import { DamagedFile, NewerFormat } from '../../../files/checked-json.ts'
import { packageVersion } from '../../../package-root.ts'
import { isReadable, type SealedFile, sizeIn, stateFormat } from './manifest.ts'
import type { DamagedLine } from './state-lines.ts'

/** Checks of a file that a manifest names: it exists, is complete, is the same file, and has a known format. */

/** First line of a journal and of a snapshot. Format 1 had no id and no version. */
export interface Header {
  readonly format: number
  readonly id?: string
  /** Version of the tillbox that wrote the file. */
  readonly version?: string
}

/** Makes the error for an unsound line. */
export type DamagedLineOf = (why: string) => DamagedLine

/** The first line of a new file. `id`: a UUID for the file. */
export const headerLine = (id: string, format = stateFormat): Header => ({
  format,
  id,
  version: packageVersion(),
})

/**
 * The format of the file. `id`: expected id of the file, null for format 1, undefined for any. Errors: NewerFormat;
 * DamagedFile for the header of another file; DamagedLine for any other line.
 */
export function requireHeader(
  path: string,
  header: object,
  id: string | null | undefined,
  damaged: DamagedLineOf,
): number {
  if (!('format' in header)) throw damaged('it should say the format of the file')
  const { format, id: storedId, version } = header as Header
  const isFirst = id === null || (id === undefined && format === 1)
  if (isFirst ? format !== 1 : !isReadable(format))
    throw new NewerFormat(path, version ?? '(another version)', format, isFirst ? 1 : stateFormat)
  if (id !== null && id !== undefined && storedId !== id)
    throw new DamagedFile(path, `it is another file: its id is ${storedId}, the manifest names ${id}`)
  return format
}

/** The tillbox version that wrote the file with that first line, as an addition to a sentence; empty when unknown. */
export const writerOf = (header: object): string =>
  'version' in header ? `; tillbox ${String(header.version)} wrote the file` : ''

/** Errors: DamagedFile when the file is missing, or shorter than the manifest says. */
export function requireWhole(path: string, { bytes }: Pick<SealedFile, 'bytes'>): void {
  const size = sizeIn(dirname(path), basename(path))
  if (size === undefined) throw new DamagedFile(path, 'it is missing; the manifest names it')
  if (size < bytes) throw new DamagedFile(path, `it has ${size} bytes, and the manifest says ${bytes}`)
}

/** Errors: DamagedFile when the ledgers are not where the manifest says they are after the file. */
export function requireSequences(path: string, { sequences }: SealedFile, state: State): void {
  for (const [merchantId, expected] of Object.entries(sequences ?? {})) {
    const sequence = state.ledgers.get(merchantId)?.sequence ?? 0
    if (sequence !== expected)
      throw new DamagedFile(
        path,
        `entry ${sequence} of ${merchantId} is its last; the manifest says ${expected}`,
      )
  }
}
