import * as v from 'valibot'
import type { StreamedNotification } from '../../contract/control/webhook-stream.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { textOfFile } from '../input/bounded-text.ts'

/** A line of a recording: a notification, and when it was received (`at`, milliseconds). */
export type RecordedNotification = StreamedNotification & { readonly at: number }

/** What is sent or shown of a notification, and when it was received. */
const recordedLine = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    at: v.number(),
    ...v.entriesFromList(['id', 'kind', 'body', 'transactionId', 'transactionStatus'], v.string()),
    headers: v.record(v.string(), v.string()),
  }),
)

/** The notifications of a recording, without a last line that is cut off. */
export function readRecording(path: string): readonly RecordedNotification[] {
  const refuse = (message: string): never => {
    throw new UsageError(message, 'Name a file that tillbox listen --record wrote', 'recording')
  }
  const text = textOfFile(path, 'recording')
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  const recorded = lines.flatMap((line, index) => {
    const read = v.safeParse(recordedLine, line)
    if (read.success) return [read.output as object as RecordedNotification]
    if (line.trim() === '') return []
    if (index < lines.length - 1) refuse(`Line ${index + 1} of ${path} is not a recorded notification`)
    process.stderr.write(`The last line of ${path} is incomplete and is skipped\n`)
    return []
  })
  return recorded.length > 0 ? recorded : refuse(`${path} has no notification`)
}
