import {
  appendFileSync,
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  crashCopy,
  encodeLine,
  newId,
  openService,
  type Service,
  sale,
  stateOf,
  temporaryFolder,
  WallClock,
} from '../support/service.ts'

const start = Date.UTC(2026, 10, 20, 12)
const wall = () => new WallClock(start).read

/** Something of everything: all kinds of transactions, in every status, refusals, terminals, batches, merchants. */
async function fill({ call, control }: Service): Promise<void> {
  const cloud = { pushToTerminal: false }
  const original = async (request: object = sale(1000), name: 'sale' | 'auth' = 'sale') => ({
    originalTransactionId: (await call(name, request)).data.transactionId as string,
    transactionRequestId: newId(),
  })
  await call('sale', sale(1000, { tipAmount: 200, attach: 'é \ud800', description: 'tea' }))
  await call('sale', sale(9823))
  await call('sale', sale(5, { priceCurrency: 'JPY' }))
  await call('sale', sale(1000), { 'X-Sandbox-Outcome': 'late-approval' })
  await call('forced-auth', sale(500, { paymentMethod: { category: 'EBT' } }))
  for (const terminalSn of ['TBX-OFFLINE-001', 'TBX-ATTENDED-001', 'TBX-ATTENDED-001', 'TBX-CANCEL-001'])
    await call('sale', sale(1000, { terminalSn }))
  for (const terminalSn of ['TBX-SLOW-001', 'TBX-SLOW-001', 'TBX-BUSY-001', 'NEW-TERMINAL'])
    await call('sale', sale(1000, { terminalSn }))
  await call('sale', sale(1000, { merchantId: 'M-NEW', terminalSn: 'NEW-2' }))
  await call('refund', { ...(await original()), amount: 300 })
  await call(
    'refund',
    { ...(await original()), amount: 300, ...cloud },
    { 'X-Sandbox-Outcome': 'host-timeout' },
  )
  await call('void', { ...(await original()), ...cloud })
  const auth = await original(sale(1000), 'auth')
  await call('incremental-auth', { ...auth, amount: 50, ...cloud })
  await call('post-auth', { ...auth, transactionRequestId: newId(), amount: 1050, ...cloud })
  const { transactionRequestId: _, ...pair } = await original()
  await call('tip-adjust', { ...pair, tipAmount: 77 })
  await call('refund', { originalTransactionId: '1', transactionRequestId: newId(), amount: 1 })
  await call('batch-close', { transactionRequestId: newId(), channelCode: 'SBX-EBT' })
  await call('batch-close', { transactionRequestId: newId() })
  await call('sale', sale(1000))
  await control('POST', 'terminals/TBX-TIP20-001/queue', { outcome: 'lost-card', times: 2 })
  await control('PATCH', 'terminals/TBX-LATE-001', { pace: 100 })
}

const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]))

const journalOf = (folder: string): string =>
  join(
    folder,
    readdirSync(folder)
      .filter((name) => name.startsWith('journal-'))
      .sort()
      .at(-1) ?? '',
  )

/** The folder of a sandbox that was filled and then crashed, and its state at that moment. */
async function crashed(): Promise<{ folder: string; state: object }> {
  const folder = temporaryFolder()
  const service = await openService({ state: folder, wall: wall() })
  await fill(service)
  return { folder: crashCopy(folder), state: stateOf(service.sandbox) }
}

/** Opening the folder fails with an error that has all these words, and touches no file. */
async function refuses(folder: string, ...words: readonly string[]): Promise<void> {
  const before = filesOf(folder)
  const error = await openService({ state: folder, wall: wall() }).then(
    () => new Error('it opened'),
    (reason: Error) => reason,
  )
  for (const word of words) expect(error.message).toContain(word)
  expect(filesOf(folder)).toEqual(before)
}

/** Opens the folder and returns its state, and what was reported. */
async function reopen(folder: string): Promise<{ state: object; reported: string[] }> {
  const reported: string[] = []
  const report = (message: string) => reported.push(message)
  const service = await openService({ state: folder, wall: wall(), report })
  return { state: stateOf(service.sandbox), reported }
}

