import type { Status } from '../../contract/statuses.ts'

/** A transaction came to something else than a trigger expects. */
export class StatusNotReached extends Error {
  override readonly name = 'StatusNotReached'
  constructor(
    transactionId: string,
    status: string,
    until: Status,
    /** True when it never will. */
    readonly final: boolean,
    /** What it waits for, and the command to continue, if known. */
    readonly waits?: { readonly what: string; readonly act?: string | undefined },
  ) {
    super(
      `Transaction ${transactionId} is ${status}, not ${until}${waits ? `: it waits for ${waits.what}` : ''}`,
    )
  }
}
