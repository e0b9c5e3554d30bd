import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyJson } from '../support/any-json.ts'
import { runCommand } from '../support/commands/command.ts'
import { fails, untilStderr } from '../support/commands/launched.ts'
import { startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../support/commands/scratch.ts'

const page = readFileSync(new URL('../../docs/fixtures.md', import.meta.url), 'utf8')
const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []

/** A working folder with the example of the document. */
const folderWithExample = () => folderWith({ 'fixtures.yaml': example })

const startWithExample = () => startSandboxCommand('--fixtures fixtures.yaml', { cwd: folderWithExample() })

/** Commands of the document that sell, without what the shell leaves out. */
const sales = [...page.matchAll(/^tillbox (sale .*?)(?: +#.*)?$/gm)].map(([, typed = '']) =>
  typed.split(/\s+/),
)

test('the commands of docs/fixtures.md do what it says', async () => {
  const { run, json } = await startWithExample()
  const ended = await Promise.all(sales.map((args) => run([...args, '--json'])))
  expect(ended.map(({ code, stdout }) => [code, JSON.parse(stdout).transactionResultCode])).toEqual([
    [0, '000'],
    [4, '091'],
    [4, '091'],
  ])
  const { terminals } = await json('terminal list')
  expect(terminals.map(({ terminalSn }: { terminalSn: string }) => terminalSn)).toContain('TEA-001')
})

test('a wrong file ends with 2 and the error that the document shows, and starts and creates nothing', async () => {
  const cwd = folderWith({ 'fixtures.yaml': example.replace('Asia/Tokyo', 'Asia/Tokyoo') })
  const start = runCommand('sandbox start --port 0 --fixtures fixtures.yaml --json', { cwd })
  const place = 'fixtures.yaml:9: applications[0].merchants[0].timeZone: must be a time zone'
  const { stdout } = await fails(start, 2, place, 'Nothing was started')
  expect(page).toContain(`\`\`\`text\n${JSON.parse(stdout).error.message}\n\`\`\``)
  expect(readdirSync(cwd)).toEqual(['fixtures.yaml'])
})

const own = {
  cards: [{ name: 'own-card', number: '3566002020360505', paymentMethod: 'JCB' }],
  outcomes: [{ name: 'own', code: '091', message: 'Own', status: 'FAIL' }],
}

test('every flag and argument takes the names of the sandbox', async () => {
  const cwd = folderWith({ 'own.json': JSON.stringify(own) })
  const { json } = await startSandboxCommand('--fixtures own.json', { cwd })
  const sell = async (flags = '') => (await json(`sale --amount 5.00 ${flags}`, 4)).transactionResultCode
  expect(await sell('--outcome own')).toBe('091')
  for (const act of ['queue TBX-AUTO-001 own', 'set TBX-AUTO-001 --card own-card --outcome own']) {
    await json(`terminal ${act}`)
    expect(await sell()).toBe('091')
  }
  await json('terminal add DESK-9 --card own-card')
  expect((await json('sale --amount 5.00 --terminal DESK-9')).maskedPan).toBe('356600******0505')
  const wallet = 'checkout sale --amount 5.00 --payment-method GOOGLE_PAY --card own-card'
  expect(await json(wallet)).toMatchObject({ maskedPan: '356600******0505' })
  expect(await json('checkout wallet-payload --card own-card')).toHaveProperty('cardEncryptedData')
})

test('sandbox repair takes the fixtures of the sandbox, and refuses wrong ones', async () => {
  const cwd = folderWithExample()
  const sandbox = await startSandboxCommand('--fixtures fixtures.yaml', { cwd })
  await sandbox.stop()
  const repair = 'sandbox repair --yes --fixtures'
  expect(await sandbox.json(`${repair} fixtures.yaml`)).toMatchObject({ status: 'sound' })
  expect((await sandbox.run(`${repair} none.yaml`)).code).toBe(2)
  expect(existsSync(join(cwd, '.tillbox'))).toBe(true)
})

test('sandbox start --watch loads a changed file, and reports a wrong one', async () => {
  const cwd = scratchFolder()
  const file = join(cwd, 'fixtures.yaml')
  const write = (status: string, message: string) =>
    writeFileSync(file, `outcomes:\n  - { name: tea, code: "091", message: ${message}, status: ${status} }\n`)
  write('FAIL', 'first')
  const sandbox = await startSandboxCommand('--fixtures fixtures.yaml --watch', { cwd })
  const message = async () =>
    (await sandbox.json('outcomes')).outcomes.find(({ name }: AnyJson) => name === 'tea').message
  write('FAIL', 'second')
  await untilStderr(sandbox, /Loaded the fixtures/)
  expect(await message()).toBe('second')
  write('MAYBE', 'third')
  await untilStderr(sandbox, /The fixtures stay as they were: .*fixtures\.yaml:2: outcomes\[0\]\.status/)
  expect(await message()).toBe('second')
  expect(await sandbox.stop('SIGINT')).toMatchObject({ code: 0 })
})
