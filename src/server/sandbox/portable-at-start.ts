import { Readable } from 'node:stream'
import type { Refusal } from '../../contract/errors.ts'
import type { ControlContext } from '../../sandbox/control/control-context.ts'
import { exportChunks } from '../../sandbox/control/state/portable-state.ts'
import { importFrom } from '../../sandbox/control/state/snapshot-handlers.ts'
import { fileProblem } from '../../shared/files/file-problem.ts'
import { openPortable, writePortable } from '../../shared/files/portable.ts'

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

/** Opens an export; the result imports it. Errors of both: ImportRefused, with the state unchanged. */
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

/** Writes the state to a file. */
const exportState = async (sandbox: ControlContext, path: string): Promise<void> =>
  writePortable(path, Readable.from(await exportChunks(sandbox)))

/** As `exportState` for a sandbox that stops. */
export async function exportAtStop(sandbox: ControlContext, path: string): Promise<void> {
  try {
    await exportState(sandbox, path)
  } catch (error) {
    const { detail } = error as Partial<Refusal>
    throw new Error(`The state was not exported to ${path}: ${detail ?? fileProblem(error as Error)}`)
  }
}
