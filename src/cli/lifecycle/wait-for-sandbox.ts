import { control, poll, ServiceRefusal } from '../../client/client.ts'
import { connectLocal, type FoundSandbox } from '../../client/discover.ts'
import { ForeignAnswer, Unreachable } from '../../client/http.ts'
import { UnusableLock } from '../../client/sandbox-lock.ts'
import { defaultState, NoSandbox, requireNamed } from '../../client/which-sandbox.ts'
import { command } from '../../shared/text/commands.ts'
import type { ReadySandbox } from '../answer-shapes.ts'
import { resolveSandbox, type SandboxFlags } from '../connection/sandbox-address.ts'
import { namedTarget } from '../connection/target.ts'
import { exitCodes, FailureError } from '../errors/exit-codes.ts'

/** Errors of a sandbox that may be ready later. */
const notYet = [Unreachable, NoSandbox, UnusableLock, ForeignAnswer, ServiceRefusal] as const

/** A sandbox that refuses the token is up, and goes on refusing it. */
const isRefusedToken = (error: unknown): boolean =>
  error instanceof ServiceRefusal && [401, 403].includes(error.httpStatus)

/** Asks until the sandbox that the flags name says that it is well. `timeout` in milliseconds. */
export async function waitUntilReady(flags: SandboxFlags, timeout: number): Promise<ReadySandbox> {
  const { baseUrl, state } = namedTarget(flags)
  let why = ''
  const look = async (timeLeft: number): Promise<ReadySandbox | undefined> => {
    const patience = Math.max(timeLeft, 1000)
    try {
      const sandbox = await connectTyped(flags, patience)
      const { pid, version } = await control(sandbox, 'health', undefined, { timeout: patience })
      return { status: 'ready', url: sandbox.baseUrl, pid, state: sandbox.state, version }
    } catch (error) {
      if (!notYet.some((kind) => error instanceof kind) || isRefusedToken(error)) throw error
      why = (error as Error).message
      return undefined
    }
  }
  const ready = await poll(look, timeout, [50, 500])
  if (ready !== undefined) return ready
  throw new FailureError({
    exitCode: exitCodes.unreachable,
    message: `No sandbox was ready at ${baseUrl?.value ?? state ?? defaultState} within ${timeout / 1000} s`,
    detail: why,
    remedy: `See how it starts, or start one: ${command('sandbox start --detach')}`,
  })
}

/** The sandbox that the flags name, or this folder's: no other one is waited for. */
async function connectTyped(flags: SandboxFlags, timeout: number): Promise<FoundSandbox> {
  const { baseUrl, state, space } = namedTarget(flags)
  if (baseUrl !== undefined) return resolveSandbox(flags, { timeout })
  const found = await connectLocal(state, space, timeout)
  requireNamed(found)
  return found
}
