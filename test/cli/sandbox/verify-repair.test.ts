import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { leftByKill, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { folderContents } from '../../support/store/folder-contents.ts'
import { journalOf, stateFileOf } from '../../support/store/state-paths.ts'

const original = mkdtempSync(join(tmpdir(), 'tillbox-e2e-'))
afterAll(() => rmSync(original, { recursive: true }))

let sold: Promise<string[]> | undefined

/** Five sales: two are in the state file, three in the journal of a sandbox that was killed. Returns their ids. */
async function sellAndKill() {
  const cwd = scratchFolder()
  const ids: string[] = []
  const sell = async (count: number) => {
    const sandbox = await startSandboxCommand([], { cwd })
    for (let sold = 0; sold < count; sold++)
      ids.push((await sandbox.json('sale --amount 10.00')).transactionId)
    return sandbox
  }
  await (await sell(2)).stop()
  cpSync(leftByKill(await sell(3)).cwd, original, { recursive: true })
  return ids
}

/** A folder that was left by kill -9 after five sales. */
async function leftState() {
  sold ??= sellAndKill()
  const ids = await sold
  const cwd = scratchFolder()
  cpSync(original, cwd, { recursive: true })
  const state = join(cwd, '.tillbox')
  return { cwd, state, ids, journal: journalOf(state), stateFile: stateFileOf(state) }
}

const withoutLock = ({ 'lock.json': _, ...contents }: ReturnType<typeof folderContents>) => contents

/** Changes a byte of the line that holds the text. */
function damage(path: string, text: string): void {
  const bytes = readFileSync(path)
  const offset = bytes.indexOf(text)
  expect(offset).toBeGreaterThan(0)
  bytes[offset] = (bytes[offset] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

/** The ids that the sandbox on that folder still knows. */
async function knownIn(cwd: string, ids: readonly string[]): Promise<string[]> {
  const sandbox = await startSandboxCommand([], { cwd })
  const known: string[] = []
  for (const id of ids) if ((await sandbox.run(`query ${id} --json`)).code === 0) known.push(id)
  await sandbox.stop()
  return known
}

test('sandbox verify of a sound state ends with 0 and its contents, and nothing is changed', async () => {
  const { cwd, state } = await leftState()
  const before = folderContents(state)
  const stdout = await prints(runCommand('sandbox verify --json', { cwd }))
  expect(JSON.parse(stdout)).toMatchObject({ sound: true, transactions: 5, merchants: 1, problems: [] })
  await prints(runCommand('sandbox verify', { cwd }), /is sound\n.*5 of 1 merchant/)
  expect(folderContents(state)).toEqual(before)
})

test('a folder on which a sandbox runs is verified, and a repair of it ends with 2 and its process', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('sale --amount 10.00')
  expect(await sandbox.json('sandbox verify')).toMatchObject({
    sound: true,
    transactions: 1,
    holder: { pid: sandbox.pid, url: sandbox.url },
  })
  damage(journalOf(sandbox.state), '"format"')
  await sandbox.fails('sandbox repair --yes', 2, `process ${sandbox.pid}`)
})

test.each<[string, (left: Awaited<ReturnType<typeof leftState>>) => void, RegExp]>([
  ['a line of the journal', ({ journal }) => damage(journal, '"sequence":4'), /journal-2\.jsonl.*checksum/],
  [
    'a line of the state file',
    ({ stateFile }) => damage(stateFile, '"transaction":{'),
    /state\.json.*checksum/,
  ],
  [
    'a space',
    ({ state }) => {
      cpSync(state, join(dirname(state), 'copy'), { recursive: true })
      cpSync(join(dirname(state), 'copy'), join(state, 'spaces', 'ci'), { recursive: true })
      rmSync(journalOf(join(state, 'spaces', 'ci')))
    },
    /spaces\/ci\/journal-2\.jsonl.*missing/,
  ],
])('damage of %s ends with 4 and its place, and nothing is changed', async (_, spoil, why) => {
  const left = await leftState()
  spoil(left)
  const before = folderContents(left.state)
  const { stdout } = await fails(runCommand('sandbox verify', { cwd: left.cwd }), 4, 'tillbox sandbox repair')
  expect(stdout.replace(/\s+/g, ' ')).toMatch(why)
  expect(folderContents(left.state)).toEqual(before)
})

test('a missing folder ends with 2', async () => {
  await fails(runCommand('sandbox verify --state nowhere'), 2, 'There is no state folder')
})

test('sandbox repair leaves a sound state as it is', async () => {
  const { cwd, state } = await leftState()
  const before = folderContents(state)
  const stdout = await prints(runCommand('sandbox repair --json', { cwd }))
  expect(JSON.parse(stdout)).toMatchObject({ status: 'sound', backup: null })
  expect(withoutLock(folderContents(state))).toEqual(withoutLock(before))
})

test('a repair without a person and without --yes ends with 2, and nothing is changed', async () => {
  const { cwd, state, journal } = await leftState()
  damage(journal, '"sequence":4')
  const before = folderContents(state)
  expect((await runCommand('sandbox repair', { cwd })).code).toBe(2)
  expect(folderContents(state)).toEqual(before)
})

test('repairing a journal makes a copy, keeps the entries before the damage, and lists the rest', async () => {
  const { cwd, state, ids, journal } = await leftState()
  damage(journal, '"sequence":4')
  const before = folderContents(state)
  const stdout = await prints(runCommand('sandbox repair --yes --json', { cwd }))
  const { backup, leftOut, transactions } = JSON.parse(stdout)
  expect(folderContents(backup)).toEqual(withoutLock(before))
  expect(transactions).toBe(3)
  const why = 'its checksum does not match'
  expect(leftOut).toMatchObject([{ file: 'journal-2.jsonl', why, transactionIds: [ids[4]] }])
  expect((await runCommand('sandbox verify', { cwd })).code).toBe(0)
  expect(await knownIn(cwd, ids)).toEqual(ids.slice(0, 3))
})

test('repairing a line of the state file keeps everything else, and the journal after it', async () => {
  const { cwd, ids, stateFile } = await leftState()
  damage(stateFile, `"id":"${ids[0]}"`)
  const { stdout } = await runCommand('sandbox repair --yes --json', { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'repaired', transactions: 4 })
  expect(await knownIn(cwd, ids)).toEqual(ids.slice(1))
})

test.each([
  ['journal', 2],
  ['state file', 0],
])('a repair without the %s keeps what is left, as far as it is consistent', async (kind, kept) => {
  const { cwd, ids, journal, stateFile } = await leftState()
  rmSync(kind === 'journal' ? journal : stateFile)
  expect((await runCommand('sandbox repair --yes', { cwd })).code).toBe(0)
  expect(await knownIn(cwd, ids)).toEqual(ids.slice(0, kept))
})
