import { control, ServiceRefusal } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { ForeignAnswer } from '../../client/http.ts'
import { UsageError } from '../errors/usage-error.ts'

/** True when a tillbox sandbox answers there; no key goes with the question. Errors: Unreachable. */
export async function isTillboxSandbox({ baseUrl, ca, token }: SandboxAddress): Promise<boolean> {
  try {
    await control({ baseUrl, ca, token }, 'health')
    return true
  } catch (error) {
    if (error instanceof ServiceRefusal) return isRefusedBySandbox(error)
    if (error instanceof ForeignAnswer) return false
    throw error
  }
}

/** True where a sandbox refused a request: no other service has these codes. */
export const isRefusedBySandbox = (error: unknown): error is ServiceRefusal =>
  error instanceof ServiceRefusal && error.envelope.code.startsWith('SBX_')

/** What to do where a service is not a sandbox. */
export const startOne = 'Start one: tillbox sandbox start; name it with --state, or with --base-url'

/** Refuses what only a sandbox does, before anything is sent to another service. `what`: the subject. Errors: UsageError; Unreachable. */
export async function requireSandbox(
  { isSandbox, target }: { readonly isSandbox: boolean; readonly target: SandboxAddress },
  what: string,
): Promise<void> {
  if (isSandbox || (await isTillboxSandbox(target))) return
  throw new UsageError(`${what} needs a tillbox sandbox, and ${target.baseUrl} is not one`, startOne)
}
