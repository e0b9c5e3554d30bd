import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

/** A file that a person writes, and a command that reads it. */
const written: readonly (readonly [file: string, text: string, command: readonly string[]])[] = [
  ['tillbox.config.json', '{"space":"shop"}', ['whoami']],
  ['config/tillbox/config.json', '{"profiles":{}}', ['whoami']],
  ['own.env', 'TILLBOX_SPACE=shop', ['whoami', '--dotenv', 'own.env']],
  ['key.txt', 'tbx_sandbox_5f3c9a71e24b4d08', ['sale', '--amount', '1.00', '--api-key', '@key.txt']],
  ['sale.json', '{"referenceOrderId":"A-100001"}', ['sale', '--amount', '1.00', '--input', 'sale.json']],
  ['own.yaml', 'steps: []', ['test', 'own.yaml']],
  ['cards.json', '{"cards":[]}', ['sandbox', 'start', '--port', '0', '--fixtures', 'cards.json']],
]

const folderWith = (file: string, bytes: Uint8Array): { cwd: string; env: { XDG_CONFIG_HOME: string } } => {
  const cwd = scratchFolder()
  mkdirSync(join(cwd, dirname(file)), { recursive: true })
  writeFileSync(join(cwd, file), bytes, { mode: 0o600 })
  return { cwd, env: { XDG_CONFIG_HOME: join(cwd, 'config') } }
}

test.each(written)('%s is refused in UTF-16, by its name and encoding', async (file, text, command) => {
  const { code, stderr } = await runCommand(
    command,
    folderWith(file, Buffer.from(`\ufeff${text}`, 'utf16le')),
  )
  expect(code).toBe(2)
  expect(stderr.replace(/\s+/g, ' ')).toMatch(/(own|key|config|sale|cards)\.\S+ .*it is UTF-16/)
})

test.each(written.slice(0, 3))('%s may begin with a byte order mark', async (file, text, command) => {
  expect(await runCommand(command, folderWith(file, Buffer.from(`\ufeff${text}`)))).toMatchObject({ code: 0 })
})

test('a key and a request may begin with a byte order mark', async ({ sandbox }) => {
  for (const [file, text, command] of written.slice(3, 5)) {
    const { cwd } = folderWith(file, Buffer.from(`\ufeff${text}`))
    const flags = ['--base-url', sandbox.url]
    expect(await runCommand([...command, ...flags], { cwd })).toMatchObject({ code: 0 })
  }
})

test('one that begins with ~ is refused, from a flag and from the environment, and nothing is made', async () => {
  const cwd = scratchFolder()
  for (const [command, env] of [
    [['sandbox', 'start', '--port', '0', '--state=~/x'], {}],
    [['sale', '--amount', '1.00'], { TILLBOX_STATE: '~/x' }],
  ] as const) {
    await fails(runCommand(command, { cwd, env }), 2, 'begins with ~')
  }
  expect(readdirSync(cwd)).toEqual([])
})
