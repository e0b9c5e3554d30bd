import { randomUUID as newUuid } from 'node:crypto'
import fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { advance as advanceClock } from '../../../src/sandbox/control/state/set-clock.ts'
import { replaceFunctions } from '../../support/runner/replaced-functions.ts'
import { appOf } from '../../support/service/app.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  crashCopy,
  following,
  openService,
  openSold,
  plainLedgersOf,
  plainStateOf,
  type Service,
  sale,
  temporaryFolder,
  transactionsIn,
  WallClock,
} from '../../support/service/service.ts'

interface TestDisk {
  write: 'well' | 'refused' | 'half' | 'short'
  sync: 'well' | 'refused'
  cut: 'well' | 'refused'
  rename: 'well' | 'refused'
  link: 'well' | 'refused'
  /** The names of files that cannot be opened. */
  open: RegExp | null
}

const well: TestDisk = { write: 'well', sync: 'well', cut: 'well', rename: 'well', link: 'well', open: null }

/** What the disk does wrong. */
const disk = { ...well }

/** What the disk does of what it is asked. */
function faultyDisk(real: Readonly<typeof fs>): object {
  const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const refuse = (when: boolean) => {
    if (when) throw full()
  }
  const unlessRefused =
    <T extends readonly unknown[]>(what: 'cut' | 'rename' | 'link', act: (...given: T) => void) =>
    (...given: T) => {
      refuse(disk[what] === 'refused')
      act(...given)
    }
  let halves = 0
  return {
    writeSync: (file: number, data: string | Uint8Array, ...rest: number[]) => {
      refuse(disk.write === 'refused' || (disk.write === 'half' && halves++ % 2 === 1))
      if (disk.write === 'well') return real.writeSync(file, data as Uint8Array, ...rest)
      const bytes = Buffer.from(data as Uint8Array)
      const [offset = 0, length = bytes.length - offset, position] = typeof data === 'string' ? [] : rest
      return real.writeSync(file, bytes, offset, Math.max(1, Math.floor(length / 2)), position ?? null)
    },
    fdatasync: (file: number, done: (error: Error | null) => void) =>
      disk.sync === 'refused' ? setImmediate(() => done(full())) : real.fdatasync(file, done),
    ftruncateSync: unlessRefused('cut', real.ftruncateSync),
    renameSync: unlessRefused('rename', real.renameSync),
    linkSync: unlessRefused('link', real.linkSync),
    openSync: (path: string, ...rest: [number, number]) => {
      refuse(disk.open?.test(path) ?? false)
      return real.openSync(path, ...rest)
    },
  }
}

type Faults = Partial<TestDisk>

/** Does something while the disk has these faults. */
async function during<T>(faults: Faults, action: () => Promise<T>): Promise<T> {
  Object.assign(disk, faults)
  try {
    return await action()
  } finally {
    Object.assign(disk, well)
  }
}

beforeEach(() => replaceFunctions(fs, faultyDisk))

afterEach(() => void Object.assign(disk, well))

const faulty: [string, Faults][] = [
  ['cannot write', { write: 'refused' }],
  ['writes half and then cannot', { write: 'half' }],
  ['cannot make it durable', { sync: 'refused' }],
  ['cannot write, nor cut the file back', { write: 'half', cut: 'refused' }],
  ['cannot make it durable, nor cut the file back', { sync: 'refused', cut: 'refused' }],
]

/**
 * What a crash after the next accepted sale would leave is what is live then. A disk that could not even cut the file
 * back has to be cut back by then.
 */
async function expectDurable(service: Service): Promise<void> {
  expect((await service.call('sale', sale(1))).code).toBe('0')
  const copy = await openService({ state: crashCopy(service.folder) })
  expect(plainStateOf(copy.sandbox)).toEqual(plainStateOf(service.sandbox))
  await copy.close()
}

