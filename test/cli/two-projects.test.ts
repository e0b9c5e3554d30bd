import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../src/server/server.ts'
import { runCommand } from '../support/commands/command.ts'
import { fails } from '../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../support/commands/scratch.ts'

/** What a row of docs/lifecycle.md#which-sandbox-a-command-means leads to. */
interface Row {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: string
  /** The sandbox that is meant; null: none, and every command is refused. */
  readonly meant: LaunchedSandbox | null
  /** What it may be asked where nobody named it, or where two are named. */
  readonly may?: 'everything' | 'new payments' | 'look-ups'
}

const transactionsIn = async (sandbox: LaunchedSandbox): Promise<number> =>
  (await sandbox.json('sandbox status')).stored.transactions

/** A look-up, a new payment, a follow-up, a settlement, and a change of the sandbox itself. */
const operations = [
  ['list', 'look-ups'],
  ['sale --amount 10.00', 'new payments'],
  ['void @last', 'everything'],
  ['batch close --yes', 'everything'],
  ['sandbox reset --yes', 'everything'],
] as const

const ranks = { 'look-ups': 0, 'new payments': 1, everything: 2 } as const

/** Plays every operation, and sees that no sandbox but the one that is meant has changed. */
async function play(
  { cwd, env = {}, flags = '', meant, may = 'everything' }: Row,
  others: LaunchedSandbox[],
) {
  const before = await Promise.all(others.map(transactionsIn))
  for (const [line, needs] of operations) {
    if (meant !== null && line.startsWith('batch')) await meant.json('sale --amount 12.00') // to settle
    const { code, stderr } = await runCommand(`${line} ${flags}`, { cwd, env })
    const isAllowed = meant !== null && ranks[may] >= ranks[needs]
    expect([line, code === 0, isAllowed ? '' : stderr]).toEqual([line, isAllowed, isAllowed ? '' : stderr])
  }
  expect(await Promise.all(others.map(transactionsIn))).toEqual(before)
}

test('assumption which-sandbox: each row of the table leads every operation to the sandbox that it says', async () => {
  const [a, b] = [await startSandboxCommand(), await startSandboxCommand()]
  await a.json('sale --amount 11.00')
  const sub = join(b.cwd, 'sub/deep')
  mkdirSync(sub, { recursive: true })
  const usual = { TILLBOX_PORT: String(a.port) }
  const stopped = folderWith({ 'tillbox.config.json': '{}' })
  const home = (profile: object, isChosen: boolean) => ({
    HOME: folderWith(
      {
        '.config/tillbox/config.json': JSON.stringify({
          ...(isChosen && { profile: 'other' }),
          profiles: { other: profile },
        }),
      },
      0o600,
    ),
  })
  const ofA = { state: a.state }
  await play({ cwd: b.cwd, env: usual, meant: b }, [a])
  await play({ cwd: sub, env: usual, meant: b }, [a])
  await play({ cwd: stopped, env: usual, meant: null }, [a, b])
  await play({ cwd: b.cwd, flags: `--state ${a.state}`, meant: a }, [b])
  await play({ cwd: b.cwd, flags: `--base-url ${a.url}`, meant: a }, [b])
  await play({ cwd: b.cwd, env: home(ofA, false), flags: '--profile other', meant: a }, [b])
  await play({ cwd: b.cwd, env: { TILLBOX_STATE: a.state }, meant: a }, [b])
  await play({ cwd: b.cwd, env: { TILLBOX_BASE_URL: a.url }, meant: a }, [b])
  await play({ cwd: b.cwd, env: home(ofA, true), meant: a, may: 'look-ups' }, [a, b])
  await play({ cwd: b.cwd, env: home({ baseUrl: a.url }, true), meant: a, may: 'look-ups' }, [a, b])
  await play({ cwd: stopped, env: home(ofA, true), meant: a }, [b])
  await a.json('sale --amount 11.00')
  await play({ cwd: scratchFolder(), env: usual, meant: a, may: 'new payments' }, [b])
  expect((await runCommand('list', { cwd: stopped, env: usual })).code).toBe(3)
}, 240_000)

test('what a variable names is said where it is not this project’s running sandbox, and whoami prints what is meant', async () => {
  const [a, b] = [await startSandboxCommand(), await startSandboxCommand()]
  const env = { TILLBOX_STATE: a.state }
  const { stderr } = await runCommand('list --json', { cwd: b.cwd, env })
  expect(stderr.replace(/\s+/g, ' ')).toContain(`not the running sandbox of this project, ${b.url}`)
  expect((await runCommand('list --json', { cwd: b.cwd, env: { TILLBOX_STATE: b.state } })).stderr).toBe('')
  const meant = async (cwd: string, more = {}) => {
    const { settings } = JSON.parse((await runCommand('whoami --json', { cwd, env: more })).stdout)
    return settings.find(({ setting }: { setting: string }) => setting === 'sandbox')
  }
  expect(await meant(b.cwd)).toMatchObject({
    value: `${b.url}, state ${b.state}`,
    source: 'the project of this folder',
  })
  expect(await meant(b.cwd, env)).toMatchObject({ value: `${a.url}, state ${a.state}` })
  expect(await meant(scratchFolder(), { TILLBOX_PORT: String(a.port) })).toMatchObject({
    source: 'the usual port: this folder belongs to no project',
  })
})

test('a copied project has no running sandbox, starts one of its own, and never acts on the original’s', async () => {
  const a = await startSandboxCommand()
  await a.json('sale --amount 11.00')
  const copy = join(scratchFolder(), 'copy')
  cpSync(a.cwd, copy, { recursive: true, preserveTimestamps: true })
  for (const line of ['sandbox reset --yes', 'sale --amount 10.00', 'list'])
    await fails(runCommand(line, { cwd: copy }), 3, "This project's sandbox does not run")
  const { code, stdout } = await runCommand('sandbox stop', { cwd: copy })
  expect([code, stdout]).toEqual([0, expect.stringContaining('No sandbox runs on')])
  const own = await startSandboxCommand([], { cwd: copy })
  expect(await transactionsIn(own)).toBe(1)
  await own.json('sandbox reset --yes')
  expect([await transactionsIn(own), await transactionsIn(a)]).toEqual([0, 1])
})

test('a moved project starts with its payments', async () => {
  const a = await startSandboxCommand()
  await a.json('sale --amount 11.00')
  await a.stop()
  const moved = join(scratchFolder(), 'moved')
  renameSync(a.cwd, moved)
  expect(await transactionsIn(await startSandboxCommand([], { cwd: moved }))).toBe(1)
})

test('a named port that is taken is refused, and leaves no folder', async () => {
  const a = await startSandboxCommand()
  const cwd = scratchFolder()
  const taken = { cwd, env: { TILLBOX_PORT: String(a.port) } }
  await fails(runCommand('sandbox start', taken), 2, 'is taken', 'leave --port out')
  expect(existsSync(join(cwd, '.tillbox'))).toBe(false)
})

test('where nobody named the port, the next free one is taken, and said', async () => {
  const a = await startSandboxCommand()
  const said: string[] = []
  const report = (text: string) => said.push(text)
  const running = await startSandbox({ state: scratchFolder(), port: a.port, nextPort: true, report })
  onTestFinished(() => running.close())
  const port = Number(new URL(running.connection.url).port)
  expect(port).toBeGreaterThan(a.port)
  expect(said).toContainEqual(expect.stringMatching(`${a.port} is taken.*next free one, ${port}`))
  const taken = startSandbox({ state: scratchFolder(), port: a.port })
  await expect(taken).rejects.toThrow('is taken')
})
