import * as v from 'valibot'
import {
  amount,
  described,
  list,
  named,
  one,
  record,
  shape,
  text,
  textOrNull,
  whether,
} from '../answer-kinds.ts'

/** The file in a state folder that says which process holds it, and where that sandbox listens. */
export const lockFileName = 'lock.json'

export const startRecord = v.pipe(
  record(v.union([text, amount, whether, list(text)])),
  v.title('StartRecord'),
  v.description(
    'The flags that a sandbox was started with, by name, so that it can be started again. They may include an API key and a token, so nobody else may read them',
  ),
)
export type StartRecord = v.InferOutput<typeof startRecord>

/** True for the URL of a service that only this machine reaches. */
export function isOnLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url) // URL writes every IPv4 address with four numbers
  return (protocol === 'http:' || protocol === 'https:') && isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

/** True for `localhost` or a loopback address. */
export const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

/** True for a loopback address, without brackets. */
export const isLoopbackAddress = (address: string): boolean => /^(127(\.\d{1,3}){3}|::1)$/.test(address)

/** A folder as a lock names it: a copy has another path and another number, the folder one of them. */
interface FolderName {
  /** Absolute, without links. */
  readonly path: string
  /** Its number in the file system: a bind mount shows the same folder at another path. */
  readonly inode: string
}

/** What the lock file says: written by the sandbox, read by its clients. */
export interface LockFile {
  readonly pid: number
  /** UUID of this start: the sandbox answers with it, so that no other program can stand in for it. */
  readonly id?: string | undefined
  /** When the process began, and its PID namespace: on Linux, a pid alone may be that of another process. */
  readonly began?: string | undefined
  readonly space?: string | undefined
  /** The state folder that it was written for. */
  readonly folder?: FolderName | undefined
  /** Where it listens; absent while it starts. */
  readonly url?: string
  /** Certificate to trust, when it serves TLS. */
  readonly certificate?: string
  /** Token of its control interface, if it was started with one. */
  readonly token?: string
  /** What `sandbox restart` starts again, without database passwords; absent if another program runs it. */
  readonly start?: StartRecord
  /** Folder in which the start was typed: the project that it belongs to is found from there. */
  readonly from?: string
  /** True if it was started with port 0; the port in `start` was free then. */
  readonly isFreePort?: boolean
  /** True if its database was given a password, which a restart needs from elsewhere. */
  readonly lacksPassword?: boolean
}

export const stateVerdict = named('StateVerdict', 'What `sandbox verify` found', {
  folder: text,
  sound: described(whether, 'True when a start finds no damage'),
  incomplete: described(
    whether,
    'True when the last group of a journal is incomplete, as a crash leaves it; a start leaves the group out',
  ),
  database: described(textOrNull, 'URL of the database of a running node, whose data was not checked'),
  holder: described(
    v.nullable(shape({ pid: amount, url: textOrNull })),
    'The process that the lock file names, alive or not',
  ),
  merchants: described(amount, 'Merchants with events, as far as the state could be read'),
  transactions: described(amount, 'All transactions, as far as the state could be read'),
  problems: described(list(text), 'What is damaged, in words; empty for a sound state'),
  warnings: described(list(text), 'What is no damage but deserves a look'),
})
export type StateVerdict = v.InferOutput<typeof stateVerdict>

const leftOut = named('LeftOut', 'Something that a repair left out', {
  file: text,
  lines: described(
    v.nullable(v.pipe(v.tuple([amount, amount]), v.readonly())),
    'First and last line; null for a whole file',
  ),
  why: text,
  transactionIds: described(list(text), 'Transactions that were opened in it, as far as it can be read'),
})
export type LeftOut = v.InferOutput<typeof leftOut>

export const stateRepair = named('StateRepair', 'What `sandbox repair` did', {
  folder: text,
  status: one(['sound', 'repaired', 'taken-over']),
  backup: described(textOrNull, 'Copy of the folder as it was; null when nothing was changed'),
  merchants: amount,
  transactions: amount,
  leftOut: list(leftOut),
})
export type StateRepair = v.InferOutput<typeof stateRepair>
