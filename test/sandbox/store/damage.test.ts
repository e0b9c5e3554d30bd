import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { repairState } from '../../../src/sandbox/store/file/repair.ts'
import { verifyState } from '../../../src/sandbox/store/file/verify.ts'
import { ensureFolderSecret } from '../../../src/sandbox/store/space-list.ts'
import { startSandbox } from '../../../src/server/server.ts'
import { addFigures, printFigures } from '../../support/load/figures.ts'
import { fromEnvironment, Random, seedFromEnvironment } from '../../support/load/random.ts'
import { askJson } from '../../support/network/ask-json.ts'
import { times } from '../../support/runner/counts.ts'
import { askIn, dataOf } from '../../support/service/ask.ts'
import { crashCopy, sale, temporaryFolder } from '../../support/service/service.ts'
import { folderContents } from '../../support/store/folder-contents.ts'
import { journalOf } from '../../support/store/state-paths.ts'

// TILLBOX_DAMAGES  damaged files; 60, and 2,000 in `npm run test:long`
// TILLBOX_SEED     the seed of a run before

/** The folder of a sandbox that was killed when idle: a state file, a journal, a snapshot, a token, and a space. */
async function left(): Promise<string> {
  const folder = temporaryFolder()
  const sell = async ({ sandbox }: Awaited<ReturnType<typeof startSandbox>>) => {
    for (const amount of [100, 9823, 500])
      await askIn(sandbox)('POST', '/v1/semi-integration/transaction/sale', sale(amount))
  }
  const first = await startSandbox({ state: folder })
  await sell(first)
  await first.close()
  const second = await startSandbox({ state: folder })
  const control = async (method: string, path: string, members: object, base = '') =>
    dataOf(await askJson(`${second.connection.url}${base}/_sandbox/${path}`, method, members), path)
  await sell(second)
  await control('PUT', 'snapshots/base', {})
  await control('PUT', 'allow-list', { addresses: ['127.0.0.1'] })
  await control('POST', 'spaces', { name: 'ci' })
  await control('POST', 'faults', { kind: 'http-503', operation: 'void' }, '/s/ci')
  await control('POST', 'tokens', { name: 'lee', scope: 'viewer' })
  await sell(second)
  for (const each of [folder, join(folder, 'spaces', 'ci')])
    await expect.poll(() => readFileSync(journalOf(each), 'utf8')).toMatch(/\n\{"group":.*\n$/)
  const copy = crashCopy(folder)
  await second.close()
  for (const each of [copy, join(copy, 'spaces', 'ci')]) rmSync(join(each, 'lock.json'))
  ensureFolderSecret(copy)
  return copy
}

/** The files whose damage is found: all but logs. */
const checkedFiles = (folder: string): string[] =>
  Object.keys(folderContents(folder)).filter((name) => !/(^|\/)(attempts|audit)/.test(name))

/** Ways in which the bytes of a file are damaged between two places. */
const ways = {
  'a flipped bit': (bytes: Buffer, from: number, _: number, random: Random) => {
    const changed = Buffer.from(bytes)
    changed[from] = (changed[from] ?? 0) ^ (1 << random.whole(8))
    return changed
  },
  zeros: (bytes: Buffer, from: number, to: number) => Buffer.from(bytes).fill(0, from, to),
  garbage: (bytes: Buffer, from: number, to: number, random: Random) => {
    const changed = Buffer.from(bytes)
    for (let at = from; at < to; at++) changed[at] = random.whole(256)
    return changed
  },
  'bytes of another place': (bytes: Buffer, from: number, to: number, random: Random) => {
    const changed = Buffer.from(bytes)
    const other = random.whole(bytes.length - (to - from) + 1)
    return changed.fill(bytes.subarray(other, other + to - from), from, to)
  },
  'missing bytes': (bytes: Buffer, from: number, to: number) =>
    Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]),
  'no bytes': () => Buffer.alloc(0),
} as const

/** True for a file whose damage is named by its line. */
const hasLines = (name: string): boolean => /(journal-\d+\.jsonl|state\.json)$/.test(name)

/** What a file says, without what nobody reads: the spaces of a small file, and the last newline of a journal. */
function meaningOf(name: string, bytes: Buffer): string {
  if (/journal-\d+\.jsonl$/.test(name)) return bytes.toString('latin1').replace(/[^}]$/, '')
  if (/state\.json$|snapshots/.test(name)) return bytes.toString('latin1')
  try {
    return JSON.stringify(JSON.parse(bytes.toString()))
  } catch {
    return ''
  }
}

const newline = 10

/** With these a start reads every file of the folder itself. */
const shared = { publicUrl: 'https://pay.example', token: 'a-token-of-the-test-0001' }

