import { clearTimeout, setTimeout } from '../../shared/timers.ts'
import { limits } from '../headers.ts'

/** A body exceeded the limit of its size or of its time. */
export class BodyLimitError extends Error {
  override readonly name = 'BodyLimitError'
  constructor(
    message: string,
    /** HTTP status to answer with. */
    readonly status: 413 | 408,
  ) {
    super(message)
  }
}

/** Limits of a webhook's body, as of a request to the service. assumption: cli-answers */
export const webhookBounds = { maxBytes: limits.body, timeout: 30_000 }

/** Limits of a body: bytes and milliseconds. Without `timeout` it may take any time. */
interface Bounds {
  readonly maxBytes: number
  readonly timeout?: number
}

/** Reads a stream to its end. */
export async function readBounded(
  stream: NodeJS.ReadableStream & { pause(): unknown },
  { maxBytes, timeout }: Bounds,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let remaining = maxBytes
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(late)
      stream.off('data', take).off('end', end).off('error', fail)
      act()
    }
    const tooMuch = (why: string, status: 413 | 408) =>
      settle(() => {
        stream.pause()
        reject(new BodyLimitError(why, status))
      })
    const take = (chunk: Buffer) => {
      remaining -= chunk.length
      if (remaining < 0) tooMuch(`it is longer than ${maxBytes / 1024 / 1024} MiB`, 413)
      else chunks.push(chunk)
    }
    const end = () => settle(() => resolve(Buffer.concat(chunks)))
    const fail = (error: Error) => settle(() => reject(error))
    const late =
      timeout === undefined
        ? undefined
        : setTimeout(() => tooMuch(`it did not end within ${timeout / 1000} s`, 408), timeout)
    stream.on('data', take).on('end', end).on('error', fail)
  })
}