describe.each(faulty)('a disk that %s', (_, faults) => {
  test('a sale is refused with 503 while the disk fails, and nothing of it is stored', async () => {
    const service = await openService()
    await service.call('sale', sale(1000))
    const before = plainStateOf(service.sandbox)
    const request = sale(500, { transactionRequestId: newId() }) as { transactionRequestId: string }
    const answer = await during(faults, () => service.call('sale', request))
    expect([answer.status, answer.code]).toEqual([503, 'SBX_STORE_FAIL'])
    expect(answer.data).toBeUndefined()
    expect(answer.detail).toBe(`the disk of ${service.folder} is full`)
    expect(answer.remedy).toBe(
      `Free up space on the disk of ${service.folder}, then send the request again with the same ids: nothing was stored`,
    )
    const found = await service.call('query', { transactionRequestId: request.transactionRequestId })
    expect(found.code).toBe('SBX_TXN_UNKNOWN')
    expect(plainStateOf(service.sandbox)).toEqual(before)
    const restarted = await openService({ state: crashCopy(service.folder) })
    expect(plainStateOf(restarted.sandbox)).toEqual(before)
    await expectDurable(service)
  })

  test('a refusal that cannot be stored is a 503 too, and uses up no request id', async () => {
    const service = await openService()
    const id = { 'X-Client-Request-Id': newUuid() }
    for (const wrong of [{ amount: -1 }, sale(0), { attach: '4111111111111111' }]) {
      const answer = await during(faults, () => service.call('sale', wrong, id))
      expect([answer.status, answer.code]).toEqual([503, 'SBX_STORE_FAIL'])
    }
    expect((await service.call('sale', sale(1), id)).code).toBe('0')
    await expectDurable(service)
  })

  test('look-ups are answered while the disk fails', async () => {
    const { transactionId, ...service } = await openSold()
    const looks = ['/', '/batches', '/webhooks', '/requests', '/terminals', `/transactions/${transactionId}`]
    const app = appOf(service.sandbox)
    for (let round = 0; round < 3; round++)
      await during(faults, async () => {
        expect((await service.call('sale', sale(500))).status).toBe(503)
        expect((await service.call('query', { transactionId })).data.transactionStatus).toBe('S')
        for (const path of ['state', 'clock', 'terminals', 'requests'])
          expect([path, (await service.control('GET', path)).code]).toEqual([path, '0'])
        for (const path of looks) expect([path, (await app.request(path)).status]).toEqual([path, 200])
      })
  })

  test('once the disk works again, requests succeed, even those that were refused', async () => {
    const service = await openService()
    const request = sale(500)
    const headers = { 'X-Client-Request-Id': '01234567-89ab-4def-8123-456789abcdef' }
    for (let round = 0; round < 3; round++)
      expect((await during(faults, () => service.call('sale', request, headers))).status).toBe(503)
    expect((await service.call('sale', request, headers)).code).toBe('0')
    expect((await service.call('sale', sale(1))).code).toBe('0')
    await expectDurable(service)
    await service.close()
    const reopened = await openService({ state: service.folder })
    expect(transactionsIn(reopened.sandbox)).toHaveLength(3)
  })

  test('every kind of change is refused while the disk fails, and changes nothing', async () => {
    const { data, ...service } = await openSold()
    const before = plainStateOf(service.sandbox)
    const answers = await during(faults, async () => [
      await service.call('refund', following(data.transactionId, { amount: 1 })),
      await service.call('void', following(data.transactionId)),
      await service.call('tip-adjust', { originalTransactionId: data.transactionId, tipAmount: 5 }),
      await service.call('sale', sale(1, { merchantId: 'M-NEW', terminalSn: 'T-NEW' })),
      await service.control('PATCH', 'terminals/TBX-AUTO-001', { tipPercent: 5 }),
      await service.control('POST', 'terminals/TBX-AUTO-001/queue', { outcome: 'approve' }),
    ])
    for (const answer of answers) expect([answer.status, answer.code]).toEqual([503, 'SBX_STORE_FAIL'])
    expect(plainStateOf(service.sandbox)).toEqual(before)
    await expectDurable(service)
  })

  test('a step whose write failed is due again', async () => {
    const folder = temporaryFolder()
    const reported: string[] = []
    const report = (message: string) => reported.push(message)
    const service = await openService({ state: folder, wall: new WallClock().read, report })
    const headers = { 'X-Sandbox-Outcome': 'late-approval' }
    const { transactionId } = (await service.call('sale', sale(1000), headers)).data
    await service.control('POST', 'clock', { action: 'freeze' })
    const advance = (milliseconds: number) => advanceClock(service.sandbox, milliseconds)
    const statusNow = async () => (await service.call('query', { transactionId })).data.transactionStatus
    await expect(during(faults, () => advance(60_000))).rejects.toMatchObject({ code: 'SBX_STORE_FAIL' })
    expect(reported.length).toBeGreaterThan(0)
    for (const message of reported) expect(message).toMatch(/^The state could not be written: ENOSPC/)
    await advance(1)
    expect(await statusNow()).toBe('S')
    await expectDurable(service)
  })
})

