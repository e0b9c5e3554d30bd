// Makes a state folder with many transactions in seconds.
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** Ten sales that a sandbox stored, one of them declined: a line each, as `fill` repeats them. */
const template = new URL('fill-template.jsonl', import.meta.url)

/** So many characters are written at once. */
const blockLength = 1 << 22

/** Milliseconds between two sales, and between the last one and now. */
const [step, age] = [20, 3_600_000]

/**
 * Fills a new folder with the sales of one merchant, as if they had been made one after the other until an hour ago.
 * Returns id and order of the oldest.
 */
export function fill(folder, count) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lines = readFileSync(template, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const [{ ledger }, ...others] = lines
  const [transactions, requests] = [membersOf(others, 'transaction'), membersOf(others, 'request')]
  const latest = Date.now() - age
  const numbered = (number) => ({ ...transactions[number % transactions.length], number })
  const at = (number) => latest - (count - 1 - number) * step
  const journal = { name: 'journal-1.jsonl', id: randomUUID() }
  const begun = JSON.stringify({ format: 1, version: '0.2.0', id: journal.id })
  writeFileSync(join(folder, journal.name), `${withChecksum(begun)}\n`, { mode: 0o600 })
  const access = { applications: [], allowLists: {}, keys: {}, secrets: {} }
  const file = new LineFile(join(folder, 'state.json'))
  const now = new Date().toISOString()
  const settings = {
    clock: { offset: 0, frozenAt: null },
    faultRules: [],
    webhookOrder: null,
    webhookHold: false,
  }
  file.add({
    format: 1,
    version: '0.2.0',
    name: null,
    savedAt: now,
    sandboxTime: now,
    transactions: count,
    settings,
    access,
    journal,
  })
  file.add({
    ledger: { ...ledger, ...totalsOf(ledger, transactions, count), sequence: count, lastStan: count },
  })
  for (let number = 0; number < count; number++)
    file.add({ transaction: saleAt(numbered(number), at(number)) })
  for (let number = 0; number < count; number++) {
    const request = requests[number % requests.length]
    const key = `${request.key.slice(0, -12)}${number.toString(16).padStart(12, '0')}`
    file.add({ request: { ...request, key, at: at(number), transactionId: idAt(at(number)) } })
  }
  file.add({ order: { latest, setBack: 0 } })
  file.end()
  return { id: idAt(at(0)), order: orderOf(0) }
}

const membersOf = (lines, name) => lines.filter((line) => name in line).map((line) => line[name])

const idAt = (time) => String(time * 1_000)
const orderOf = (number) => `STORED-${number}`

function saleAt({ number, ...transaction }, time) {
  return {
    ...transaction,
    id: idAt(time),
    transactionRequestId: `stored-${number}`,
    orderId: orderOf(number),
    createdAt: time,
    completedAt: time,
    expiresAt: time + 86_400_000,
    stan: number + 1,
  }
}

/** The open batch and the balance that so many sales lead to. */
function totalsOf({ batches: [[key, batch]], balances: [[currency]] }, transactions, count) {
  const each = transactions.map(({ status, order }) => (status === 'SUCCESS' ? order : 0))
  const total = (values) => {
    const sum = values.reduce((before, value) => before + value, 0)
    const rest = values.slice(0, count % values.length).reduce((before, value) => before + value, 0)
    return Math.floor(count / values.length) * sum + rest
  }
  const net = total(each)
  const approved = total(each.map((value) => (value > 0 ? 1 : 0)))
  return { batches: [[key, { ...batch, count: approved, net }]], balances: [[currency, net]] }
}

/** A JSON array with an element a line, each with its checksum, in large blocks. */
class LineFile {
  #file
  #block = '['
  #count = 0
  constructor(path) {
    this.#file = openSync(path, 'w', 0o600)
  }
  add(value) {
    const text = JSON.stringify(value)
    this.#block += `${this.#count === 0 ? '' : ','}\n${withChecksum(text)}`
    this.#count += 1
    if (this.#block.length > blockLength) this.#flush()
  }
  /** Writes the last line. */
  end() {
    this.add({ end: this.#count })
    this.#block += '\n]\n'
    this.#flush()
    closeSync(this.#file)
  }
  #flush() {
    writeSync(this.#file, this.#block)
    this.#block = ''
  }
}

const withChecksum = (text) => `${text.slice(0, -1)},"crc":"${crc32(text).toString(16).padStart(8, '0')}"}`
