import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileProblem, isFullDisk } from '../../shared/files/file-problem.ts'
import { makeFolder } from '../../shared/files/files.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { userFolder } from '../settings/user-folder.ts'
import { UsageError } from './exit-codes.ts'

/** Does something with a file that the user named. `failure`: what could not be done. */
export function usingFile<T>(act: () => T, failure: string, remedy: string, field?: string): T {
  try {
    return act()
  } catch (error) {
    throw new UsageError(`${failure}: ${fileProblem(error as NodeJS.ErrnoException)}`, remedy, field)
  }
}

/** The refusal of a port of this machine that --port named. */
export function portRefusal(port: number, { code, message }: NodeJS.ErrnoException): UsageError {
  const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened: ${message}`
  return new UsageError(`Port ${port} ${why}`, 'Choose another --port; 0 picks a free one', 'port')
}

/** Checks the folder of a file that is written after long work. */
export const requireFolder = (file: string, failure: string, remedy: string, field: string): void =>
  usingFile(() => accessSync(dirname(file), constants.W_OK), failure, remedy, field)

/** Makes the folder of a report that is written after long work, and checks it. */
export function makeReportFolder(file: string, ...failure: [string, remedy: string, field: string]): void {
  usingFile(() => makeFolder(dirname(file)), ...failure)
  requireFolder(file, ...failure)
}

/**
 * An expected error of the file system: what cannot be used, why, and what to do by what the path is for.
 * Undefined for any other error.
 */
export function fileFailure(
  error: NodeJS.ErrnoException,
): readonly [message: string, remedy: string] | undefined {
  const { path, syscall = '' } = error
  if (isFullDisk(error)) return [`Cannot write ${path ?? 'a file'}: ${fileProblem(error)}`, 'Free disk space']
  const why = fileProblem(error)
  const isUnknown = why === error.message
  if (path === undefined || isUnknown || syscall.startsWith('spawn')) return undefined
  const isOfWatchers = syscall === 'watch' && error.code !== 'ENOENT'
  return [
    `Cannot ${isOfWatchers ? 'watch' : 'use'} ${path}: ${why}`,
    isOfWatchers ? fewerWatchers : remedyFor(path),
  ]
}

const fewerWatchers =
  'Close programs that watch files, or raise fs.inotify.max_user_watches and max_user_instances'

function remedyFor(path: string): string {
  const settings = userFolder() ?? path
  if (settings.startsWith(`${path}/`) || `${path}/`.startsWith(`${settings}/`))
    return `Your settings are kept in ${settings}; make it yours to write, or set XDG_CONFIG_HOME`
  if (path === tmpdir() || path.startsWith(join(tmpdir(), 'tillbox-')))
    return `Temporary state is kept in ${tmpdir()}; set TMPDIR to a folder that you can write`
  return `See what is there, and whose it is: ls -ld ${shellQuote(path)} ${shellQuote(dirname(path))}`
}

const unlistenable: Readonly<Record<string, string>> = {
  EACCES: 'ports below 1024 need administrator rights',
  EADDRNOTAVAIL: 'no interface of this machine has this address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name is unknown',
}

const startRemedies: Readonly<Record<string, string>> = {
  ENOSPC: 'Free disk space, or name another folder with --state',
  ELOOP: 'Name the real path of the folder, or another one, with --state',
}

/** A system error about the address or the state folder, in words. */
export function startFailureText(
  error: NodeJS.ErrnoException,
): [message: string, remedy: string, field: string] {
  const code = error.code ?? ''
  const listening = error.syscall === 'listen' || error.syscall === 'getaddrinfo'
  return listening
    ? [`Cannot listen: ${unlistenable[code] ?? error.message}`, 'Check --host and --port', 'host']
    : [
        `Cannot use ${error.path ?? 'the state folder'}: ${fileProblem(error)}`,
        startRemedies[isFullDisk(error) ? 'ENOSPC' : code] ?? 'Name another folder with --state',
        'state',
      ]
}
