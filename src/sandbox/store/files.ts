import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** State files are for their owner alone. */
export const ownerOnly = 0o600

/** Makes a folder with its parents, for its owner alone. Node's own way loops for ever where nothing can be made. */
export function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return
  if (!existsSync(dirname(path))) makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** Makes renames and new files in a folder durable. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Writes all of it, at the end of the file or at a position. A write may take only a part. */
export function writeWhole(file: number, bytes: Uint8Array, position?: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, position === undefined ? null : position + done)
}

/** Writes a file beside the old one and renames it, so that a reader sees the old or the new one, whole. */
export function replaceFile(path: string, blocks: Iterable<string | Uint8Array>): void {
  const beside = `${path}.new`
  const file = openSync(beside, 'w', ownerOnly)
  try {
    for (const block of blocks) writeWhole(file, typeof block === 'string' ? Buffer.from(block) : block)
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(beside, path)
  syncFolder(dirname(path))
}
