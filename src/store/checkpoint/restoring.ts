import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { DamagedFile, readChecked, replaceChecked } from '../../files/checked-json.ts'
import { readManifest } from '../file/format/manifest.ts'
import { restoringFileName, type Settings, settingsFrom } from '../settings.ts'

/**
 * A restore replaces two files, state and settings. The new settings are written first, with the name of the restore's
 * snapshot. A crash before the manifest names that snapshot leaves both old; after it, both are restored.
 */

const schema = v.strictObject({ snapshot: v.string(), settings: v.unknown() })

const pathIn = (folder: string): string => join(folder, restoringFileName)

/** Writes the settings that apply once a manifest names the snapshot; durable. Errors: an Error of the file system. */
export const noteRestoring = (folder: string, snapshot: string, settings: Settings): void =>
  replaceChecked(pathIn(folder), { snapshot, settings })

/** True while the file of a restore exists, whether or not the restore took effect. */
export const isRestoring = (folder: string): boolean => existsSync(pathIn(folder))

/**
 * The settings of a restore that took effect and was then interrupted by a crash; null otherwise. Errors: DamagedFile,
 * NewerFormat; an Error of the file system.
 */
export function restoredSettings(folder: string): Settings | null {
  const read = readChecked(pathIn(folder))
  if (read === undefined) return null
  const parsed = v.safeParse(schema, read.data)
  if (!parsed.success) throw new DamagedFile(pathIn(folder), 'it should name a snapshot and settings')
  const { snapshot, settings } = parsed.output
  const restored = settingsFrom(pathIn(folder), settings, read.version)
  return readManifest(folder)?.snapshot?.name === snapshot ? restored : null
}
