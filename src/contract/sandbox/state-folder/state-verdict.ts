/** A file of a state folder. */
export interface StateFile {
  readonly name: string
  readonly bytes: number
  readonly use: string
  /** False for a state file that the manifest does not name; null for what no manifest names. */
  readonly named: boolean | null
  /** Of journals and snapshots: lines that are what was written, and lines that are not. */
  readonly lines?: number
  readonly damagedLines?: number
}

/** What `sandbox verify` prints. */
export interface StateVerdict {
  readonly folder: string
  readonly sound: boolean
  /** URL of the database that has the data, where the folder is of a node that runs; its data was not looked at. */
  readonly database: string | null
  /** Name of the manifest that holds; null when there is none. */
  readonly manifest: string | null
  /** The process that the lock file names, alive or not. */
  readonly holder: { readonly pid: number; readonly url: string | null } | null
  /** Merchants to which something happened, and all transactions, as far as the state could be read. */
  readonly merchants: number
  readonly transactions: number
  readonly files: readonly StateFile[]
  /** What is damaged, in words; empty for a sound state. */
  readonly problems: readonly string[]
  /** What is not damage, and wants a look. */
  readonly warnings: readonly string[]
}

/** Something that a repair left out. */
export interface LeftOut {
  readonly file: string
  /** First and last line; null for a whole file. */
  readonly lines: readonly [first: number, last: number] | null
  readonly why: string
  /** Transactions that were opened in it, as far as it can be read. */
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
