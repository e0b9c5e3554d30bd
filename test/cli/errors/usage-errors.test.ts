import { describe, expect, test } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const refused = async (args: readonly string[]) => {
  const ended = await runCommand(args, { cwd: scratchFolder() })
  expect([args, ended.code]).toEqual([args, 2])
  return ended
}

test.each([
  [['logs', 'show'], '<trace-id> is missing', 'tillbox logs show <trace-id>'],
  [['webhook', 'show'], '<id> is missing', 'tillbox webhook show <id>'],
  [['webhook', 'replay'], '<recording-or-id> is missing', 'tillbox webhook replay <recording-or-id>'],
  [['webhook', 'send'], '<transaction-id> is missing', 'tillbox webhook send <transaction-id>'],
  [['checkout', 'pay'], '<session-id> is missing', 'tillbox checkout pay <session-id>'],
  [['checkout', 'cancel'], '<session-id> is missing', 'tillbox checkout cancel <session-id>'],
  [['terminal', 'present'], '--card is missing', 'Pass --card <name>'],
  [['webhook', 'verify'], '--body and --header are missing', 'Pass --body <value> and --header <value>'],
])('the error of %j is: %s', async (args, message, typed) => {
  const { stdout, stderr } = await refused([...args, '--json'])
  expect(stderr.split('\n')[0]).toBe(`✗ ${message}`)
  const { error } = JSON.parse(stdout)
  expect(error).toMatchObject({ exitCode: 2, message, remedy: expect.stringContaining(typed) })
  expect(error.remedy).toContain(`See tillbox ${args.join(' ')} --help`)
})

describe('a value that no command can use', () => {
  test.each([
    [
      ['sandbox', 'start', '--host', '[::1]'],
      '--host [::1]: it must be an address or a name alone, such as 127.0.0.1 or ::1',
    ],
    [
      ['sandbox', 'start', '--host', '127.0.0.1:8080'],
      '--host 127.0.0.1:8080: it must be an address or a name alone, such as 127.0.0.1 or ::1',
    ],
    [
      ['sandbox', 'start', '--host', 'http://localhost'],
      '--host http://localhost: it must be an address or a name alone, such as 127.0.0.1 or ::1',
    ],
    [['sandbox', 'start', '--port', 'x'], '--port x is not a whole number'],
    [['sale', '--amount', '1.00', '--wait', '40d'], '--wait 40d is too long'],
    [['query', 'x', '--wait', '25d'], '--wait 25d is too long'],
    [['sandbox', 'stop', '--timeout', '40d'], '--timeout 40d is too long'],
    [['sandbox', 'wait', '--timeout', '40d'], '--timeout 40d is too long'],
    [['webhook', 'receive', '--delay', '40d'], '--delay 40d is too long'],
    [['api', 'get', '/x', '--header', 'Content-Length:3'], '--header Content-Length is set by HTTP itself'],
    [['api', 'get', '/x', '--header', 'Host:shop.example'], '--header Host is set by HTTP itself'],
    [['listen', '3000', '--header', 'host: shop.example'], '--header host is set by HTTP itself'],
    [['listen', '3000', '--header', 'connection:close'], '--header connection is set by HTTP itself'],
    [['listen', 'http://me:hidden@a b/x?k=hidden'], '<url> http://***@a b/x?*** is not a URL'],
  ])('%j is refused: %s', async (args, message) => {
    const { stdout, stderr } = await refused([...args, '--json'])
    expect(stderr.split('\n')[0]).toBe(`✗ ${message}`)
    expect(JSON.parse(stdout).error.message).toBe(message)
  })

  test.each([
    ['sale', '--amount', '1.00', '--', '--outcome', 'no-such', '--base-url', 'x'],
    ['webhook', 'list', '--', '--limit', 'x'],
  ])('flags after the -- that pnpm passes on are read: %s %s …', async (...args) => {
    const { stderr } = await refused(args)
    expect(stderr).toMatch(/^✗ --(base-url|limit) x /)
  })
})

describe('a flag of another command', () => {
  test.each([
    [['sale', '--currency', 'EUR'], 'Did you mean --price-currency?'],
    [['refund', 'x', '--tip', '1.00'], 'Did you mean --tip-amount?'],
    [['sale', '--order', 'A-1'], 'Did you mean --reference-order-id?'],
    [['sale', '--tax', '1.00'], 'Set it with --set taxAmount=1.00.'],
    [['sale', '--cashback-amount', '1.00'], 'Set it with --set cashbackAmount=1.00.'],
    [['sale', '--description', 'shoes'], 'Set it with --set description=<value>.'],
    [['sale', '--decline'], 'Did you mean --outcome?'],
    [['refund', '--order-id', 'A-1'], 'Did you mean --reference-order-id?'],
    [['tip-adjust', 'x', '--amount', '1.00'], 'Did you mean --tip-amount?'],
    [['terminal', 'tip', '--tip', '18'], 'Did you mean --percent?'],
    [['sale', '--serial', 'TBX-AUTO-001'], 'Did you mean --terminal?'],
    [['sale', '--terminal-sn', 'TBX-AUTO-001'], 'Did you mean --terminal?'],
    [['logs', 'tail', '--type', 'sale'], 'Did you mean --operation?'],
    [['sale', '--timeline'], '--timeline is a flag of query.'],
    [['query', 'x', '--busy', 'reject'], '--busy is a flag of terminal add and terminal set.'],
    [['sandbox', 'clock', '--outcome', 'approve'], '--outcome is a flag of auth, '],
  ])('the unknown flag of %j gets the hint: %s', async (args, hint) => {
    const { stderr } = await refused(args)
    expect(stderr.replace(/\s+/g, ' ')).toContain(`${hint}`)
  })

  test('an unknown flag without a similar one only points to the help', async () => {
    expect((await refused(['sale', '--xyzzyxyzzy'])).stderr).toContain('do      See tillbox sale --help')
  })
})

describe('an error as JSON', () => {
  test.each([
    ['logs', 'tail'],
    ['listen'],
    ['webhook', 'receive'],
    ['webhook', 'replay', 'x'],
    ['sandbox', 'start'],
  ])('the error of %s %s, which prints a document a line, is one line', async (...args) => {
    const { stdout } = await refused([...args, '--json', '--no-such-flag'])
    const lines = stdout.split('\n')
    expect([lines.length, lines[1]]).toEqual([2, ''])
    expect(JSON.parse(lines[0] ?? '').error.exitCode).toBe(2)
  })

  test('the error of a command that prints one document is indented for people', async () => {
    expect((await refused(['sale', '--json', '--no-such-flag'])).stdout).toContain('\n  "error"')
  })

  test('a topic alone prints help, with --json too, and an unknown topic is an error', async () => {
    for (const args of [['terminal'], ['webhook', '--json'], ['logs']]) {
      const { code, stdout, stderr } = await runCommand(args, { cwd: scratchFolder() })
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toContain('COMMANDS')
    }
    const { error } = JSON.parse((await refused(['terminals', '--json'])).stdout)
    expect(error.message).toContain('There is no command terminals')
  })

  test('terminal open does not offer --json, and refuses it', async () => {
    const help = await runCommand('terminal open --help', { cwd: scratchFolder() })
    expect(help.stdout).not.toContain('--json')
    expect(JSON.parse((await refused(['terminal', 'open', 'X', '--json'])).stdout).error.field).toBe('json')
  })
})
