import { readFileSync } from 'node:fs'
import type { SandboxAddress } from '../../client/discover.ts'
import type { Connection } from '../../contract/control/control-answers.ts'
import { removeEphemeralFolder } from '../../shared/files/ephemeral.ts'
import { command } from '../../shared/text/commands.ts'
import type { Failure } from '../answer-shapes.ts'
import { exitCodes, FailureError, interruptedCode } from '../errors/exit-codes.ts'
import { reportFailure } from '../errors/render-failure.ts'
import { takeSignals } from '../interruption.ts'

/** The state of a sandbox that has stopped is not in the file of --export-on-exit; its folder is kept. */
class NotExported extends FailureError {}

/** The failure of an export. `why`: what went wrong, as a sentence. */
export const notExported = (why: string, folder: string): Failure => ({
  exitCode: exitCodes.refused,
  message: why,
  detail: `the state is kept in ${folder}`,
  remedy: `Start a sandbox on it with ${command('sandbox start --state', folder)}, and export it: ${command('sandbox export <file>')}`,
})

/**
 * Closes a sandbox. While its state is exported, a first signal is answered with a warning, and a second one
 * ends the process. Errors: NotExported where its state should be in a file and may not be.
 */
export async function closeSandbox(
  running: { close(): Promise<void> },
  { state, exportTo }: { readonly state: string; readonly exportTo?: string },
): Promise<void> {
  if (exportTo === undefined) return running.close()
  const warn = () => {
    process.stderr.write(`The state is being exported to ${exportTo}; another signal stops that\n`)
    for (const signal of signals) process.off(signal, warn).once(signal, end)
  }
  const end = () => {
    reportFailure(notExported(`The export to ${exportTo} was interrupted`, state), false)
    process.exit(interruptedCode)
  }
  for (const signal of signals) process.on(signal, warn)
  takeSignals() // a second signal would end the process at once, with no word of the export
  try {
    await running.close()
  } catch (error) {
    throw new NotExported(notExported((error as Error).message, state))
  } finally {
    for (const signal of signals)
      process
        .off(signal, warn)
        .off(signal, end)
        .once(signal, () => undefined) // all is said and done but for a temporary folder
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** Where the sandbox of this process is. */
export const startedAddress = (
  { connection, certificate }: { readonly connection: Connection; readonly certificate: string | null },
  token: string | null,
): SandboxAddress => ({
  baseUrl: connection.url,
  ca: certificate ? readFileSync(certificate, 'utf8') : undefined,
  token: token ?? undefined,
})

/** Runs a sandbox on a temporary folder and removes it, unless an export of the state failed. */
export async function onTemporaryFolder(folder: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof NotExported)) removeEphemeralFolder(folder)
    throw error
  }
  removeEphemeralFolder(folder)
}
