import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** State files are for their owner alone. */
export const ownerOnly = 0o600

/** Makes renames and new files in a folder durable. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Writes a file beside the old one and renames it, so that a reader sees the old or the new one, whole. */
export function replaceFile(path: string, blocks: Iterable<string>): void {
  const beside = `${path}.new`
  const file = openSync(beside, 'w', ownerOnly)
  try {
    for (const block of blocks) writeSync(file, block)
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(beside, path)
  syncFolder(dirname(path))
}