describe('a restart', () => {
  test('after a stop leaves the same state', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, wall: wall() })
    await fill(service)
    const state = stateOf(service.sandbox)
    await service.close()
    expect(await reopen(folder)).toEqual({ state, reported: [] })
  })

  test('after a crash leaves the same state', async () => {
    const { folder, state } = await crashed()
    expect(await reopen(folder)).toEqual({ state, reported: [] })
  })

  test('again and again leaves the same state', async () => {
    const { folder, state } = await crashed()
    for (let count = 0; count < 4; count++) {
      const service = await openService({ state: folder, wall: wall() })
      expect(stateOf(service.sandbox)).toEqual(state)
      await service.close()
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('journal-'))).toHaveLength(1)
  })

  test('between every two requests leaves the same state as none at all', async () => {
    const folder = temporaryFolder()
    const requests = Array.from({ length: 8 }, (_, index) => sale(100 + index, { tipAmount: index }))
    const through = await openService({ wall: wall() })
    for (const request of requests) {
      await through.call('sale', request)
      const service = await openService({ state: folder, wall: wall() })
      await service.call('sale', request)
      await service.close()
    }
    const final = await openService({ state: folder, wall: wall() })
    const shownBy = ({ control }: Service) => control('GET', 'state').then(({ data }) => data.byStatus)
    expect(await shownBy(final)).toEqual(await shownBy(through))
    const amounts = ({ sandbox }: Service) =>
      [...(sandbox.engine.book.ledgers.get('M1000000001')?.transactions.values() ?? [])].map((one) => [
        one.requestId,
        one.order,
        one.tip,
        one.stan,
        one.voucherNo,
        one.batchNo,
      ])
    expect(amounts(final)).toEqual(amounts(through))
  })

  test('what was due goes on: late answers, lines and expiry', async () => {
    const folder = temporaryFolder()
    const first = await openService({ state: folder, wall: wall() })
    const idOf = async (more: object, outcome: string | null) =>
      (await first.call('sale', sale(1000, more), { 'X-Sandbox-Outcome': outcome })).data.transactionId
    const late = await idOf({}, 'late-approval')
    const slow = await idOf({ terminalSn: 'TBX-SLOW-001' }, null)
    const expiring = await idOf({ terminalSn: 'TBX-OFFLINE-001' }, null)
    const second = await openService({ state: crashCopy(folder), wall: wall() })
    await second.control('POST', 'clock', { action: 'advance', milliseconds: 86_400_000 })
    const statusOf = async (id: string) => (await second.control('GET', `transactions/${id}`)).data.status
    expect(await statusOf(late)).toBe('SUCCESS')
    expect(await statusOf(slow)).toBe('SUCCESS')
    expect(await statusOf(expiring)).toBe('CLOSED')
  })

  test('new transaction ids are greater than all before, even when the wall clock went back', async () => {
    const folder = temporaryFolder()
    const first = await openService({ state: folder, wall: wall() })
    const before = (await first.call('sale', sale(1))).data.transactionId
    await first.close()
    const service = await openService({ state: folder, wall: new WallClock(start - 86_400_000).read })
    const after = (await service.call('sale', sale(1))).data.transactionId
    expect(after).toMatch(/^\d{16}$/)
    expect(BigInt(after)).toBeGreaterThan(BigInt(before))
  })
})

describe('reset', () => {
  test('survives a restart, after a stop and after a crash', async () => {
    const { folder } = await crashed()
    const service = await openService({ state: folder, wall: wall() })
    await service.control('POST', 'reset')
    const state = stateOf(service.sandbox)
    expect((await reopen(crashCopy(folder))).state).toEqual(state)
    await service.close()
    expect((await reopen(folder)).state).toEqual(state)
  })

  test('terminals and what they are set to survive it: a crash, and folds of the journal after it', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, wall: wall() })
    await service.control('POST', 'terminals', { terminalSn: 'DESK-2', mode: 'attended' })
    await service.control('PATCH', 'terminals/TBX-AUTO-001', { tipPercent: 50 })
    await service.control('POST', 'reset')
    const after = crashCopy(folder)
    for (let round = 0; round < 3; round++) {
      const next = await openService({ state: after, wall: wall(), journalLimit: 1 })
      const { terminals } = (await next.control('GET', 'terminals')).data
      expect(terminals).toContainEqual(expect.objectContaining({ terminalSn: 'DESK-2', mode: 'attended' }))
      expect(terminals).toContainEqual(
        expect.objectContaining({ terminalSn: 'TBX-AUTO-001', tipPercent: 50 }),
      )
      for (let sold = 0; sold < 5; sold++) await next.call('sale', sale(1, { terminalSn: 'DESK-2' }))
      await next.close()
    }
  })

  test('what comes after it survives too', async () => {
    const { folder } = await crashed()
    const service = await openService({ state: folder, wall: wall() })
    await service.control('POST', 'reset')
    await fill(service)
    expect((await reopen(crashCopy(folder))).state).toEqual(stateOf(service.sandbox))
  })

  test('in the middle of many sales: what is live then is what a restart finds', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, wall: wall() })
    for (let round = 0; round < 20; round++) {
      const sales = (count: number) => Array.from({ length: count }, () => service.call('sale', sale(100)))
      const before = sales(round % 7)
      const reset = service.control('POST', 'reset')
      const codes = (await Promise.all([...before, reset, ...sales(10)])).map(({ code }) => code)
      expect(new Set(codes)).toEqual(new Set(['0']))
      const more = await service.call('sale', sale(100))
      expect(more.code).toBe('0')
      expect((await reopen(crashCopy(folder))).state).toEqual(stateOf(service.sandbox))
    }
  })
})

