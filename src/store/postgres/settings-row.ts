import type { Settings } from '../../domain/settings.ts'

/** The settings in the row of a space. */
export interface SettingsRow {
  /** As JSON. */
  readonly text: string
  /** Increases with each change: an older version never replaces a newer one, even if it arrives later. */
  readonly version: number
  /** API keys that lead to the space with these settings; null: unchanged. */
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