describe.each(faulty)('a clock that is advanced while the disk %s', (_, faults) => {
  test('the advance is refused with 503, the clock is as after a restart, and due steps happen later', async () => {
    const wall = new WallClock()
    const service = await openService({ wall: wall.read })
    const late = { 'X-Sandbox-Outcome': 'late-approval' }
    const { transactionId } = (await service.call('sale', sale(1), late)).data
    const advance = { action: 'advance', milliseconds: 60_000 }
    const refused = await during(faults, () => service.control('POST', 'clock', advance))
    expect([refused.status, refused.code, refused.data]).toEqual([503, 'SBX_STORE_FAIL', undefined])
    for (const text of [refused.msg, refused.traceId, refused.remedy]) expect(text).toMatch(/./)
    const shown = async ({ control }: Service) => (await control('GET', 'clock')).data
    const restarted = await openService({ state: crashCopy(service.folder), wall: wall.read })
    expect(await shown(restarted)).toEqual(await shown(service))
    expect((await service.control('POST', 'clock', advance)).code).toBe('0')
    expect((await service.call('query', { transactionId })).data.transactionStatus).toBe('S')
    await expectDurable(service)
  })
})

test('look-ups of one moment are refused while the state cannot be read back, and answered afterwards', async () => {
  const { call, transactionId } = await openSold()
  const looks = () => Promise.all([1, 2, 3].map(() => call('query', { transactionId })))
  const refused = await during({ write: 'refused', open: /\.jsonl?$/ }, async () => {
    await call('sale', sale(500))
    return [...(await looks()), ...(await looks())]
  })
  for (const { status, msg } of refused) {
    expect(status).toBe(503)
    expect(msg).toBe('The sandbox cannot read its state at the moment, so there is no answer')
  }
  await expect.poll(async () => (await looks()).map(({ code }) => code)).toEqual(['0', '0', '0'])
})

test.each<[string, Faults]>([
  ['the write is refused', { write: 'refused' }],
  ['it cannot be made durable', { sync: 'refused' }],
])('settings are refused with 503 and stay as they were: %s', async (_, faults) => {
  const { control, call } = await openService({ wall: new WallClock().read })
  const clock = (await control('GET', 'clock')).data
  const answers = await during(faults, async () => [
    await control('PUT', 'allow-list', { addresses: ['203.0.113.7'] }),
    await control('POST', 'keys/regenerate', { graceMs: 0 }),
    await control('POST', 'clock', { action: 'freeze' }),
  ])
  for (const answer of answers) expect.soft([answer.status, answer.code]).toEqual([503, 'SBX_STORE_FAIL'])
  expect.soft((await control('GET', 'allow-list')).data.addresses).toEqual([])
  expect.soft((await control('GET', 'clock')).data).toEqual(clock)
  expect((await call('sale', sale(1))).code).toBe('0')
})

test.each<[string, Faults]>([
  ['a new journal file cannot be created', { open: /journal-\d+\.jsonl/ }],
  ['the state file cannot be linked', { link: 'refused' }],
])('a reset for which %s answers 503, the state stays, and requests go on', async (_, faults) => {
  const service = await openService()
  await service.call('sale', sale(1000))
  const before = plainLedgersOf(service.sandbox)
  const answer = await during(faults, () => service.control('POST', 'reset'))
  expect.soft([answer.status, answer.code]).toEqual([503, 'SBX_STORE_FAIL'])
  expect.soft(plainLedgersOf(service.sandbox)).toEqual(before)
  for (let count = 0; count < 3; count++) expect((await service.call('sale', sale(1))).code).toBe('0')
  await expectDurable(service)
})

describe('a state file that cannot be written', () => {
  test.each<[string, Faults]>([
    ['the write is refused', { write: 'refused' }],
    ['it cannot be renamed', { rename: 'refused' }],
    ['the file cannot be opened', { open: /state\.json/ }],
  ])('the next start finds everything after a stop at which %s', async (_, faults) => {
    const folder = temporaryFolder()
    const reported: string[] = []
    const report = (message: string) => reported.push(message)
    const service = await openService({ state: folder, report })
    for (let count = 0; count < 5; count++) await service.call('sale', sale(1000))
    const state = plainStateOf(service.sandbox)
    await during(faults, () => service.close())
    expect(reported.join()).toMatch(/state file could not be written.*ENOSPC/)
    const reopened = await openService({ state: folder })
    expect(plainStateOf(reopened.sandbox)).toEqual(state)
  })

  test('a state file is written whole on a disk that takes only a part of each write', async () => {
    const folder = temporaryFolder()
    const state = await during({ write: 'short' }, async () => {
      const service = await openService({ state: folder })
      for (let count = 0; count < 5; count++) await service.call('sale', sale(1000))
      await service.control('PUT', 'allow-list', { addresses: ['127.0.0.1'] })
      const live = plainStateOf(service.sandbox)
      await service.close()
      return live
    })
    const reopened = await openService({ state: folder })
    expect(plainStateOf(reopened.sandbox)).toEqual(state)
    expect((await reopened.control('GET', 'allow-list')).data.addresses).toEqual(['127.0.0.1'])
  })
})