describe('a torn last line', () => {
  test('is cut off and reported; everything before it is there', async () => {
    const { folder, state } = await crashed()
    const path = journalOf(folder)
    const whole = readFileSync(path)
    appendFileSync(path, encodeLine({ stream: 'M1000000001', sequence: 999 }).slice(0, 40))
    const { state: found, reported } = await reopen(folder)
    expect(found).toEqual(state)
    expect(reported).toHaveLength(1)
    expect(reported[0]).toContain(basename(path))
    expect(reported[0]).toContain(`line ${whole.toString('latin1').split('\n').length}`)
    expect(reported[0]).toContain('40 bytes')
  })

  test('wherever it is torn, the state is that before its entry', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, wall: wall() })
    await service.call('sale', sale(1))
    const before = stateOf(service.sandbox)
    const size = statSync(journalOf(folder)).size
    await service.call('sale', sale(2))
    const last = statSync(journalOf(folder)).size - size
    for (const kept of [1, 2, 10, Math.floor(last / 2), last - 18, last - 2, last - 1]) {
      const copy = crashCopy(folder)
      truncateSync(journalOf(copy), size + kept)
      const { state, reported } = await reopen(copy)
      expect(state).toEqual(before)
      expect(reported[0]).toContain(`${kept} bytes`)
    }
  })

  test('it is gone after the start, and new entries follow the whole ones', async () => {
    const { folder } = await crashed()
    appendFileSync(journalOf(folder), '{"torn')
    const service = await openService({ state: folder, wall: wall() })
    await service.call('sale', sale(1))
    expect(readFileSync(journalOf(folder), 'utf8')).not.toContain('{"torn')
    expect(await reopen(crashCopy(folder))).toEqual({ state: stateOf(service.sandbox), reported: [] })
  })

  test('a torn first line of a new journal file is begun anew', async () => {
    const { folder, state } = await crashed()
    writeFileSync(join(folder, 'journal-000002.jsonl'), '{"for', { mode: 0o600 })
    expect((await reopen(folder)).state).toEqual(state)
  })

  test('in an older journal file it is damage', async () => {
    const { folder } = await crashed()
    const path = journalOf(folder)
    const lines = readFileSync(path, 'utf8').split('\n').length
    appendFileSync(path, '{"torn')
    writeFileSync(join(folder, 'journal-000002.jsonl'), encodeLine({ format: 1 }), { mode: 0o600 })
    await refuses(folder, path, `line ${lines}`)
  })
})

