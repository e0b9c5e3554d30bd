import { join } from 'node:path'
import { eachAttempt } from '../../domain/model/outbox.ts'
import { LineLog } from '../../files/line-log.ts'
import type { AttemptRecord, LoggedAttempt } from '../storage.ts'

/** Name of the file in a state folder. */
export const attemptsFileName = 'attempts.jsonl'

/** Bytes after which the file is rotated; only the previous file is kept. assumption: attempt-log */
const usualLimit = 16 * 1024 * 1024

/**
 * The last attempts with request and response, in a file beside the state. It is only for display: whether a delivery
 * succeeded is in the journal. assumption: attempt-log
 */
export class AttemptLog extends LineLog<LoggedAttempt> implements AttemptRecord {
  /** `confirm`: checks before each change that the folder is still ours. */
  constructor(
    folder: string,
    report: (error: Error) => void,
    {
      limit = usualLimit,
      confirm = () => {},
    }: { readonly limit?: number; readonly confirm?: () => void } = {},
  ) {
    super(join(folder, attemptsFileName), limit, report, confirm)
  }

  override add(attempt: LoggedAttempt): void {
    const { merchantId, number, others } = attempt
    super.add(Object.assign({ merchantId, number, others }, attempt)) // these come first in the line
  }

  /**
   * The attempts of these deliveries of a merchant that are still in the log, oldest first; a shared attempt is split.
   */
  async of(merchantId: string, numbers: ReadonlySet<number>): Promise<LoggedAttempt[]> {
    const mark = linePrefix(merchantId)
    const found: LoggedAttempt[] = []
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
