import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { times } from '../../support/runner/counts.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  crashCopy,
  encodeLine,
  following,
  openService,
  plainStateOf,
  type Service,
  sale,
  temporaryFolder,
  WallClock,
} from '../../support/service/service.ts'
import {
  asking,
  giveUp,
  openSession,
  paidOnline,
  payAsShopper,
  sessionViewOf,
} from '../../support/service/shop.ts'
import { folderContents } from '../../support/store/folder-contents.ts'
import {
  journalOf,
  journalsOf,
  rewriteLine,
  rewriteRecords,
  stateFileOf,
} from '../../support/store/state-paths.ts'

const start = Date.UTC(2026, 10, 20, 12)
const wall = () => new WallClock(start).read

/** Something of everything: all kinds of transactions, in every status, refusals, terminals, batches, merchants. */
async function fill({ call, control }: Service): Promise<void> {
  const cloud = { pushToTerminal: false }
  const original = async (request: object = sale(1000), name: 'sale' | 'auth' = 'sale') =>
    following((await call(name, request)).data.transactionId as string)
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
  const asked = { 'X-Sandbox-Outcome': 'host-timeout' }
  await call('refund', { ...(await original()), amount: 300, ...cloud }, asked)
  await call('void', { ...(await original()), ...cloud })
  const auth = await original(sale(1000), 'auth')
  await call('incremental-auth', { ...auth, amount: 50, ...cloud })
  await call('post-auth', { ...auth, transactionRequestId: newId(), amount: 1050, ...cloud })
  const { transactionRequestId: _, ...pair } = await original()
  await call('tip-adjust', { ...pair, tipAmount: 77 })
  await call('refund', following('1', { amount: 1 }))
  await call('batch-close', { transactionRequestId: newId(), channelCode: 'SBX-EBT' })
  await call('batch-close', { transactionRequestId: newId() })
  await call('sale', sale(1000))
  await control('POST', 'terminals/TBX-TIP20-001/queue', { outcome: 'lost-card', times: 2 })
  await control('PATCH', 'terminals/TBX-LATE-001', { pace: 100 })
}

/** The pages of a shop in every state, a direct payment, and its refunds. */
async function fillOnline(service: Service): Promise<void> {
  const open = async (outcome: string | null, ...cards: readonly string[]) => {
    const { sessionId } = await openSession(service, outcome)
    for (const card of cards) await payAsShopper(service, sessionId, card)
    return sessionId
  }
  await open(null)
  await open(null, 'visa-declined', 'visa-lost')
  await open('late-approval', 'visa-debit')
  await open(null, 'visa-declined', 'visa-debit')
  await open(null, 'visa-declined', 'visa-declined', 'visa-declined')
  await giveUp(service, await open(null))
  await service.call('expire-session', { sessionId: await open(null) })
  const id = await paidOnline(service, 1000, { tipAmount: 50 })
  await service.call('online-refund', following(id, { amount: 300 }))
  await service.call('online-refund', following(id, { amount: 100 }), asking('late-approval'))
}

/** What the control interface keeps: merchants, terminals, and every setting. */
async function changeSettings({ control }: Service): Promise<void> {
  const changes: [method: string, path: string, members?: object][] = [
    ['POST', 'merchants', { merchantId: 'M3', name: 'Third Shop' }],
    ['POST', 'terminals', { terminalSn: 'DESK-2', mode: 'attended', contactlessLimit: 500, label: 'Bar' }],
    ['POST', 'terminals', { terminalSn: 'DESK-3', unpaired: true }],
    ['DELETE', 'terminals/TBX-LATE-001'],
    ['POST', 'keys/regenerate'],
    ['POST', 'webhook-secret/rotate'],
    ['PUT', 'allow-list', { addresses: ['127.0.0.1', '203.0.113.7'] }],
    ['POST', 'faults', { kind: 'http-500', times: 2, operation: 'sale', amount: 1 }],
    ['POST', 'faults', { kind: 'drop', share: 0.5, seed: 9 }],
    ['PUT', 'webhook-hold', { hold: true }],
    ['PUT', 'webhook-schedule', { order: 'concurrent', concurrency: 3 }],
    ['POST', 'clock', { action: 'advance', milliseconds: 1000 }],
    ['POST', 'clock', { action: 'freeze' }],
  ]
  for (const [method, path, members = {}] of changes)
    expect([path, (await control(method, path, members)).code]).toEqual([path, '0'])
  const { pairingCode } = (await control('POST', 'terminals/TBX-TIP20-001/unpair', {})).data
  expect((await control('POST', 'terminals/pair', { code: pairingCode, merchantId: 'M3' })).code).toBe('0')
}

