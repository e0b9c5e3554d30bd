import { existsSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { control } from '../../client/client.ts'
import { connect, connectWithLock, type FoundSandbox, usualUrl } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { ServiceRefusal } from '../../client/read-envelope.ts'
import { readLock, readStarting, type SandboxLock } from '../../client/sandbox-lock.ts'
import { NoSandbox } from '../../client/which-sandbox.ts'
import { isLive } from '../../shared/files/live-process.ts'
import { command } from '../../shared/text/commands.ts'
import { withoutPassword } from '../../shared/text/http-url.ts'
import type { Stopped } from '../answer-shapes.ts'
import { exitCodes, FailureError } from '../errors/exit-codes.ts'
import { stateFlag } from '../sandbox/state-folder.ts'
import { notExported } from './own-sandbox.ts'

/** Pause between two checks whether a lock was released. Milliseconds. */
const pause = 50

/**
 * Asks the sandbox of a state folder to stop and waits until it has given the folder back. `timeout` in
 * milliseconds. Errors: FailureError for one that does not answer, or does not stop in time; ServiceRefusal
 * for one within another program; UnusableLock.
 */
export async function stopSandbox(state: string, timeout: number): Promise<Stopped> {
  const end = performance.now() + timeout
  const running = await runningOn(state, end)
  if (running === undefined) return { status: 'not-running', state, note: await otherSandbox() }
  const { lock, sandbox } = running
  const { pid } = sandbox
  const exportTo = String(lock.start?.['export-on-exit'] ?? '')
  const before = inodeOf(exportTo)
  await control(lock, 'stop')
  if (await isReleased(lock, state, end)) {
    if (exportTo !== '' && inodeOf(exportTo) === before) {
      const why = `The sandbox at ${lock.baseUrl} has stopped, and its state was not exported to ${exportTo}`
      throw new FailureError(notExported(why, lock.stateFolder))
    }
    return { status: 'stopped', pid, url: sandbox.baseUrl, ...stateAfterStop(lock, sandbox.state) }
  }
  throw new FailureError({
    exitCode: exitCodes.unreachable,
    message: `The sandbox at ${sandbox.baseUrl} has not stopped within ${timeout / 1000} s`,
    detail: `process ${pid} was asked to stop, and still holds ${lock.stateFolder}`,
    remedy: `Wait longer: ${command(`sandbox stop${stateFlag(state)} --timeout 60s`)}. To end it immediately: kill -9 ${pid}; no acknowledged payment is lost`,
  })
}

/** The number of a file, which a new export changes: it replaces the old. Undefined without a file. */
const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

/** Where the state is, and whether it is kept: a temporary folder is removed, a node's has none. */
const stateAfterStop = ({ stateFolder, start }: SandboxLock, shown: string) =>
  start?.store === undefined
    ? { state: stateFolder, kept: existsSync(stateFolder) }
    : { state: shown, kept: true }

/** A sandbox that answered with the id of its lock, and that lock. */
interface SandboxToStop {
  readonly lock: SandboxLock
  readonly sandbox: Pick<FoundSandbox, 'baseUrl' | 'pid' | 'state'>
}

/** The sandbox of the folder; waits while one is starting. Undefined when none runs on the folder. */
async function runningOn(state: string, end: number): Promise<SandboxToStop | undefined> {
  for (;;) {
    try {
      return await connectWithLock(state, Math.max(end - performance.now(), 1000))
    } catch (error) {
      const lock = error instanceof NoSandbox || error instanceof Unreachable ? readLock(state) : undefined
      if (lock?.process !== undefined && isLive(lock.process)) throw silent(lock, state, error as Error)
      const sandbox = error instanceof ServiceRefusal ? startedOn(state) : undefined
      if (sandbox !== undefined) return sandbox
      if (!(error instanceof NoSandbox)) throw error
    }
    const starting = readStarting(state)
    if (starting === undefined) return undefined
    if (performance.now() > end)
      throw new FailureError({
        exitCode: exitCodes.unreachable,
        message: `The sandbox on ${state} is still starting: process ${starting}`,
        remedy: `Wait for it: ${command(`sandbox wait${stateFlag(state)}`)}`,
      })
    await sleep(pause)
  }
}

/** A running node whose database is away, as its lock says. Undefined if no command started it. */
function startedOn(folder: string): SandboxToStop | undefined {
  const lock = readLock(folder)
  if (lock?.start?.store === undefined) return undefined
  const { baseUrl, start, process: holder } = lock
  const state = withoutPassword(String(start.store))
  return { lock, sandbox: { baseUrl, pid: holder?.pid ?? 0, state } }
}

/** A process that holds a folder and does not answer: stopping, hanging, or another one with its id. */
const silent = ({ baseUrl, process: holder }: SandboxLock, state: string, error: Error): FailureError =>
  new FailureError({
    exitCode: exitCodes.unreachable,
    message: `Process ${holder?.pid} holds the state folder ${state}, and no sandbox answers at ${baseUrl}`,
    detail: `${error instanceof Unreachable ? `${error.reason}; ` : ''}nothing was stopped: only a sandbox that answers is asked to stop. This one may be stopping, or hang`,
    remedy: `Try again. If process ${holder?.pid} is the sandbox: kill -9 ${holder?.pid}; no acknowledged payment is lost. If it is not, a start takes the folder over`,
  })

/** True once the lock was released or taken by another and the process has ended; false: a timeout. */
async function isReleased(lock: SandboxLock, state: string, end: number): Promise<boolean> {
  const holder = lock.process
  for (;;) {
    if (readLock(state)?.id !== lock.id && (holder === undefined || !isLive(holder))) return true
    if (performance.now() > end) return false
    await sleep(pause)
  }
}

/** Where a sandbox of another folder runs, which a stop leaves alone; null: none at the default port. */
async function otherSandbox(): Promise<string | null> {
  const other = await connect({ baseUrl: usualUrl() }, 500).catch(() => null)
  if (other === null) return null
  return `Another one runs at ${other.baseUrl}, on ${other.state}. To stop it: ${command('sandbox stop --state', other.state)}`
}
