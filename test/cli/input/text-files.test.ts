import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { test } from '../../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../../support/commands/scratch.ts'

/** A file that a person writes, and a command that reads it. */
const written: readonly (readonly [file: string, text: string, command: readonly string[]])[] = [
  ['tillbox.config.json', '{"state":"shop"}', ['whoami']],
  ['config/tillbox/config.json', '{"profiles":{}}', ['whoami']],
  ['own.env', 'TILLBOX_SPACE=shop', ['whoami', '--dotenv', 'own.env']],
  ['key.txt', 'tbx_sandbox_5f3c9a71e24b4d08', ['sale', '--amount', '1.00', '--api-key', '@key.txt']],
  ['sale.json', '{"referenceOrderId":"A-100001"}', ['sale', '--amount', '1.00', '--input', 'sale.json']],
  ['own.yaml', 'steps: []', ['test', 'own.yaml']],
  ['own.orders', 'orders: {}', ['attack', '--drive', 'true', '--restart', 'true', '--orders', 'own.orders']],
  ['own.report', '{}', ['coverage', '--compare', 'own.report', '--', 'true']],
  ['cards.json', '{"cards":[]}', ['sandbox', 'start', '--port', '0', '--fixtures', 'cards.json']],
]

/** Where a command finds the file, with a byte order mark. */
function beside(file: string, text: string, encoding: BufferEncoding = 'utf8') {
  const cwd = folderWith({ [file]: Buffer.from(`\ufeff${text}`, encoding) }, 0o600)
  return { cwd, env: { XDG_CONFIG_HOME: join(cwd, 'config') } }
}

test.each(written)('%s is refused in UTF-16, by its name and encoding', async (file, text, command) => {
  const refused = runCommand(command, beside(file, text, 'utf16le'))
  await fails(refused, 2, /(own|key|config|sale|cards)\.\S+ .*it is UTF-16/)
})

test.each(written.slice(0, 3))('%s may begin with a byte order mark', async (file, text, command) => {
  expect((await runCommand(command, beside(file, text))).code).toBe(0)
})

test('a key and a request may begin with a byte order mark', async ({ sandbox }) => {
  for (const [file, text, command] of written.slice(3, 5))
    expect((await runCommand([...command, '--base-url', sandbox.url], beside(file, text))).code).toBe(0)
})

test('- is refused where only a file is taken, and no file of that name is made', async () => {
  const cwd = scratchFolder()
  for (const line of [
    'sandbox export -',
    'sandbox import - --yes',
    'sandbox start --fixtures -',
    'sandbox start --export-on-exit=-',
    'test -',
    'test x.yaml --report-file -',
    'scenario record --file -',
    'listen --record -',
    'webhook replay - --to http://127.0.0.1:1',
    'attack --drive true --output -',
    'whoami --dotenv -',
  ])
    await fails(
      runCommand(line, { cwd }),
      2,
      '- is no standard input or output here',
      'one of that name is ./-',
    )
  expect(readdirSync(cwd)).toEqual([])
})

test('one that begins with ~ is refused, from a flag and from the environment, and nothing is made', async () => {
  const cwd = scratchFolder()
  for (const [command, env] of [
    [['sandbox', 'start', '--port', '0', '--state=~/x'], {}],
    [['sale', '--amount', '1.00'], { TILLBOX_STATE: '~/x' }],
  ] as const)
    await fails(runCommand(command, { cwd, env }), 2, 'begins with ~')
  expect(readdirSync(cwd)).toEqual([])
})