/** The line of the first byte that another one took the place of. */
function damagedLine(before: Buffer, after: Buffer): number {
  const at = before.findIndex((byte, index) => byte !== after[index])
  return before.subarray(0, at).filter((byte) => byte === newline).length + 1
}

/** Starts on the folder, and stops; resolves to what was reported, or to why it is refused. */
async function startOn(state: string): Promise<{ refused: string | null; reported: string }> {
  const reported: string[] = []
  try {
    const running = await startSandbox({ ...shared, state, report: (message) => reported.push(message) })
    await running.close()
    return { refused: null, reported: reported.join() }
  } catch (error) {
    return { refused: (error as Error).message, reported: reported.join() }
  }
}

test('a missing comma, bracket or newline between records is found as well, and a repair loses no payment for it', async () => {
  const whole = await left()
  for (const name of ['state.json', 'snapshots/base.json']) {
    const bytes = readFileSync(join(whole, name))
    const places = [...bytes.keys()].filter((at) => [bytes[at], bytes[at + 1]].includes(newline))
    expect(places.length).toBeGreaterThan(10)
    for (const at of places) {
      const folder = join(temporaryFolder(), 'state')
      cpSync(whole, folder, { recursive: true })
      writeFileSync(join(folder, name), Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]))
      const { sound, problems } = await verifyState(folder)
      const where = `${name} without byte ${at} ${JSON.stringify(String.fromCharCode(bytes[at] as number))}`
      expect(sound, where).toBe(false)
      expect(problems.join(), where).toContain(join(folder, name))
      if (name === 'state.json' && bytes[at] !== newline)
        expect(await repairState(folder, Date.now()), where).toMatchObject({ transactions: 9 })
    }
  }
})

test('damage at any place of any file is found: verify and the start name the file, and a refused start changes nothing', async () => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const whole = await left()
  expect(await verifyState(whole)).toMatchObject({ sound: true, problems: [], warnings: [] })
  const names = checkedFiles(whole)
  expect(names).toEqual([
    ...['journal-2.jsonl', 'secret.json', 'snapshots/base.json', 'spaces.json'],
    ...['spaces/ci/journal-1.jsonl', 'spaces/ci/state.json'],
    ...['state.json', 'tokens.json'],
  ])
  const figures: Record<string, number> = {}
  const problems: string[] = []
  const damages = fromEnvironment('TILLBOX_DAMAGES', times(60, 2_000))
  for (let count = 0; count < damages; count++) {
    const folder = join(temporaryFolder(), 'state')
    cpSync(whole, folder, { recursive: true })
    const name = names[count % names.length] as string
    const path = join(folder, name)
    const before = readFileSync(path)
    const way = random.pick(Object.keys(ways) as (keyof typeof ways)[])
    const from = random.whole(before.length)
    const to = Math.min(before.length, from + 1 + random.whole(random.pick([1, 16, 256, 4096])))
    const bytes = ways[way](before, from, to, random)
    const isSame = meaningOf(name, bytes) === meaningOf(name, before)
    const isCut = name.includes('journal') && to === before.length && way === 'missing bytes'
    if (isSame || isCut) continue // nothing is damaged, or it looks as a crash at an earlier moment leaves it
    writeFileSync(path, bytes)
    const where = `seed ${seed}, damage ${count}: ${way} in ${name}, bytes ${from} to ${to} of ${before.length}`
    addFigures(figures, { damages: 1, [name]: 1, [way]: 1 })
    const files = folderContents(folder)
    const { sound, problems: found, warnings } = await verifyState(folder)
    const isUnfinished = sound && warnings.some((warning) => warning.startsWith(path))
    const named = hasLines(name) ? [path, `line ${damagedLine(before, bytes)}`] : [path]
    if (![...found, ...warnings].some((text) => named.every((part) => text.includes(part))))
      problems.push(`${where}: verify says ${JSON.stringify([...found, ...warnings])}, not ${named}`)
    if (isUnfinished) addFigures(figures, { 'reported as unfinished': 1 })
    if (dirname(name) === '.') {
      const { refused, reported } = await startOn(folder)
      if (isUnfinished ? refused !== null || !reported.includes(path) : !refused?.includes(path))
        problems.push(`${where}: the start says ${refused ?? reported}`)
      if (refused !== null) expect(folderContents(folder), where).toEqual(files)
      addFigures(figures, { [refused === null ? 'starts' : 'refused starts']: 1 })
    }
    rmSync(folder, { recursive: true })
  }
  printFigures('damage', { ...figures, problems: problems.length, seed })
  expect(problems).toEqual([])
}, 3_600_000)
