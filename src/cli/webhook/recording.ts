import * as v from 'valibot'
import type { StreamedNotification } from '../../contract/sandbox/webhook-stream.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { readChunks } from '../input/bounded-text.ts'

/** A line of a recording: a notification, and when it was received (`at`, milliseconds). */
export type RecordedNotification = StreamedNotification & { readonly at: number }

/** Bytes of a line: a notification has at most two bodies of 1 MiB in it. assumption: cli-answers */
const longestLine = 4 * 1024 * 1024

/**
 * Checks a recording; true when its last line is cut off and therefore left out. Errors: UsageError for an invalid line or
 * an empty file.
 */
export function isIncomplete(path: string): boolean {
  let count = 0
  let cutOff = false
  for (const { line, number, isWhole } of recordingLines(path)) {
    if (line.trim() === '') continue
    if (recordedFrom(line) !== undefined) count += 1
    else if (isWhole) refuse(`Line ${number} of ${path} is not a recorded notification`)
    else cutOff = true
  }
  if (count === 0) refuse(`${path} has no notification`)
  return cutOff
}

/** The notifications of a recording that was looked through, one at a time: it may be larger than the memory. */
export function* recordedNotifications(path: string): Generator<RecordedNotification> {
  for (const { line } of recordingLines(path)) {
    const recorded = recordedFrom(line)
    if (recorded !== undefined) yield recorded
  }
}

interface FileLine {
  readonly line: string
  readonly number: number
  /** False for text after the last newline. */
  readonly isWhole: boolean
}

function* recordingLines(path: string): Generator<FileLine> {
  let begun: Buffer[] = []
  let [length, number] = [0, 1]
  const whole = (isWhole: boolean): FileLine => {
    const line = Buffer.concat(begun).toString()
    begun = []
    length = 0
    return { line: number === 1 ? line.replace(/^\uFEFF/, '') : line, number: number++, isWhole }
  }
  for (const chunk of readChunks(path, 'recording-or-id')) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      begun.push(chunk.subarray(from, end))
      yield whole(true)
      from = end + 1
    }
    begun.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > longestLine)
      refuse(`Line ${number} of ${path} is longer than ${longestLine / 1024 / 1024} MiB`)
  }
  yield whole(false)
}

function refuse(message: string): never {
  throw new UsageError(message, 'Name a file that tillbox listen --record wrote', 'recording-or-id')
}

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

/** The notification in a line; undefined when the line is not part of a recording. */
function recordedFrom(line: string): RecordedNotification | undefined {
  const read = v.safeParse(recordedLine, line)
  return read.success ? (read.output as object as RecordedNotification) : undefined
}
