import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sessionHelpHead, sessionHelpRows, statusHelpHead, statusHelpRows } from '../../src/cli/help/pages.ts'
import { columns } from '../../src/cli/output/table.ts'
import { themeOf } from '../../src/cli/output/theme.ts'
import { type Status, statusLetters, statusWordOf } from '../../src/contract/statuses.ts'
import { runCommand } from '../support/command.ts'

const { commands } = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'))
const ids = Object.keys(commands).filter((id) => commands[id].hidden !== true)

const firstWords = [...new Set(ids.map((id) => id.split(':')[0] as string))]

const helpOf = async (...words: string[]) => (await runCommand([...words, '--help'])).stdout

describe('tillbox --help', () => {
  test('each command or topic of one word is in one group', async () => {
    const lines = (await helpOf())
      .split('\n')
      .flatMap((line) => /^ {2}([a-z-]+) {1,}[A-Z]/.exec(line)?.[1] ?? [])
    const topics = new Set(lines)
    expect(lines).toHaveLength(topics.size)
    for (const name of firstWords) expect(lines).toContain(name)
  })

  test('begins with the first steps, and names each command or topic of one word', async () => {
    const text = await helpOf()
    expect(text.indexOf('tillbox sandbox start')).toBeLessThan(text.indexOf('PAYMENTS'))
    for (const name of firstWords) expect(text).toMatch(new RegExp(`^  ${name} `, 'm'))
  })
})

test('no text has a tag but the one that bin/oclif/ejs.cjs renders', () => {
  const tags = new Set(JSON.stringify(commands).match(/<%.*?%>/g))
  expect([...tags]).toEqual(['<%= config.bin %>'])
})

describe('help of a command', () => {
  test.each(ids.filter((id) => !commands[id].hidden && id !== 'help'))(
    '%s: a summary, examples before flags, at most 80 columns',
    async (id) => {
      const text = await helpOf(...id.split(':'))
      expect(text.split('\n')[0]).toMatch(/^[A-Z].*\.$/)
      expect(text).toContain('EXAMPLES')
      expect(text).not.toMatch(/Exit codes:|undefined/)
      if (text.includes('\nFLAGS')) expect(text.indexOf('EXAMPLES')).toBeLessThan(text.indexOf('\nFLAGS'))
      const tooLong = text.split('\n').filter((line) => line.length > 80 && !line.startsWith('  $ '))
      expect(tooLong).toEqual([])
    },
  )

  test('the flags that commands share are named, and explained by help flags', async () => {
    const also = (await helpOf('sale')).split('\nALSO\n')[1]
    for (const flag of ['--base-url', '--json', 'tillbox help flags']) expect(also).toContain(flag)
    const { stdout } = await runCommand(['help', 'flags', '--json'])
    const names = JSON.parse(stdout).flags.map(({ flag }: { flag: string }) => flag)
    expect(names).toEqual(
      expect.arrayContaining(['--base-url', '--profile', '--json', '--fields', '--dotenv']),
    )
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('tillbox help', () => {
  test('exit-codes has each of them', async () => {
    const { codes } = JSON.parse((await runCommand(['help', 'exit-codes', '--json'])).stdout)
    expect(codes.map(({ code }: { code: number }) => code)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('statuses has each of them with its letter and word, within 80 columns', async () => {
    const { stdout } = await runCommand(['help', 'statuses'])
    for (const status of Object.keys(statusLetters) as Status[])
      expect(stdout).toMatch(
        new RegExp(`^ *${status} +${statusLetters[status]} +${statusWordOf(status)} `, 'm'),
      )
    const theme = { ...themeOf('stdout'), width: 80 }
    const tables = [
      columns(statusHelpHead, statusHelpRows(), theme),
      columns(sessionHelpHead, sessionHelpRows(), theme),
    ]
    const lines = tables.flatMap((table) => table.split('\n'))
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    const { statuses, sessions } = JSON.parse((await runCommand(['help', 'statuses', '--json'])).stdout)
    expect(statuses[1]).toEqual({
      status: 'PROCESSING',
      letter: 'P',
      word: 'pending',
      after: ['taken up by the terminal or cloud'],
      next: ['SUCCESS', 'FAIL', 'CLOSED'],
    })
    expect(sessions).toContainEqual({ state: 'paid', after: ['approved by the host'], next: [] })
    expect(stdout).toMatch(/^ *processing +open, paid, failed +a card is entered$/m)
  })

  test('with a command is the help of it; without, the list', async () => {
    expect((await runCommand(['help', 'webhook', 'list'])).stdout).toBe(await helpOf('webhook', 'list'))
    expect((await runCommand(['help'])).stdout).toBe(await helpOf())
  })
})
