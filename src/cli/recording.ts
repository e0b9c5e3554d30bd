import type { StreamedNotification } from '../api/webhooks.ts'
import { UsageError } from './usage-error.ts'
import { textOf } from './webhook-input.ts'

/** A line of a recording: when it was heard, and what. */
export type Recorded = StreamedNotification & { readonly at: number }

/** What a file of `listen --record` holds. `cutOff`: its last line is not whole, and is left out. */
export interface Recording {
  readonly recording: readonly Recorded[]
  readonly cutOff: boolean
}

const remedy = 'Use a file that listen --record wrote'

/** Reads a recording. Errors: UsageError for a line that is none of one, and for a file without any. */
export function recordingFrom(path: string): Recording {
  const text = textOf(path, 'what').replace(/^\uFEFF/, '')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const last = text.slice(whole.length)
  const lines = whole.split('\n').map((line, index) => ({ line, index }))
  const read = lines
    .filter(({ line }) => line.trim() !== '')
    .map(
      ({ line, index }) => recordedFrom(line) ?? refuse(`Line ${index + 1} of ${path} is not of a recording`),
    )
  const end = recordedFrom(last)
  const recording = end === undefined ? read : [...read, end]
  if (recording.length === 0) refuse(`No notification is in ${path}`)
  return { recording, cutOff: end === undefined && last.trim() !== '' }
}

function refuse(message: string): never {
  throw new UsageError(message, remedy, 'what')
}

/** What a line says; undefined when it is none of a recording. */
function recordedFrom(line: string): Recorded | undefined {
  try {
    const recorded = JSON.parse(line) as Recorded
    return isRecorded(recorded) ? recorded : undefined
  } catch {
    return undefined // told by the caller, with its place
  }
}

/** True when all that is sent or shown is there. */
const isRecorded = ({ at, id, kind, body, transactionId, transactionStatus, headers }: Recorded): boolean =>
  typeof at === 'number' &&
  [id, kind, body, transactionId, transactionStatus].every((each) => typeof each === 'string') &&
  Object.values(headers).every((value) => typeof value === 'string')
