import { Readable } from 'node:stream'
import type { Refusal } from '../contract/errors.ts'
import type { ControlContext } from '../control/control-context.ts'
import { exportChunks } from '../control/state/portable-state.ts'
import { importFrom } from '../control/state/snapshot-handlers.ts'
import { noSettings } from '../domain/settings.ts'
import { countTransactions } from '../domain/state.ts'
import { fileProblem } from '../files/file-problem.ts'
import { openPortable, writePortable } from '../files/portable.ts'
import type { FixturesFile } from '../fixture-files/fixtures-schema.ts'
import type { ReadSnapshot } from '../store/file/state-file.ts'
import { diffStates } from '../views/state-diff.ts'
import type { SandboxOptions } from './options.ts'
import type { Sandbox } from './sandbox.ts'

/** Options of the sandbox that makes the transactions of a seed. */
export interface SeedOptions extends Partial<Omit<SandboxOptions, 'state' | 'id' | 'catalogue'>> {
  readonly fixtures?: string | FixturesFile
}

/** The parts of a sandbox that a seed needs. */
type SeededSandbox = ControlContext & Pick<Sandbox, 'newState' | 'options'>

/** Transactions that a new state begins with. */
export interface SeedSource {
  /** The path as the user named it. */
  readonly path: string
  /** Makes the transactions in another sandbox. Errors: SeedError. */
  readonly make: (options: SeedOptions) => Promise<SeedFile>
}

/** An export with the transactions of a seed. */
export interface SeedFile {
  readonly path: string
  /** Deletes the file. */
  discard(): void
}

/**
 * Imports the transactions of a seed. A sandbox that was used stays unchanged, which is reported. `made`: the seed's
 * export, if it was already made. Resolves to whether the seed was used. Errors: SeedError, with the state unchanged.
 * assumption: seed
 */
export async function seedAtStart(
  sandbox: SeededSandbox,
  { path, make }: SeedSource,
  made: SeedFile | undefined,
): Promise<boolean> {
  if (!(await isUnused(sandbox))) {
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
async function isUnused({ engine, newState, settings: { data } }: SeededSandbox): Promise<boolean> {
  const compared = (state: typeof engine.state, settings: typeof data) => ({
    name: null,
    state,
    facts: { sandboxTime: '', transactions: countTransactions(state), settings },
  })
  return (await diffStates(compared(newState(), noSettings()), compared(engine.state, data))).same
}

/** Removes all deliveries: the notifications of a seed belong to the past and are not sent. */
function withoutDeliveries({ state, facts, ...rest }: ReadSnapshot): ReadSnapshot {
  for (const { outbox } of state.ledgers.values()) {
    outbox.deliveries.clear()
    outbox.queues.clear()
  }
  return { ...rest, state, facts: { ...facts, settings: { ...facts.settings, webhookHold: false } } }
}

/** An export that a sandbox starts with. */
export interface ImportSource {
  /** The file, packed with gzip or not. */
  readonly path: string
  /** Replace the state even when it has transactions. */
  readonly replace: boolean
}

/** An export could not be imported at the start. */
class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
  constructor(
    readonly path: string,
    why: string,
    /** True when the reason is that the sandbox already has transactions. */
    readonly isNotEmpty: boolean,
    readonly remedy: string | undefined,
  ) {
    super(why)
  }
}

/** Opens an export; the function it returns imports it. Errors of both: ImportRefused, with the state unchanged. */
export function openImport({ path, replace }: ImportSource): (sandbox: ControlContext) => Promise<unknown> {
  const refuse = (error: Error): never => {
    const { code, detail, remedy } = error as Partial<Refusal>
    throw new ImportRefused(path, detail ?? fileProblem(error), code === 'SBX_NOT_EMPTY', remedy)
  }
  try {
    const file = openPortable(path)
    return (sandbox) => importFrom(sandbox, file, replace).catch(refuse)
  } catch (error) {
    return refuse(error as Error)
  }
}

/** Writes the state to a file. Errors: SBX_STORE_FAIL; an Error of the file system. */
export const exportState = async (sandbox: ControlContext, path: string): Promise<void> =>
  writePortable(path, Readable.from(await exportChunks(sandbox)))

/** As `exportState` for a sandbox that stops. Errors: an Error that says what was not exported, and why. */
export async function exportAtStop(sandbox: ControlContext, path: string): Promise<void> {
  try {
    await exportState(sandbox, path)
  } catch (error) {
    const { detail } = error as Partial<Refusal>
    throw new Error(`The state was not exported to ${path}: ${detail ?? fileProblem(error as Error)}`)
  }
}
