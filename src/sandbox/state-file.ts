import { Refusal } from '../contract/errors.ts'
import { importFrom } from '../control/state/checkpoint-handlers.ts'
import { type RestoreContext, whileStill } from '../control/state/restore.ts'
import { openPortable, writePortable } from '../files/portable.ts'

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

/** Imports an export. Errors: ImportRefused, with the state unchanged. */
export async function importAtStart(sandbox: RestoreContext, { path, replace }: ImportSource): Promise<void> {
  try {
    await importFrom(sandbox, openPortable(path), replace)
  } catch (error) {
    const { message, detail, remedy } = error as Partial<Refusal> & Error
    const isNotEmpty = error instanceof Refusal && error.code === 'SBX_NOT_EMPTY'
    throw new ImportRefused(path, detail ?? message, isNotEmpty, remedy)
  }
}

/** Writes the state to a file. Errors: SBX_STORE_FAIL; an Error of the file system. */
export async function exportState(sandbox: RestoreContext, path: string): Promise<void> {
  const { checkpoints } = sandbox
  const file = await whileStill(sandbox, { name: null }, (state, facts) => checkpoints.spool(state, facts))
  try {
    await writePortable(path, openPortable(file.path))
  } finally {
    file.discard()
  }
}

/** As `exportState` for a sandbox that stops. Errors: an Error that says what was not exported, and why. */
export async function exportAtStop(sandbox: RestoreContext, path: string): Promise<void> {
  try {
    await exportState(sandbox, path)
  } catch (error) {
    const { message, detail } = error as Partial<Refusal> & Error
    throw new Error(`The state was not exported to ${path}: ${detail ?? message}`)
  }
}
