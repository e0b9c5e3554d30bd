import { existsSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { isObject } from '../is-object.ts'
import { packageVersion } from '../package-root.ts'
import { readState, replaceFile } from './files.ts'
import { StoreError } from './store-errors.ts'

/**
 * Small JSON files that are replaced as a whole: `{"format": 1, "version": "…", "data": …, "crc": "…"}`. The
 * checksum is the CRC-32 of the other three, so that damage is noticed; the version is the one of the tillbox
 * that wrote the file.
 */

const format = 1

/** Something stored that is not what was written. */
export abstract class Damage extends StoreError {
  remedy =
    'Nothing was changed. Find the damage: `tillbox sandbox verify`. Restore the file from a backup; or stop the sandbox, and keep what is sound: `tillbox sandbox repair`'
}

/** A file that differs from what was written. */
export class DamagedFile extends Damage {
  override readonly name = 'DamagedFile'
  constructor(
    readonly path: string,
    readonly why: string,
  ) {
    super(`${path} is damaged: ${why}`)
  }
}

interface ChecksummedJson {
  readonly format: number
  readonly version: string
  readonly data: unknown
  readonly crc: string
}

/**
 * Reads a checked file; undefined for a missing one. The caller checks the shape of the data. Errors:
 * DamagedFile, NewerFormat; an Error of the file system.
 */
export function readChecked(path: string): { readonly data: unknown } | undefined {
  if (!existsSync(path)) return undefined
  const value = parse(path)
  if (!isObject(value)) throw new DamagedFile(path, 'it is not a JSON object')
  const { format: storedFormat, version = '', data, crc } = value as Partial<ChecksummedJson>
  if (crc !== checksum(storedFormat, version, data))
    throw new DamagedFile(path, 'its checksum does not match')
  if (storedFormat !== format) throw new NewerFormat(path, version, storedFormat, format)
  return { data }
}

/** A file of another format: it is not damaged, and the version that wrote it can read it. */
export class NewerFormat extends Error {
  override readonly name = 'NewerFormat'
  constructor(
    readonly path: string,
    readonly version: string,
    storedFormat: unknown,
    read: number,
  ) {
    super(
      `${path} cannot be read: tillbox ${version} wrote it in format ${storedFormat}; this tillbox reads format ${read}`,
    )
  }
}

/** Replaces a checked file; it is durable when this returns. */
export const replaceChecked = (path: string, data: unknown): void => replaceFile(path, [fileText(data)])

function fileText(data: unknown): string {
  const version = packageVersion()
  const value: ChecksummedJson = { format, version, data, crc: checksum(format, version, data) }
  return `${JSON.stringify(value, null, 2)}\n`
}

function parse(path: string): unknown {
  const text = readState(path)
  try {
    return JSON.parse(text)
  } catch {
    throw new DamagedFile(path, text.trim() === '' ? 'it is empty' : 'it is not JSON')
  }
}

const checksum = (...covered: readonly unknown[]): string =>
  crc32(JSON.stringify(covered)).toString(16).padStart(8, '0')
