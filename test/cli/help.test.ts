import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandPage } from '../../src/cli/help/command-page.ts'
import { helpPages, pageTable } from '../../src/cli/help/pages.ts'
import { columns } from '../../src/cli/output/table.ts'
import { theme } from '../../src/cli/output/theme.ts'
import { type Status, statusLetters, statusWordOf } from '../../src/contract/statuses.ts'
import { runCommand } from '../support/commands/command.ts'
import { fails } from '../support/commands/launched.ts'

const { commands } = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'))
const ids = Object.keys(commands).filter((id) => commands[id].hidden !== true)

const firstWords = [...new Set(ids.map((id) => id.split(':')[0] as string))]

const helpOf = async (...words: string[]) => (await runCommand([...words, '--help'])).stdout

test('tillbox --help begins with the first steps, and has each command or topic of one word in one group', async () => {
  const text = await helpOf()
  const lines = [...text.matchAll(/^ {2}([a-z-]+) +[A-Z]/gm)].map(([, name]) => name)
  expect(lines).toHaveLength(new Set(lines).size)
  expect(lines).toEqual(expect.arrayContaining(firstWords))
  expect(text.indexOf('tillbox sandbox start')).toBeLessThan(text.indexOf('PAYMENTS'))
})

test('no text has a tag', () => expect(JSON.stringify(commands)).not.toContain('<%'))

test.each(ids.filter((id) => id !== 'help'))('%s: help has a summary, examples, then flags', async (id) => {
  const text = await helpOf(...id.split(':'))
  expect(text.split('\n')[0]).toMatch(/^[A-Z].*\.$/)
  expect(text).toContain('EXAMPLES')
  expect(text).not.toMatch(/Exit codes:|undefined/)
  if (text.includes('\nFLAGS')) expect(text.indexOf('EXAMPLES')).toBeLessThan(text.indexOf('\nFLAGS'))
})

const plain = (text: string) => text
const look = (width: number) => ({ strong: plain, link: plain, faint: plain, width })
/** What a page says, however wide it is. */
const wordsOf = (page: string) => page.trim().split(/\s+/)

test.each([60, 80, 100, 120])('help at %i columns has no longer line, and breaks no word', (width) => {
  for (const id of ids) {
    const page = commandPage(commands[id], look(width))
    expect([id, wordsOf(page)]).toEqual([id, wordsOf(commandPage(commands[id], look(1_000)))])
    const tooLong = page.split('\n').filter((line) => line.length > width)
    const breakable = tooLong.filter((line) => !/^(?:\$ .*|\S+)$/.test(line.trim()))
    expect([id, breakable]).toEqual([id, []])
  }
})

test('sandbox restart keeps what is left out: of its flags only --timeout has a default', () => {
  const flags: { name: string; default?: string }[] = Object.values(commands['sandbox:restart'].flags)
  expect(flags.filter((flag) => flag.default !== undefined).map(({ name }) => name)).toEqual(['timeout'])
})

test('checkout sale says what it sends where wallet and payload are left out', async () => {
  const text = await helpOf('checkout', 'sale')
  for (const part of ['default: GOOGLE_PAY', /default: a test payload\s+of --card/])
    expect(text).toMatch(part)
})

test('the flags that commands share are named, and explained by help flags', async () => {
  const also = (await helpOf('sale')).split('\nALSO\n')[1]
  for (const flag of ['--base-url', '--json', 'tillbox help flags']) expect(also).toContain(flag)
  const { stdout } = await runCommand('help flags --json')
  const names: string[] = JSON.parse(stdout).flags.map(({ flag }: { flag: string }) => flag)
  expect(names).toEqual(expect.arrayContaining(['--base-url', '--profile', '--json', '--fields', '--dotenv']))
  expect(new Set(names).size).toBe(names.length)
})

test('help exit-codes explains every exit code; help with a command shows its help, and without one the list', async () => {
  const { codes } = JSON.parse((await runCommand('help exit-codes --json')).stdout)
  expect(codes.map(({ code }: { code: number }) => code)).toEqual([0, 1, 2, 3, 4, 5])
  expect((await runCommand('help webhook list')).stdout).toBe(await helpOf('webhook', 'list'))
  for (const line of [['help'], ['help', '']]) expect((await runCommand(line)).stdout).toBe(await helpOf())
})

test('help statuses lists every status with letter and word, within 80 columns', async () => {
  const { stdout } = await runCommand('help statuses')
  for (const status of Object.keys(statusLetters) as Status[])
    expect(stdout).toMatch(
      new RegExp(`^ *${status} +${statusLetters[status]} +${statusWordOf(status)} `, 'm'),
    )
  const tables = Object.values(helpPages.statuses?.([]) ?? {}).map((records) =>
    columns(...pageTable(records), [], { ...theme, width: 80 }),
  )
  const lines = tables.flatMap((table) => table.split('\n'))
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  const { statuses, sessions } = JSON.parse((await runCommand('help statuses --json')).stdout)
  const [after, next] = [['taken up by the terminal or cloud'], ['SUCCESS', 'FAIL', 'CLOSED']]
  expect(statuses[1]).toEqual({ status: 'PROCESSING', letter: 'P', word: 'pending', after, next })
  expect(sessions).toContainEqual({ state: 'paid', after: ['approved by the host'], next: [] })
  expect(stdout).toMatch(/^ *processing +open, paid, failed +a card is entered$/m)
})

const docs = async (...words: string[]) => (await runCommand(['docs', ...words])).stdout

test('docs lists every page, and prints one by its address or name', async () => {
  const list = await docs()
  expect(list).toMatch(/^# tillbox\n/)
  expect(list).toContain('[Agents](/docs/guides/agents)')
  const guide = await docs('webhooks')
  expect(guide).toMatch(/^# .+\n/)
  for (const name of ['/docs/guides/webhooks', 'docs/guides/webhooks']) expect(await docs(name)).toBe(guide)
  expect(await docs('refund')).toContain('`originalTransactionId`')
  const part = await docs('/docs/guides/webhooks#order')
  expect(part).toMatch(/^## Order\n/)
  expect(guide).toContain(part.trim())
})

test('docs finds passages: the best in full, the others by their address', async () => {
  expect(await docs('partial', 'refund')).toMatch(/^\/docs\/\S+\n#+ .+\n[\s\S]+\nAlso\n/)
  const { stdout } = await runCommand('docs refund late --json')
  expect(JSON.parse(stdout).passages[0]).toEqual({
    path: expect.stringMatching(/^\/docs\//),
    title: expect.any(String),
    where: expect.any(String),
  })
  await fails(runCommand('docs zzzz'), 1, 'No passage has all of these words', 'tillbox docs')
})