/** The state and the settings. */
const keptBy = ({ sandbox }: Service): object =>
  structuredClone({ state: plainStateOf(sandbox), settings: sandbox.settings.data })

/** The folder of a sandbox that was filled and then stopped. */
async function stopped(): Promise<string> {
  const service = await openService({ wall: wall() })
  await fill(service)
  await service.close()
  return service.folder
}

/** The folder of a sandbox that was filled and then crashed, and its state at that moment. */
async function crashed(): Promise<{ folder: string; state: object }> {
  const service = await openService({ wall: wall() })
  await fill(service)
  return { folder: crashCopy(service.folder), state: plainStateOf(service.sandbox) }
}

/** Opening the folder fails with an error that has all these words, and touches no file. */
async function refuses(folder: string, ...words: readonly string[]): Promise<void> {
  const before = folderContents(folder)
  const error = await openService({ state: folder, wall: wall() }).catch((reason: Error) => reason)
  for (const word of words) expect((error as Error).message).toContain(word)
  expect(folderContents(folder)).toEqual(before)
}

/** Opens the folder and returns its state, and what was reported. */
async function reopen(folder: string): Promise<{ state: object; reported: string[] }> {
  const reported: string[] = []
  const report = (message: string) => reported.push(message)
  const service = await openService({ state: folder, wall: wall(), report })
  return { state: plainStateOf(service.sandbox), reported }
}

describe('a restart', () => {
  test('everything that was changed is there after a crash and after a stop', async () => {
    const first = await openService({ wall: wall() })
    await fill(first)
    await fillOnline(first)
    await changeSettings(first)
    const kept = keptBy(first)
    expect(keptBy(await openService({ state: crashCopy(first.folder), wall: wall() }))).toEqual(kept)
    await first.close()
    expect(keptBy(await openService({ state: first.folder, wall: wall() }))).toEqual(kept)
  })

  test('repeated restarts leave the same state, and report nothing', async () => {
    const { folder, state } = await crashed()
    expect(await reopen(folder)).toEqual({ state, reported: [] })
    for (let count = 0; count < 4; count++) {
      const service = await openService({ state: folder, wall: wall() })
      expect(plainStateOf(service.sandbox)).toEqual(state)
      await service.close()
    }
    expect(readdirSync(folder)).toContain('state.json')
    expect(journalsOf(folder)).toHaveLength(1)
  })

  test('a restart without changes keeps the state file, and a stop after one sale makes another', async () => {
    const folder = await stopped()
    const { ino } = statSync(stateFileOf(folder))
    for (const sales of [0, 0, 1]) {
      const service = await openService({ state: folder, wall: wall() })
      for (let sold = 0; sold < sales; sold++) await service.call('sale', sale(1000))
      await service.close()
      expect(journalsOf(folder)).toHaveLength(1)
      expect(statSync(stateFileOf(folder)).ino === ino).toBe(sales === 0)
    }
  })

  test('late answers, lines and expiry go on after a restart', async () => {
    const first = await openService({ wall: wall() })
    const idOf = async (more: object, outcome: string | null) =>
      (await first.call('sale', sale(1000, more), { 'X-Sandbox-Outcome': outcome })).data.transactionId
    const late = await idOf({}, 'late-approval')
    const slow = await idOf({ terminalSn: 'TBX-SLOW-001' }, null)
    const expiring = await idOf({ terminalSn: 'TBX-OFFLINE-001' }, null)
    const page = await openSession(first)
    const second = await openService({ state: crashCopy(first.folder), wall: wall() })
    await second.control('POST', 'clock', { action: 'advance', milliseconds: 86_400_000 })
    const statusOf = async (id: string) => (await second.control('GET', `transactions/${id}`)).data.status
    expect(await statusOf(late)).toBe('SUCCESS')
    expect(await statusOf(slow)).toBe('SUCCESS')
    expect(await statusOf(expiring)).toBe('CLOSED')
    expect((await sessionViewOf(second, page.sessionId)).state).toBe('expired')
  })

  test.each([
    ['sign', 'SIGNATURE'],
    ['a minute', 'NOT_AUTHENTICATED'],
  ])(
    'a payment whose signature was awaited when the sandbox died is approved after %s',
    async (end, method) => {
      const first = await openService({ wall: wall(), dialect: 'spec' })
      const terminalSn = 'TBX-ATTENDED-001'
      const { transactionId } = (await first.call('sale', sale(1000, { terminalSn }))).data
      await first.control('POST', `terminals/${terminalSn}/present`, { card: 'discover-swipe' })
      const second = await openService({ state: crashCopy(first.folder), wall: wall(), dialect: 'spec' })
      if (end === 'sign') await second.control('POST', `terminals/${terminalSn}/sign`, {})
      else await second.control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
      const record = (await second.call('query', { transactionId })).data
      expect(record).toMatchObject({ transactionStatus: 'S', authenticationMethod: method, batchNo: 1 })
    },
  )

  test('new transaction ids are greater than all before, even when the wall clock went back', async () => {
    const first = await openService({ wall: wall() })
    const before = (await first.call('sale', sale(1))).data.transactionId
    await first.close()
    const service = await openService({ state: first.folder, wall: new WallClock(start - 86_400_000).read })
    const after = (await service.call('sale', sale(1))).data.transactionId
    expect(after).toMatch(/^\d{16}$/)
    expect(BigInt(after)).toBeGreaterThan(BigInt(before))
  })
})

