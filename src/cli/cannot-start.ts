import { generateToken } from '../api/sandbox-token.ts'
import { whyItCannotStart } from './system-error.ts'
import { UsageError } from './usage-error.ts'

/** Why the sandbox cannot start, and what to do. Errors: always throws. */
export async function explainStart(error: Error): Promise<never> {
  const { DamagedLine, LockedState, OtherFormat, PortTaken, TokenNeeded, UnreadableSettings } = await import(
    '../sandbox/server.ts'
  )
  if (error instanceof TokenNeeded)
    throw new UsageError(
      error.message,
      `Add --token ${generateToken}, which makes one and shows it, or --token <secret> of at least 16 characters`,
      'token',
    )
  if (error instanceof LockedState)
    throw new UsageError(
      error.message,
      `Use that one, stop it (kill ${error.holder.pid}), or take another --state`,
      'state',
    )
  if (error instanceof PortTaken) {
    const { holderOfPort } = await import('./port-holder.ts')
    const holder = await holderOfPort(error.port)
    const message = holder === undefined ? error.message : `${error.message} by ${holder}`
    throw new UsageError(message, 'Stop it, or take another --port; --port 0 picks a free one', 'port')
  }
  if (error instanceof DamagedLine || error instanceof UnreadableSettings)
    throw new UsageError(
      error.message,
      'Nothing was changed. Restore the file, or start with another --state',
      'state',
    )
  if (error instanceof OtherFormat)
    throw new UsageError(error.message, 'Use the version that wrote it, or another --state', 'state')
  if ('syscall' in error) throw new UsageError(...whyItCannotStart(error as NodeJS.ErrnoException))
  throw error
}