describe('damage: the start is refused with file and line, and every file stays as it is', () => {
  /** Changes one line of a file. */
  const rewrite = (path: string, line: number, change: (text: string) => string) => {
    const lines = readFileSync(path, 'utf8').split('\n')
    lines[line - 1] = change(lines[line - 1] ?? '')
    writeFileSync(path, lines.join('\n'))
  }

  test.each([
    ['one letter', (text: string) => text.replace('"sequence"', '"sequenca"')],
    [
      'one digit',
      (text: string) => text.replace(/"at":(\d)/, (_, digit) => `"at":${(Number(digit) + 1) % 10}`),
    ],
    ['no checksum', (text: string) => text.replace(/,"crc":"[^"]+"/, '')],
    ['another checksum', (text: string) => text.replace(/"crc":"[^"]+"/, '"crc":"00000000"')],
    ['cut short', (text: string) => text.slice(0, 30)],
    ['nothing', () => ''],
    ['zeros', (text: string) => '\0'.repeat(text.length)],
  ])('a middle line of the journal: %s', async (_, change) => {
    const { folder } = await crashed()
    const path = journalOf(folder)
    rewrite(path, 4, change)
    await refuses(folder, path, 'line 4')
  })

  test('the last line, when its newline is there', async () => {
    const { folder } = await crashed()
    const path = journalOf(folder)
    const last = readFileSync(path, 'utf8').split('\n').length - 1
    rewrite(path, last, (text) => text.replace('"sequence"', '"sequenca"'))
    await refuses(folder, path, `line ${last}`)
  })

  test.each([1, 2, 5])('line %d of the snapshot', async (line) => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, wall: wall() })
    await fill(service)
    await service.close()
    const path = join(folder, 'snapshot.jsonl')
    rewrite(path, line, (text) => text.replace(/[a-z]/, (letter) => (letter === 'x' ? 'y' : 'x')))
    await refuses(folder, path, `line ${line}`)
  })

  test('a snapshot without its last line', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, wall: wall() })
    await fill(service)
    await service.close()
    const path = join(folder, 'snapshot.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, `${lines.slice(0, -2).join('\n')}\n`)
    await refuses(folder, path)
  })

  test('an entry that stands there twice', async () => {
    const { folder } = await crashed()
    const path = journalOf(folder)
    rewrite(path, 4, (text) => `${text}\n${text}`)
    await refuses(folder, path, 'line 5')
  })

  test('a missing entry', async () => {
    const { folder } = await crashed()
    const path = journalOf(folder)
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, [...lines.slice(0, 3), ...lines.slice(4)].join('\n'))
    await refuses(folder, path, 'line 4', 'missing', 'M1000000001')
  })

  test('a missing snapshot', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, wall: wall() })
    await service.call('sale', sale(1))
    await service.close()
    const again = await openService({ state: folder, wall: wall() })
    await again.call('sale', sale(1))
    const copy = temporaryFolder()
    cpSync(journalOf(folder), join(copy, basename(journalOf(folder))))
    await refuses(copy, 'missing')
  })

  test.each([0, 2, 999])('a journal of format %d', async (format) => {
    const { folder } = await crashed()
    const path = journalOf(folder)
    rewrite(path, 1, () => encodeLine({ format }).trimEnd())
    await refuses(folder, path, `format ${format}`, 'format 1')
  })

  test('a snapshot of another format', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, wall: wall() })
    await service.call('sale', sale(1))
    await service.close()
    const path = join(folder, 'snapshot.jsonl')
    rewrite(path, 1, () => encodeLine({ format: 2 }).trimEnd())
    await refuses(folder, path, 'format 2')
  })

  test('settings that are not JSON', async () => {
    const { folder } = await crashed()
    const path = join(folder, 'settings.json')
    writeFileSync(path, '{"clock":')
    await refuses(folder, path)
  })
})

describe('a crash between the steps of a snapshot', () => {
  /** The state folder just before a stop and after it. */
  async function stopped() {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, wall: wall() })
    await fill(service)
    const before = crashCopy(folder)
    const state = stateOf(service.sandbox)
    await service.close()
    return { before, after: folder, state }
  }

  test('the snapshot is renamed, the journal still there: nothing lost, nothing twice', async () => {
    const { before, after, state } = await stopped()
    for (const name of readdirSync(before)) cpSync(join(before, name), join(after, name))
    expect((await reopen(after)).state).toEqual(state)
  })

  test('the new snapshot is half written beside the old one: it is not looked at', async () => {
    const { before, after, state } = await stopped()
    const half = readFileSync(join(after, 'snapshot.jsonl')).subarray(0, 1000)
    writeFileSync(join(before, 'snapshot.jsonl.new'), half)
    expect((await reopen(before)).state).toEqual(state)
  })

  test('the new journal is begun, the snapshot still old', async () => {
    const { before, after, state } = await stopped()
    cpSync(journalOf(after), join(before, basename(journalOf(after))))
    expect((await reopen(before)).state).toEqual(state)
  })
})

describe('files', () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777

  test('the folder is 0700 and every file in it 0600', async () => {
    const folder = join(temporaryFolder(), 'deep', 'state')
    const service = await openService({ state: folder })
    await fill(service)
    await service.control('PUT', 'allow-list', { addresses: ['127.0.0.1'] })
    expect(modeOf(folder)).toBe(0o700)
    const check = () => {
      for (const name of readdirSync(folder))
        expect([name, modeOf(join(folder, name))]).toEqual([name, 0o600])
    }
    check()
    await service.close()
    check()
    expect(readdirSync(folder).sort()).toEqual(['journal-000002.jsonl', 'settings.json', 'snapshot.jsonl'])
  })

  test('settings that others could read are made private again', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder })
    await service.control('POST', 'keys/regenerate', {})
    await service.close()
    const path = join(folder, 'settings.json')
    chmodSync(path, 0o644)
    await openService({ state: folder })
    expect(modeOf(path)).toBe(0o600)
  })

  test('every line of the state is JSON that any tool reads', async () => {
    const { folder } = await crashed()
    const service = await openService({ state: folder, wall: wall() })
    await service.close()
    for (const name of ['snapshot.jsonl', 'journal-000002.jsonl'])
      for (const line of readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
        expect(JSON.parse(line)).toHaveProperty('crc')
  })
})
