import { generateToken } from '../api/sandbox-token.ts'
import { whyItCannotStart } from './system-error.ts'
import { UsageError } from './usage-error.ts'

/** Flags that say where webhooks go, by the setting they become. */
const targetFlags = {
  notifyUrl: 'notify-url',
  forwardTo: 'forward-to',
  webhookHosts: 'allow-webhook-host',
} as const

/** What the errors of a start tell, known here by their names: the sandbox is loaded by its command alone. */
interface StartError extends Error {
  /** Of LockedState: who uses the state. */
  readonly holder?: { readonly pid: number }
  /** Of PortTaken. */
  readonly port?: number
  /** Of UnusableTarget: the setting that is wrong, and what to do. */
  readonly option?: keyof typeof targetFlags
  readonly remedy?: string
}

/** Why the sandbox cannot start, and what to do. Errors: always throws. */
export async function explainStart(error: StartError): Promise<never> {
  switch (error.name) {
    case 'TokenNeeded':
      throw new UsageError(
        error.message,
        `Add --token ${generateToken}, which makes one and shows it, or --token <secret> of at least 16 characters`,
        'token',
      )
    case 'UnusableTarget': {
      const flag = targetFlags[error.option ?? 'notifyUrl']
      throw new UsageError(`--${flag}: ${error.message}`, error.remedy ?? '', flag)
    }
    case 'LockedState':
      throw new UsageError(
        error.message,
        `Use that one, stop it (kill ${error.holder?.pid}), or take another --state`,
        'state',
      )
    case 'PortTaken': {
      const { holderOfPort } = await import('./port-holder.ts')
      const holder = await holderOfPort(error.port ?? 0)
      const message = holder === undefined ? error.message : `${error.message} by ${holder}`
      throw new UsageError(message, 'Stop it, or take another --port; --port 0 picks a free one', 'port')
    }
    case 'DamagedLine':
    case 'UnreadableSettings':
      throw new UsageError(
        error.message,
        'Nothing was changed. Restore the file, or start with another --state',
        'state',
      )
    case 'OtherFormat':
      throw new UsageError(error.message, 'Use the version that wrote it, or another --state', 'state')
  }
  if ('syscall' in error) throw new UsageError(...whyItCannotStart(error as NodeJS.ErrnoException))
  throw error
}
