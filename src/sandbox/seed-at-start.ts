import { existsSync } from 'node:fs'
import { importFrom } from '../control/state/checkpoint-handlers.ts'
import { countTransactions } from '../domain/state.ts'
import { openPortable } from '../files/portable.ts'
import type { FixturesFile } from '../fixture-files/fixtures-schema.ts'
import type { ReadCheckpoint } from '../store/checkpoint/checkpoint-file.ts'
import { readManifest } from '../store/file/format/manifest.ts'
import { noSettings } from '../store/settings.ts'
import { diffStates } from '../views/state-diff/state-diff.ts'
import type { SandboxOptions } from './options.ts'
import type { Sandbox } from './sandbox.ts'

/** How a sandbox behaves in which a seed is made. */
export interface SeedOptions extends Partial<Omit<SandboxOptions, 'state' | 'id' | 'catalogue'>> {
  readonly fixtures?: string | FixturesFile
}

/** Transactions that a new state begins with. */
export interface SeedSource {
  /** As it was named. */
  readonly path: string
  /** Makes the transactions in another sandbox. Errors: SeedError. */
  readonly make: (options: SeedOptions) => Promise<SeedFile>
}

/** An export that has the transactions. */
export interface SeedFile {
  readonly path: string
  /** Deletes the file. */
  discard(): void
}

/** True where no sandbox has kept a state yet. Errors: DamagedFile, NewerFormat; an Error of the file system. */
export const isNewFolder = (state: string): boolean => !existsSync(state) || readManifest(state) === undefined

/**
 * Begins with the transactions of a seed; a sandbox that was used stays as it is, which is reported. `made`: the seed, where
 * it was made before. Resolves to whether it was used. Errors: SeedError; then the state is as it was. assumption: seed
 */
export async function seedAtStart(
  sandbox: Sandbox,
  { path, make }: SeedSource,
  made: SeedFile | undefined,
): Promise<boolean> {
  if (!isUnused(sandbox)) {
    made?.discard()
    sandbox.options.report(unusedText(path, sandbox.options.state))
    return false
  }
  const { path: file, discard } = made ?? (await make(sandbox.options))
  try {
    await importFrom(sandbox, openPortable(file), false, withoutDeliveries)
  } finally {
    discard()
  }
  return true
}

const unusedText = (path: string, state: string): string =>
  `--seed ${path} was not used: ${state} is not new. Begin anew with tillbox sandbox reset --everything and a restart, ` +
  'or name another folder with --state'

/** True for a sandbox in which nothing happened and nothing was set. */
function isUnused({ engine, newState, settings: { data } }: Sandbox): boolean {
  const compared = (state: typeof engine.state, settings: typeof data) => ({
    name: null,
    state,
    facts: { sandboxTime: '', transactions: countTransactions(state), settings },
  })
  return diffStates(compared(newState(), noSettings()), compared(engine.state, data)).same
}

/** Notifications of a seed belong to the past, and none is sent. */
function withoutDeliveries({ state, facts, ...rest }: ReadCheckpoint): ReadCheckpoint {
  for (const { outbox } of state.ledgers.values()) {
    outbox.deliveries.clear()
    outbox.queues.clear()
  }
  return { ...rest, state, facts: { ...facts, settings: { ...facts.settings, webhookHold: false } } }
}
