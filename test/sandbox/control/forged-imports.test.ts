import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verifyState } from '../../../src/sandbox/store/file/verify.ts'
import { Random, seedFromEnvironment } from '../../support/load/random.ts'
import { times } from '../../support/runner/counts.ts'
import { appOf } from '../../support/service/app.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  type Answer,
  encodeLine,
  following,
  openService,
  plainLedgersOf,
  type Service,
  sale,
  transactionsIn,
} from '../../support/service/service.ts'
import { openSession } from '../../support/service/shop.ts'

/** The lines of an export, without their checksums, which are made anew. */
type ExportLine = Record<string, unknown>

/** Every kind of record: payments of each kind, follow-ups, batches, deliveries, request ids, faults and a merchant. */
async function exportedLines(): Promise<ExportLine[]> {
  const service = await openService()
  const { call, control, sandbox, close } = service
  const sell = async (more = {}) => (await call('sale', sale(1000, more))).data.transactionId
  await control('POST', 'merchants', { merchantId: 'M3', name: 'Third Shop' })
  await control('POST', 'faults', { kind: 'http-503', operation: 'void', times: 3 })
  await control('POST', 'terminals/TBX-AUTO-001/queue', { outcome: 'insufficient-funds', times: 2 })
  await control('PATCH', 'terminals/TBX-TIP20-001', { label: 'Bar' })
  const paid = await sell({ terminalSn: 'TBX-TIP20-001', notifyUrl: 'http://127.0.0.1:9/' })
  const eventsUrl = { terminalEventNotifyUrl: 'http://127.0.0.1:9/' }
  const waiting = await sell({ terminalSn: 'TBX-ATTENDED-001', ...eventsUrl })
  await sell({ terminalSn: 'TBX-ATTENDED-001', description: 'second in line', attach: '{}' })
  await sell({ terminalSn: 'TBX-AUTO-001' })
  await call('refund', following(paid, { amount: 300 }))
  await call('batch-close', { transactionRequestId: newId(), terminalSn: 'TBX-TIP20-001' })
  await call('abort', following(waiting))
  await openSession(service)
  await sell({ terminalSn: 'TBX-TIP20-001' })
  await control('POST', 'clock', { action: 'advance', milliseconds: 1_000 })
  await sandbox.courier.idle()
  const text = await (await appOf(sandbox).request('/_sandbox/export?secrets=true')).text()
  await close()
  return (JSON.parse(text) as ExportLine[]).map(({ crc: _, ...value }) => value)
}

const textOf = (lines: readonly ExportLine[]): string =>
  `[\n${lines.map((line) => encodeLine(line).trimEnd()).join(',\n')}\n]\n`

const odd: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 52 + 1, 8.64e15 + 1, 1e13],
  ...['', 'NaN', 'Infinity', '-1', '__proto__', 'x'.repeat(70_000), '\u0000\u001b[2J'],
  ...['http://', 'javascript:0', [], {}, [null], [[]], { toString: null }],
]

/** Every place of a value, by its path. */
const pathsIn = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value !== 'object' || value === null
    ? [path]
    : [path, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))]
const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inner, name) => (inner as ExportLine)[name], value)

/** The same lines with one of them changed in one place, or taken away, or there twice; and what was done. */
function forged(lines: readonly ExportLine[], random: Random): { done: string; lines: ExportLine[] } {
  const changed = structuredClone(lines) as ExportLine[]
  const at = random.whole(changed.length)
  const line = changed[at] as ExportLine
  const kind = `line ${at + 1}, ${Object.keys(line)[0]}`
  const way = random.whole(10)
  if (way === 0) changed.splice(at, 1)
  if (way === 1) changed.splice(random.whole(changed.length), 0, structuredClone(line))
  if (way <= 1) {
    const end = changed.findLast((each) => 'end' in each)
    if (end !== undefined) end.end = changed.length - 1
    return { done: `${kind} ${way === 0 ? 'taken away' : 'doubled'}`, lines: changed }
  }
  const path = random.pick(pathsIn(line).slice(1))
  const holder = valueAt(line, path.slice(0, -1)) as ExportLine
  const name = path.at(-1) ?? ''
  const of = `${kind}: ${path.join('.')}`
  if (way === 2) delete holder[name]
  else if (way === 3) holder.unknown = 1
  else if (way === 4) {
    const others = changed.flatMap((each) => pathsIn(each).map((otherPath) => valueAt(each, otherPath)))
    holder[name] = structuredClone(random.pick(others))
  } else holder[name] = random.pick(odd)
  const put =
    way === 2 ? 'left out' : way === 3 ? 'beside unknown' : `= ${JSON.stringify(holder[name])?.slice(0, 80)}`
  return { done: `${of} ${put}`, lines: changed }
}

const storedState = ({ sandbox }: Service): object =>
  structuredClone({ settings: sandbox.settings.data, ledgers: plainLedgersOf(sandbox) })

const looks = [
  'health connection state clock terminals merchants faults webhooks webhook-schedule',
  'transactions requests sessions keys allow-list webhook-secret',
].flatMap((line) => line.split(' '))

