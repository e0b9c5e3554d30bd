import type { Settings } from '../settings.ts'

/** The settings as the row of a space has them. */
export interface SettingsRow {
  /** As JSON. */
  readonly text: string
  /** Of two rows the later one has the greater version: the earlier one loses, also when it arrives later. */
  readonly version: number
  /** API keys that lead to the space with them; null: they stay as they are. */
  readonly keys: readonly string[] | null
}

/** Makes the successive rows of changing settings. */
export type ToSettingsRow = (settings: Settings) => SettingsRow

/** `last`: version of the existing row; `keysOf`: API keys that select the space with these settings. */
export function settingsRows(
  last: number,
  keysOf?: (settings: Settings) => readonly string[],
): ToSettingsRow {
  let version = last
  return (settings) => {
    version += 1
    return { text: JSON.stringify(settings), version, keys: keysOf?.(settings) ?? null }
  }
}
