/** A file of a state folder. */
export interface StateFile {
  readonly name: string
  readonly bytes: number
  readonly use: string
  /** False for a journal that state.json does not name; null for a file that is no part of the state. */
  readonly named: boolean | null
  /** Intact lines and damaged lines of a journal or snapshot. */
  readonly lines?: number
  readonly damagedLines?: number
}

/** What `sandbox verify` prints. */
export interface StateVerdict {
  readonly folder: string
  readonly sound: boolean
  /** URL of the database with the data, if the folder belongs to a running node; that data was not checked. */
  readonly database: string | null
  /** The process that the lock file names, alive or not. */
  readonly holder: { readonly pid: number; readonly url: string | null } | null
  /** Merchants with events, and all transactions, as far as the state could be read. */
  readonly merchants: number
  readonly transactions: number
  readonly files: readonly StateFile[]
  /** What is damaged, in words; empty for a sound state. */
  readonly problems: readonly string[]
  /** Findings that are not damage of the state but deserve a look, such as unreadable lines of a log. */
  readonly warnings: readonly string[]
}

/** Something that a repair left out. */
export interface LeftOut {
  readonly file: string
  /** First and last line; null for a whole file. */
  readonly lines: readonly [first: number, last: number] | null
  readonly why: string
  /** Transactions that were opened in the part left out, as far as it can be read. */
  readonly transactionIds: readonly string[]
}

/** What `sandbox repair` prints. */
export interface StateRepair {
  readonly folder: string
  readonly status: 'sound' | 'repaired'
  /** Copy of the folder as it was; null when nothing was changed. */
  readonly backup: string | null
  readonly merchants: number
  readonly transactions: number
  readonly leftOut: readonly LeftOut[]
}