/** Looks at everything of a state, and lets everything happen that is due. Errors: what is answered with a server error. */
async function use({ control, call, sandbox }: Service): Promise<void> {
  const good = (what: string, { status, code, detail }: Answer) => {
    const isInjected = code === 'SBX_INJECTED' // the fault that was exported may be forged into one of every operation
    if (status >= 500 && !isInjected) throw new Error(`${what} is answered with ${status} ${code} ${detail}`)
  }
  for (const path of looks) good(path, await control('GET', path))
  const ledgers = [...sandbox.engine.state.ledgers.values()]
  for (const sn of ledgers.flatMap((ledger) => [...ledger.terminals.keys()]))
    good(sn, await control('GET', `terminals/${encodeURIComponent(sn)}/screen`))
  const ids = transactionsIn(sandbox).map(({ id }) => id)
  for (const transactionId of ids) {
    good(`transaction ${transactionId}`, await control('GET', `transactions/${transactionId}?attempts=true`))
    good(`receipt ${transactionId}`, await control('GET', `transactions/${transactionId}/receipt`))
    good(`query ${transactionId}`, await call('query', { transactionId }))
  }
  good('sale', await call('sale', sale(1)))
  good('close', await call('batch-close', { transactionRequestId: newId(), terminalSn: 'TBX-TIP20-001' }))
  good('advance', await control('POST', 'clock', { action: 'advance', milliseconds: 7_200_000 }))
  for (const path of looks) good(path, await control('GET', path))
}

/** Puts a value at a place of the first line of a kind; undefined takes away what is there. */
function changed(lines: readonly ExportLine[], kind: string, place: string, value: unknown): ExportLine[] {
  const copy = structuredClone(lines) as ExportLine[]
  const line = copy.find((each) => kind in each) as ExportLine
  const path = place.split('.')
  const name = path.pop() ?? ''
  const record = kind === 'format' ? line : (line[kind] as ExportLine)
  const holder = valueAt(record, path) as ExportLine
  holder[name] = value === twice ? [...(holder[name] as unknown[]), ...(holder[name] as unknown[])] : value
  return copy
}

/** Stands for the list that is there, with all of it once more. */
const twice = Symbol('twice')

/** A forged record: its kind, the place, what is put there, and what is said of it. The checks themselves are in the domain. */
const forgeries: readonly (readonly [kind: string, place: string, value: unknown, said: RegExp])[] = [
  ['ledger', 'terminals', [null], /line 3 .*ledger\.terminals\.0: /],
  ['ledger', 'terminals', twice, /it has a terminal twice/],
  ['transaction', 'order', -1, /line 4 .*transaction\.order: /],
  ['transaction', 'originalId', '7', /the original 7 of transaction \d+ is missing/],
  ['transaction', 'timeline', [8e15, 'x', null], /its timeline must be times/],
  ['delivery', 'url', 'file:///etc/passwd', /delivery\.url: must be a URL/],
  ['request', 'refusal', { code: 'SBX_WAT' }, /request\.refusal\.code: /],
  ['format', 'settings.clock.offset', 1e308, /line 2 .*clock\.offset: /],
  [
    'format',
    'access.applications.0.appId',
    '__proto__',
    /line 2 .*must not be a name that JavaScript reserves/,
  ],
  ['format', 'transactions', 1, /it has \d transactions, and says 1/],
]

describe('a changed export with valid checksums', () => {
  test('an import or a snapshot with a wrong line is refused, with the line and what is wrong', async () => {
    const lines = await exportedLines()
    const target = await openService()
    await target.call('sale', sale(500))
    await target.control('PUT', 'snapshots/good', {})
    const before = storedState(target)
    const refused = await target.send('POST', '/_sandbox/import', { body: textOf(lines) })
    expect(refused.code).toBe('SBX_NOT_EMPTY')
    for (const [kind, place, value, reason] of forgeries) {
      const body = textOf(changed(lines, kind, place, value))
      const answer = await target.send('POST', '/_sandbox/import?replace=true', { body })
      expect([answer.code, answer.detail]).toEqual(['SBX_SNAP_READ', expect.stringMatching(reason)])
      writeFileSync(join(target.folder, 'snapshots/forged.json'), body)
      const restored = await target.control('POST', 'snapshots/forged/restore', {})
      expect([restored.code, restored.detail]).toEqual(['SBX_SNAP_READ', expect.stringMatching(reason)])
    }
    const doubled = [...lines.slice(0, 3), ...lines.slice(2)]
    const answer = await target.send('POST', '/_sandbox/import?replace=true', { body: textOf(doubled) })
    expect(answer.detail).toMatch(/line 5 .*the transaction \d+ stands there twice/)
    expect(storedState(target)).toEqual(before)
  })

  test('a randomly changed export is refused and changes nothing, or is read as a valid state', async () => {
    const seed = seedFromEnvironment()
    const random = new Random(seed)
    const lines = await exportedLines()
    let [taken, refused] = [0, 0]
    const target = await openService()
    await target.call('sale', sale(500))
    const before = storedState(target)
    for (let round = 0; round < times(15, 3_000) || taken * refused === 0; round++) {
      const { done, lines: wrong } = forged(lines, random)
      const label = `${done}; TILLBOX_SEED=${seed}, round ${round}`
      const body = textOf(wrong)
      const { code } = await target.send('POST', '/_sandbox/import', { body })
      if (code === 'SBX_SNAP_READ') {
        refused += 1
        continue
      }
      expect([label, code]).toEqual([label, 'SBX_NOT_EMPTY']) // it is good, and there are transactions
      taken += 1
      const service = await openService({ retries: [] })
      expect([label, (await service.send('POST', '/_sandbox/import', { body })).code]).toEqual([label, '0'])
      await use(service).catch((error: Error) => {
        throw new Error(`${label}: ${error.stack}`)
      })
      await service.close()
      expect([label, (await verifyState(service.folder)).problems]).toEqual([label, []])
      const again = await openService({ state: service.folder, retries: [] })
      expect([label, (await again.control('GET', 'health')).code]).toEqual([label, '0'])
      await again.close()
    }
    expect(storedState(target)).toEqual(before)
    expect(readdirSync(target.folder)).not.toContain('snapshots')
    expect([taken > 0, refused > 0]).toEqual([true, true])
  })
})
