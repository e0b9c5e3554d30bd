/** More was sent than is read, or for longer. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch'
  constructor(
    message: string,
    /** HTTP status to answer with. */
    readonly status: 413 | 408,
  ) {
    super(message)
  }
}

/** What may be read, in bytes; and for how long, in milliseconds: left out, as long as it takes. */
interface Bounds {
  readonly most: number
  readonly patience?: number
}

/** Reads a stream to its end. Errors: TooMuch, after which nothing more is read; the one of the stream. */
export async function readBounded(
  stream: NodeJS.ReadableStream & { pause(): unknown },
  { most, patience }: Bounds,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let left = most
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(late)
      stream.off('data', take).off('end', end).off('error', fail)
      act()
    }
    const tooMuch = (why: string, status: 413 | 408) =>
      settle(() => {
        stream.pause()
        reject(new TooMuch(why, status))
      })
    const take = (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) tooMuch(`it is longer than ${most / 1024 / 1024} MiB`, 413)
      else chunks.push(chunk)
    }
    const end = () => settle(() => resolve(Buffer.concat(chunks)))
    const fail = (error: Error) => settle(() => reject(error))
    const late =
      patience === undefined
        ? undefined
        : setTimeout(() => tooMuch(`it did not end within ${patience / 1000} s`, 408), patience)
    stream.on('data', take).on('end', end).on('error', fail)
  })
}
