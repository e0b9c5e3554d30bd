import { join } from 'node:path'
import { LineLog } from '../../../shared/files/line-log.ts'
import type { AttemptRecord, LoggedAttempt } from '../storage.ts'

/** Bytes after which the file is rotated; only the previous file is kept. assumption: attempt-log */
const usualLimit = 16 * 1024 * 1024

/**
 * The last attempts with request and response, in a file beside the state. It is only for display: whether a
 * delivery succeeded is in the journal. assumption: attempt-log
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
    super(join(folder, 'attempts.jsonl'), limit, report, confirm)
  }

  override add(attempt: LoggedAttempt): void {
    const { merchantId, number } = attempt
    super.add(Object.assign({ merchantId, number }, attempt)) // these come first in the line
  }

  /** The attempts of these deliveries of a merchant that are still in the log, oldest first. */
  async of(merchantId: string, numbers: ReadonlySet<number>): Promise<LoggedAttempt[]> {
    const mark = linePrefix(merchantId)
    const found: LoggedAttempt[] = []
    for await (const attempt of this.all(
      (line) =>
        line.startsWith(mark) && numbers.has(Number.parseInt(line.slice(mark.length, mark.length + 16), 10)),
    ))
      found.push(attempt)
    return found
  }
}

/** Beginning of a merchant's lines: other lines are skipped without being parsed. */
const linePrefix = (merchantId: string): string => `${JSON.stringify({ merchantId }).slice(0, -1)},"number":`
