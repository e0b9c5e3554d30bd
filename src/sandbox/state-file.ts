import { createReadStream } from 'node:fs'
import { Refusal } from '../contract/errors.ts'
import { importFrom } from '../control/state/checkpoint-handlers.ts'
import { whileStill } from '../control/state/restore.ts'
import { openPortable, writePortable } from '../files/portable.ts'
import { NamedError } from '../named-error.ts'
import type { Sandbox } from './sandbox.ts'

/** An export to begin with. */
export interface ImportSource {
  /** The file, packed with gzip or not. */
  readonly path: string
  /** Also in place of transactions. */
  readonly replace: boolean
}

/** The sandbox does not begin with what a file holds. */
class ImportRefused extends NamedError {
  static override readonly name = 'ImportRefused'
  constructor(
    readonly path: string,
    why: string,
    /** True when it is because the sandbox has transactions. */
    readonly isNotEmpty: boolean,
    readonly remedy: string | undefined,
  ) {
    super(why)
  }
}

/** Begins with what a file holds. Errors: ImportRefused; then the state is as it was. */
export async function importAtStart(sandbox: Sandbox, { path, replace }: ImportSource): Promise<void> {
  try {
    await importFrom(sandbox, openPortable(path), replace)
  } catch (error) {
    const { message, detail, remedy } = error as Partial<Refusal> & Error
    const isNotEmpty = error instanceof Refusal && error.code === 'SBX_NOT_EMPTY'
    throw new ImportRefused(path, detail ?? message, isNotEmpty, remedy)
  }
}

/** Writes the state to a file. Errors: SBX_STORE_FAIL; an Error of the file system. */
export async function exportState(sandbox: Sandbox, path: string): Promise<void> {
  const { checkpoints } = sandbox
  const file = await whileStill(sandbox, { name: null }, (state, facts) => checkpoints.spool(state, facts))
  try {
    await writePortable(path, createReadStream(file.path))
  } finally {
    file.discard()
  }
}

/** The same at the end; what goes wrong is reported, for the sandbox stops all the same. */
export async function exportAtStop(sandbox: Sandbox, path: string): Promise<void> {
  try {
    await exportState(sandbox, path)
  } catch (error) {
    const { message, detail } = error as Partial<Refusal> & Error
    sandbox.options.report(`the state was not exported to ${path}: ${detail ?? message}`)
  }
}