describe('reset', () => {
  test('a reset survives a restart, after a stop and after a crash', async () => {
    const { folder } = await crashed()
    const service = await openService({ state: folder, wall: wall() })
    await service.control('POST', 'reset')
    const state = plainStateOf(service.sandbox)
    expect((await reopen(crashCopy(folder))).state).toEqual(state)
    await service.close()
    expect((await reopen(folder)).state).toEqual(state)
  })

  test('after a reset amid many sales a restart finds the live state', async () => {
    const service = await openService({ wall: wall() })
    for (let round = 0; round < times(8, 20); round++) {
      const sales = (count: number) => Array.from({ length: count }, () => service.call('sale', sale(100)))
      const before = sales(round % 7)
      const reset = service.control('POST', 'reset')
      const codes = (await Promise.all([...before, reset, ...sales(10)])).map(({ code }) => code)
      expect(new Set(codes)).toEqual(new Set(['0']))
      expect(await service.call('sale', sale(100))).toMatchObject({ code: '0' })
      expect((await reopen(crashCopy(service.folder))).state).toEqual(plainStateOf(service.sandbox))
    }
  })
})

describe('a torn last line', () => {
  test('a torn last line is cut off and reported, and everything before it is kept', async () => {
    const { folder, state } = await crashed()
    const path = journalOf(folder)
    const whole = readFileSync(path)
    appendFileSync(path, encodeLine({ stream: 'M1000000001', sequence: 999 }).slice(0, 40))
    const { state: recovered, reported } = await reopen(folder)
    expect(recovered).toEqual(state)
    expect(reported).toHaveLength(1)
    expect(reported[0]).toContain(basename(path))
    expect(reported[0]).toContain(`line ${whole.toString('latin1').split('\n').length}`)
    expect(reported[0]).toContain('40 bytes')
  })

  test('a line torn at any byte leaves the state before its entry', async () => {
    const service = await openService({ wall: wall() })
    await service.call('sale', sale(1))
    const before = plainStateOf(service.sandbox)
    const size = statSync(journalOf(service.folder)).size + encodeLine({ group: 2 }).length
    await service.call('sale', sale(2))
    const last = statSync(journalOf(service.folder)).size - size
    for (const bytes of [1, 2, 10, Math.floor(last / 2), last - 18, last - 2]) {
      const copy = crashCopy(service.folder)
      truncateSync(journalOf(copy), size + bytes)
      const { state, reported } = await reopen(copy)
      expect(state).toEqual(before)
      expect(reported[0]).toContain(`${bytes} bytes`)
    }
  })

  test('a line whose newline alone is missing, or is another byte, is whole', async () => {
    const service = await openService({ wall: wall() })
    await service.call('sale', sale(1))
    const state = plainStateOf(service.sandbox)
    for (const ending of ['', '\u000b', '}']) {
      const copy = crashCopy(service.folder)
      const path = journalOf(copy)
      truncateSync(path, statSync(path).size - 1)
      appendFileSync(path, ending)
      for (let start = 0; start < 3; start++)
        expect(await reopen(crashCopy(copy))).toEqual({ state, reported: [] })
      expect((await reopen(copy)).state).toEqual(state)
      expect((await reopen(crashCopy(copy))).state).toEqual(state)
    }
  })

  test('a torn line is left out for good, and new entries follow the whole ones', async () => {
    const { folder } = await crashed()
    appendFileSync(journalOf(folder), '{"torn')
    const service = await openService({ state: folder, wall: wall() })
    await service.call('sale', sale(1))
    expect(await reopen(crashCopy(folder))).toEqual({ state: plainStateOf(service.sandbox), reported: [] })
  })
})

