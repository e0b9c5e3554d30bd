import { join } from 'node:path'
import { eachAttempt } from '../domain/model/outbox.ts'
import { LineLog } from '../files/line-log.ts'
import type { AttemptRecord, NumberedAttempt } from '../store/storage.ts'
import type { Attempt } from './post.ts'

/** An attempt of one delivery of one merchant, or of several that share it. */
export interface LoggedAttempt extends Attempt, NumberedAttempt {
  /** Injected faults, by name; null without one. */
  readonly fault: string | null
  /** Sandbox time of its beginning. */
  readonly sandboxAt: number
}

/** Removes the request of an attempt without a connection; it is rebuilt for display. */
export const withoutRequest = (attempt: Attempt): Attempt => ({
  ...attempt,
  requestHeaders: {},
  requestBody: '',
})

/** True for an attempt that is stored without its request. */
export const isWithoutRequest = ({ requestBody }: Attempt): boolean => requestBody === ''

/** The last attempts of deliveries, in any storage. */
export type Attempts<T extends LoggedAttempt = LoggedAttempt> = AttemptRecord<T>

/** Bytes after which the file is rotated; only the previous file is kept. assumption: attempt-log */
const usualLimit = 16 * 1024 * 1024

/**
 * The last attempts with request and response, in a file beside the state. It is only for display: whether a delivery
 * succeeded is in the journal. assumption: attempt-log
 */
export class AttemptLog<T extends NumberedAttempt = LoggedAttempt>
  extends LineLog<T>
  implements AttemptRecord<T>
{
  /** `confirm`: checks before each change that the folder is still ours. */
  constructor(
    folder: string,
    report: (error: Error) => void,
    {
      limit = usualLimit,
      confirm = () => {},
    }: { readonly limit?: number; readonly confirm?: () => void } = {},
  ) {
    super(join(folder, 'attempts.jsonl'), limit, report, confirm)
  }

  override add(attempt: T): void {
    const { merchantId, number, others } = attempt
    super.add(Object.assign({ merchantId, number, others }, attempt)) // these come first in the line
  }

  /**
   * The attempts of these deliveries of a merchant that are still in the log, oldest first; a shared attempt is split.
   */
  async of(merchantId: string, numbers: ReadonlySet<number>): Promise<T[]> {
    const mark = linePrefix(merchantId)
    const found: T[] = []
    for await (const attempt of this.all(
      (line) => line.startsWith(mark) && mayHoldNumber(numbers, line, mark.length),
    ))
      found.push(...eachAttempt(attempt).filter(({ number }) => numbers.has(number)))
    return found
  }
}

/** Beginning of a merchant's lines: other lines are skipped without being parsed. */
const linePrefix = (merchantId: string): string => `${JSON.stringify({ merchantId }).slice(0, -1)},"number":`

/** True when that position may hold one of these numbers, or starts a list of several. */
function mayHoldNumber(numbers: ReadonlySet<number>, line: string, from: number): boolean {
  const number = Number.parseInt(line.slice(from, from + 16), 10)
  return numbers.has(number) || line.startsWith(',"others"', from + String(number).length)
}
