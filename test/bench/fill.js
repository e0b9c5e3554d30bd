// Fills a state folder with many transactions: a few are paid for, and their lines of the snapshot repeated.
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** So many characters are written at once. */
const blockLength = 1 << 22

/** Repeats the transactions of a stopped sandbox before themselves, until there are `count`. Returns the id and order of the oldest. */
export function fill(folder, count) {
  const manifestPath = join(folder, latest(folder, 'manifest-'))
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
  const path = join(folder, manifest.data.snapshot.name)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').map(withoutChecksum)
  const first = lines.findIndex((line) => 'transaction' in line)
  const paid = lines.filter((line) => 'transaction' in line).map(({ transaction }) => transaction)
  const copies = Math.ceil(count / paid.length)
  const period = paid.at(-1).createdAt - paid[0].createdAt + 1
  const file = openSync(path, 'w')
  let [block, bytes, written, oldest] = ['', 0, 0, null]
  const flush = () => {
    bytes += writeSync(file, block)
    block = ''
  }
  const write = (line) => {
    block += withChecksum(line)
    written += 1
    if (block.length > blockLength) flush()
  }
  for (const line of lines.slice(0, first)) write(line)
  for (let copy = copies - 1; copy >= 0; copy--)
    for (const [index, transaction] of paid.entries()) {
      const before = (copies - 1 - copy) * paid.length + index
      const repeated = copy === 0 ? transaction : copyOf(transaction, copy * period, before)
      oldest ??= { id: repeated.id, order: repeated.orderId }
      write({ transaction: repeated })
    }
  for (const line of lines.slice(first + paid.length, -1)) write(line)
  write({ end: written })
  flush()
  closeSync(file)
  const { format, version, data } = manifest
  data.snapshot.bytes = bytes
  const crc = checksum(JSON.stringify([format, version, data]))
  writeFileSync(manifestPath, `${JSON.stringify({ format, version, data, crc }, null, 2)}\n`)
  return oldest
}

/** The same transaction, so many milliseconds earlier. */
function copyOf(transaction, earlier, number) {
  const createdAt = transaction.createdAt - earlier
  return {
    ...transaction,
    id: String(Number(transaction.id) - earlier * 1_000),
    transactionRequestId: `repeated-${number}`,
    orderId: `REPEATED-${number}`,
    createdAt,
    completedAt: transaction.completedAt - earlier,
    expiresAt: transaction.expiresAt - earlier,
  }
}

const latest = (folder, name) =>
  readdirSync(folder)
    .filter((file) => file.startsWith(name))
    .sort()
    .at(-1)

const withoutChecksum = (line) => {
  const { crc, ...value } = JSON.parse(line)
  return value
}

const withChecksum = (value) => {
  const text = JSON.stringify(value)
  return `${text.slice(0, -1)},"crc":"${checksum(text)}"}\n`
}

const checksum = (text) => crc32(text).toString(16).padStart(8, '0')
