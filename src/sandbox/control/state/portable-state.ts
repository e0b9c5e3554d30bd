import { reject } from '../../../contract/errors.ts'
import { inTurns } from '../../../shared/timers.ts'
import { stateText } from '../../store/file/state-file.ts'
import type { ControlContext } from '../control-context.ts'
import { whileStill } from './restore.ts'

/** Most bytes of an import: a million sales. */
const longestImport = 1024 * 1024 * 1024

const carriageReturn = 13
const byteOrderMark = Buffer.from('\uFEFF')

/** The whole state as an export, in chunks. */
export const exportChunks = (context: ControlContext, withAccess = false): Promise<Buffer[]> =>
  whileStill(context, { name: null, withAccess }, async (state, facts) => {
    const chunks: Buffer[] = []
    await inTurns(stateText(state, facts), (text) => chunks.push(Buffer.from(text)))
    return chunks
  })

/**
 * The bytes of an import, with the line ends of an export and without a byte order mark: Git and editors on
 * Windows change them, and JSON has no other such byte.
 */
export async function receive(source: AsyncIterable<Uint8Array>, limit = longestImport): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > limit) reject('SBX_TOO_LARGE', { field: 'body', detail: `it has more than ${limit} bytes` })
    chunks.push(
      Buffer.from(chunk.includes(carriageReturn) ? chunk.filter((byte) => byte !== carriageReturn) : chunk),
    )
  }
  const [first] = chunks
  if (first?.indexOf(byteOrderMark) === 0) chunks[0] = first.subarray(byteOrderMark.length)
  return chunks
}
