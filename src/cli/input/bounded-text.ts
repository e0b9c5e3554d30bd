import { closeSync, openSync, readSync } from 'node:fs'
import { BodyLimitError, readBounded } from '../../contract/transport/bounded-body.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'

/** Texts that a command reads from a file or from standard input. */

/** Bytes that are read at most: a webhook has at most 1 MiB, and so has a request. assumption: cli-answers */
const longestText = 16 * 1024 * 1024

const tooLong = (what: string, field: string) =>
  new UsageError(
    `${what} has more than ${longestText / 1024 / 1024} MiB`,
    'Divide it: a request and a webhook body have at most 1 MiB',
    field,
  )

/** The text of standard input. */
export async function textOfInput(field: string): Promise<string> {
  const read = await readBounded(process.stdin, { maxBytes: longestText }).catch((error: Error) => {
    throw error instanceof BodyLimitError ? tooLong('Standard input', field) : error
  })
  return decoded(read, 'standard input', field)
}

/** The text of a file. */
export function textOfFile(path: string, field: string): string {
  const chunks: Buffer[] = []
  let remaining = longestText
  for (const chunk of readChunks(path, field)) {
    remaining -= chunk.length
    if (remaining < 0) throw tooLong(path, field)
    chunks.push(chunk)
  }
  return decoded(Buffer.concat(chunks), path, field)
}

function decoded(bytes: Uint8Array, source: string, field: string): string {
  try {
    return decodeText(bytes, true)
  } catch (error) {
    throw new UsageError(`Cannot read ${source}: ${(error as Error).message}`, 'Convert it', field)
  }
}

/** The content of a file, 64 KiB at a time: some files have no end. */
function* readChunks(path: string, field: string): Generator<Buffer> {
  const system = <T>(act: () => T): T =>
    usingFile(act, `Cannot read ${path}`, 'Name a file that you can read', field)
  const file = system(() => openSync(path, 'r'))
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(64 * 1024)
      const read = system(() => readSync(file, chunk))
      if (read === 0) return
      yield chunk.subarray(0, read)
    }
  } finally {
    closeSync(file)
  }
}