describe('an unacknowledged group whose pages were written out of order', () => {
  /** A folder whose last group has five sales, none of which may have been acknowledged, and the state before it. */
  async function withLastGroup() {
    const service = await openService({ wall: wall() })
    for (let count = 0; count < 3; count++) await service.call('sale', sale(1))
    const state = plainStateOf(service.sandbox)
    const start = statSync(journalOf(service.folder)).size
    await Promise.all(Array.from({ length: 5 }, (_, amount) => service.call('sale', sale(amount + 1))))
    const copy = crashCopy(service.folder)
    return { folder: copy, path: journalOf(copy), start, state }
  }

  /** Zeros in place of what the disk had not written. */
  const blank = (path: string, from: number, length: number) => {
    const bytes = readFileSync(path)
    bytes.fill(0, from, from + length)
    writeFileSync(path, bytes)
  }

  test('a group whose first line is missing is left out whole and reported', async () => {
    const { folder, path, start, state } = await withLastGroup()
    blank(path, start, encodeLine({ group: 4 }).length + 10)
    const { state: recovered, reported } = await reopen(folder)
    expect(recovered).toEqual(state)
    expect(reported).toHaveLength(1)
    expect(reported[0]).toMatch(/4 whole lines after it.*Before it are \d+ transactions?\./)
  })

  test('lines before a missing one in the group count, and those after it are left out', async () => {
    const { folder, path, start } = await withLastGroup()
    const lines = readFileSync(path, 'latin1').slice(start).split('\n')
    const third = start + lines.slice(0, 3).join('\n').length + 1
    blank(path, third, 200)
    const { state, reported } = await reopen(folder)
    expect(reported[0]).toContain('2 whole lines after it')
    const counted = (state as { ledgers: { transactions: unknown[] }[] }).ledgers[0]?.transactions
    expect(counted).toHaveLength(5)
  })

  test('the start is refused when another group follows, as the damaged one was acknowledged', async () => {
    const { folder, path, start } = await withLastGroup()
    appendFileSync(path, encodeLine({ group: 5 }))
    blank(path, start, 60)
    await refuses(folder, path, `byte ${start}`)
  })

  test('damage in any group before the last one stops the start', async () => {
    const { folder, path, start } = await withLastGroup()
    blank(path, start - 100, 10)
    await refuses(folder, path)
  })
})

