import { setTimeout as sleep } from 'node:timers/promises'
import { control } from '../../client/client.ts'
import { defaultState, type FoundSandbox, findSandbox } from '../../client/discover.ts'
import { readStarting } from '../../client/lock.ts'
import { type SandboxFlags, sandboxOf } from '../connection/sandbox-address.ts'
import { namedTarget } from '../connection/target.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { FailureError } from '../errors/failure.ts'

/** A sandbox that answers. */
export interface ReadySandbox {
  readonly status: 'ready'
  readonly url: string
  readonly pid: number
  readonly state: string
  readonly version: string
}

/** Pauses between two attempts: the first, and the longest. Milliseconds. */
const [minPause, maxPause] = [50, 500]

/**
 * Asks until the sandbox that the flags name says that it is well. `timeout` in milliseconds.
 * Errors: FailureError at the end of the time, with why the last attempt failed; UsageError.
 */
export async function waitUntilReady(flags: SandboxFlags, timeout: number): Promise<ReadySandbox> {
  const { baseUrl, state } = namedTarget(flags)
  const end = performance.now() + timeout
  for (let pause = minPause; ; pause = Math.min(pause * 1.5, maxPause)) {
    try {
      const sandbox = await named(flags)
      const { pid, version } = await control(sandbox, 'health')
      return { status: 'ready', url: sandbox.baseUrl, pid, state: sandbox.state, version }
    } catch (error) {
      const left = end - performance.now()
      if (left <= 0) throw notReady(baseUrl?.value ?? state ?? defaultState, timeout, error as Error)
      await sleep(Math.min(pause, left))
    }
  }
}

/**
 * The sandbox that the flags name; without a word on locks that are not used, which would come with each attempt. A folder
 * whose sandbox is starting is waited for, whatever answers on the default port meanwhile.
 */
function named(flags: SandboxFlags): Promise<FoundSandbox> {
  const { baseUrl, state, space } = namedTarget(flags)
  if (baseUrl !== undefined) return sandboxOf(flags)
  const starts = state === undefined && readStarting(defaultState) !== undefined
  return findSandbox(starts ? defaultState : state, () => undefined, space)
}

const notReady = (where: string, timeout: number, { message }: Error): FailureError =>
  new FailureError({
    exitCode: exitCodes.unreachable,
    message: `No sandbox was ready at ${where} within ${timeout / 1000} s`,
    detail: message,
    remedy: 'See how it starts, or start one: tillbox sandbox start --detach',
  })
