import { spawn } from 'node:child_process'
import { closeSync, existsSync, fstatSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { StartRecord } from '../../contract/control/state-folder.ts'
import { removeEphemeralFolder } from '../../shared/files/ephemeral.ts'
import { makeFolder, openState } from '../../shared/files/files.ts'
import { requireOwnState } from '../../shared/files/state-ownership.ts'
import { packageRoot } from '../../shared/package-root.ts'
import { readOr } from '../../shared/read-or.ts'
import type { Failure, StartedSandbox } from '../answer-shapes.ts'
import { exitCodes, FailureError, interruptedCode } from '../errors/exit-codes.ts'
import { onInterruption } from '../interruption.ts'
import { throwStartError } from '../sandbox/start-error.ts'
import { lastLines, logFileIn } from './log-file.ts'
import { startArguments, startEnvironment } from './start-record.ts'

/** A sandbox in the background, as its start reports it. */
export type DetachedSandbox = StartedSandbox & { readonly logFile: string }

/**
 * Starts a sandbox in a process of its own that goes on when this one ends, and waits until it is ready.
 * `from`: a folder of the project whose options hold.
 */
export async function startDetached(
  record: StartRecord,
  folder: string,
  from: string,
): Promise<DetachedSandbox> {
  const state = resolve(folder)
  const isNew = !existsSync(state)
  const log = await openLog(state)
  const logged = fstatSync(log).size
  const args = [
    'sandbox',
    'start',
    '--detached-process',
    '--json',
    `--state=${state}`,
    ...startArguments(record),
  ]
  const child = spawn(process.execPath, [calledScript(), ...args], {
    cwd: from,
    detached: true,
    env: { ...startEnvironment(record, process.env), NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', log],
    windowsHide: true,
  })
  closeSync(log)
  const interrupted = onInterruption('SIGHUP').signal
  interrupted.addEventListener('abort', () => child.kill('SIGTERM'))
  let printed = ''
  const output = child.stdout as Readable // it is piped
  output.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const end = await new Promise<ProcessEnd | Error | null>((done) => {
    output.on('data', () => /^\{"url":.*\n/.test(printed) && done(null))
    child.once('error', done)
    child.once('close', (code, signal) => done({ code, signal }))
  })
  if (end === null) {
    output.destroy()
    child.unref()
    const { reports = [], ...started } = JSON.parse(printed) as DetachedSandbox & { reports?: string[] }
    const { renderReport } = await import('../output/request-line.ts')
    for (const report of reports) process.stderr.write(renderReport(report))
    return started
  }
  const path = logFileIn(state)
  const lines = lastLines(path, logged)
  if (record.ephemeral === true) removeEphemeralFolder(state) // which was made for this start
  if (end instanceof Error) throw end
  if (interrupted.aborted)
    throw new FailureError({ exitCode: interruptedCode, message: 'The start was interrupted' })
  if (isNew && failureIn(printed) !== undefined) removeWithLog(state, path)
  throw new FailureError(startFailure(printed, end, { path, lines }))
}

/** The script of this program under the name that it was called by: advice of the new process repeats it. */
function calledScript(): string {
  const [script, [, called = '']] = [join(packageRoot, 'bin/run.js'), process.argv]
  return readOr(undefined, () => realpathSync(called)) === realpathSync(script) ? called : script
}

/** Removes a folder made for its log: a start that says itself why it failed leaves nothing behind. */
function removeWithLog(state: string, log: string): void {
  if (readdirSync(state).some((name) => name !== basename(log))) return
  rmSync(log)
  rmdirSync(state)
}

async function openLog(state: string): Promise<number> {
  try {
    requireOwnState(state)
    makeFolder(state)
    return openState(logFileIn(state), 'append')
  } catch (error) {
    return throwStartError(error as Error, state)
  }
}

interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Why a start failed: in its own words, else by how it ended and the last lines of its log. */
function startFailure(printed: string, { code, signal }: ProcessEnd, log: { path: string; lines: string[] }) {
  const reported = failureIn(printed)
  if (reported !== undefined) return reported // a log on a full disk ends it with another code
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`
  return {
    exitCode: code || exitCodes.refused,
    message: `The sandbox ended ${how} before it was ready`,
    detail: log.lines.length === 0 ? 'it wrote nothing to its log' : log.lines.join('\n'),
    remedy: `Its log is ${log.path}. To see it start: run the same without --detach`,
  }
}

const failureIn = (printed: string): Failure | undefined =>
  readOr(undefined, () => (JSON.parse(printed) as { error?: Failure }).error) // it did not come that far