describe('damage that stops the start with file and line, and leaves every file as it is', () => {
  const rewritten = (from: string | RegExp, to: string) => (path: string) =>
    rewriteRecords(path, (text) => text.replace(from, to))
  const followedBy = (line: object) => (path: string) => appendFileSync(path, encodeLine(line))
  const withoutLine = (path: string, number: number) => {
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, lines.filter((_, index) => index !== number - 1).join('\n'))
  }
  const otherFormat = (format: number) => encodeLine({ format, version: '9.9.9' }).trimEnd()

  test.each<[string, (path: string) => unknown, ...words: string[]]>([
    ['with an entry twice', (path) => rewriteLine(path, 5, (text) => `${text}\n${text}`), 'line 6'],
    ['without an entry', (path) => withoutLine(path, 5), 'line 6', 'missing', 'M1000000001'],
    ['that was removed', (path) => rmSync(path)],
    ['that was emptied', (path) => truncateSync(path, 0)],
    ['that was cut', (path) => truncateSync(path, 20)],
    ['of another state', async (path) => cpSync(journalOf((await crashed()).folder), path), 'another file'],
    ['with an unknown line', followedBy({ something: 1 }), '"something" is unknown'],
    ['with wrong settings', followedBy({ settings: { clock: 5 } }), 'clock'],
    ...[0, 1, 999].map((format): [string, (path: string) => void, ...string[]] => [
      `of format ${format}`,
      (path) => rewriteLine(path, 1, () => otherFormat(format)),
      ...[`format ${format}`, 'format 3', 'tillbox 9.9.9'],
    ]),
  ])('a journal %s stops the start', async (_, damage, ...words) => {
    const { folder } = await crashed()
    const path = journalOf(folder)
    await damage(path)
    await refuses(folder, path, ...words)
  })

  test.each<[string, (path: string) => void, ...words: string[]]>([
    [
      'without its last line',
      (path) => writeFileSync(path, `${readFileSync(path, 'utf8').split('\n').slice(0, -3).join('\n')}\n`),
      'its end is missing',
    ],
    ['that is an export', rewritten(/,"journal":\{[^}]*\}/, ''), 'export'],
    [
      'of another format',
      rewritten(/^\{"format":3,"version":"[^"]*"/, '{"format":6,"version":"9.9.9"'),
      ...['format 6', 'tillbox 9.9.9'],
    ],
    ['with an unknown line and valid checksums', rewritten('{"order":', '{"disorder":'), 'is unknown'],
    [
      'with an unknown member beside a transaction, even with valid checksums',
      rewritten('{"transaction":', '{"fee":1,"transaction":'),
      'is unknown',
    ],
    ['with wrong settings', rewritten('"offset":0', '"offset":"0"'), 'clock'],
  ])('a state file %s stops the start', async (_, damage, ...words) => {
    const path = stateFileOf(await stopped())
    damage(path)
    await refuses(dirname(path), path, ...words)
  })

  test('a state file of another state stops the start', async () => {
    const [folder, other] = [await stopped(), await stopped()]
    cpSync(stateFileOf(other), stateFileOf(folder))
    await refuses(folder, journalOf(folder), 'another file')
  })

  test('a missing state.json stops the start where there is a journal', async () => {
    for (const folder of [(await crashed()).folder, await stopped()]) {
      rmSync(stateFileOf(folder))
      await refuses(folder, 'state.json', 'is missing')
    }
  })

  test.each<[string, object, string]>([
    ['an unknown event', { type: 'gift-given' }, 'gift-given'],
    ['an event whose name every object has', { type: 'constructor' }, 'constructor'],
    ['an event of a transaction that is not there', { type: 'signed', id: '1' }, 'no transaction 1'],
  ])('%s in the journal stops the start, even with a valid checksum', async (_, event, why) => {
    const { folder } = await crashed()
    const path = journalOf(folder)
    const sequence = lastSequence(path) + 1
    appendFileSync(path, encodeLine({ stream: 'M1000000001', sequence, at: start, events: [event] }))
    await refuses(folder, path, why)
  })

  const lastSequence = (path: string): number =>
    Math.max(
      ...readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ stream }) => stream === 'M1000000001')
        .map(({ sequence }) => sequence),
    )
})

describe('a crash between the steps of a state file', () => {
  /** The state folder just before a stop and after it. */
  async function aroundStop() {
    const service = await openService({ wall: wall() })
    await fill(service)
    const before = crashCopy(service.folder)
    const state = plainStateOf(service.sandbox)
    await service.close()
    return { before, after: service.folder, state }
  }

  test('a crash before the old files are removed loses and duplicates nothing', async () => {
    const { before, after, state } = await aroundStop()
    cpSync(journalOf(before), join(after, basename(journalOf(before))))
    expect((await reopen(after)).state).toEqual(state)
    expect(journalsOf(after)).toHaveLength(1)
  })

  test('a new state file, whole or half, that was not renamed does not count', async () => {
    const { before, after, state } = await aroundStop()
    const whole = readFileSync(stateFileOf(after))
    for (const size of [0, 1000, whole.length]) {
      const copy = crashCopy(before)
      writeFileSync(join(copy, 'state.json.1.new'), whole.subarray(0, size))
      expect((await reopen(copy)).state).toEqual(state)
      expect(readdirSync(copy)).not.toContain('state.json.1.new')
    }
  })

  test('a new journal that state.json does not name does not count', async () => {
    const { before, state } = await aroundStop()
    const header = encodeLine({ format: 3, version: '0.3.0', id: randomUUID() })
    for (const text of ['', '{"for', header]) {
      const copy = crashCopy(before)
      writeFileSync(join(copy, 'journal-2.jsonl'), text, { mode: 0o600 })
      expect((await reopen(copy)).state).toEqual(state)
    }
  })
})

describe('the files of a state', () => {
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
    expect(readdirSync(folder).sort()).toEqual(['audit.jsonl', basename(journalOf(folder)), 'state.json'])
  })

  test('every line of the state is JSON that any tool reads', async () => {
    const { folder } = await crashed()
    const lines = readFileSync(journalOf(folder), 'utf8').trimEnd().split('\n')
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('crc')
    for (const record of JSON.parse(readFileSync(stateFileOf(await stopped()), 'utf8')))
      expect(record).toHaveProperty('crc')
  })
})
