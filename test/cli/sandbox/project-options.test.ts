import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  accessOptions,
  addressOptions,
  behaviourOptions,
} from '../../../src/contract/sandbox/sandbox-options.ts'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { folderWith } from '../../support/commands/scratch.ts'

/** A folder of a project with these settings. */
const projectWith = (settings: object) => folderWith({ 'tillbox.config.json': JSON.stringify(settings) })

const startRecordOf = (state: string) => JSON.parse(readFileSync(join(state, 'lock.json'), 'utf8')).start

describe('options of a project', () => {
  test('sandbox start takes them from tillbox.config.json, with fixtures from its folder', async () => {
    const cwd = projectWith({ sandbox: { likeProduction: true, extras: true, fixtures: 'own.json' } })
    const outcomes = [{ name: 'approve', message: 'Thank you' }]
    writeFileSync(join(cwd, 'own.json'), JSON.stringify({ outcomes }))
    const sandbox = await startSandboxCommand([], { cwd })
    expect(sandbox.preset).toBe('like-production, but extras true')
    expect(startRecordOf(sandbox.state)).toMatchObject({
      set: ['likeProduction=true', 'extras=true'],
      fixtures: join(cwd, 'own.json'),
    })
    const sale = await sandbox.json('sale --amount 10.00')
    expect(sale.transactionResultMsg).toBe('Thank you')
  })

  test('a flag wins over --set, and --set over the file', async () => {
    const cwd = projectWith({
      sandbox: { strict: true, likeProduction: true, extras: true, charset: 'note' },
    })
    const flags = '--no-strict --set strict=true --set charset=refuse'
    const sandbox = await startSandboxCommand(flags, { cwd })
    expect(sandbox.preset).toBe('like-production, but extras true')
  })

  test('exec takes them too', async () => {
    const cwd = projectWith({ sandbox: { strict: true } })
    const script =
      "fetch(process.env.TILLBOX_BASE_URL + '/_sandbox/connection').then((answer) => answer.text())" +
      ".then((text) => require('fs').writeFileSync('connection.json', text))"
    const { code } = await runCommand(['exec', '--quiet', '--', process.execPath, '-e', script], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(readFileSync(join(cwd, 'connection.json'), 'utf8')).data.preset).toBe('strict')
  })

  test.each([
    [{ captureTip: 5000 }, 'sandbox.captureTip must be at most 1000'],
    [{ capturetip: 5 }, 'sandbox.capturetip is not a setting'],
    [{ notifyUrl: 'http://127.0.0.1:1/' }, 'sandbox.notifyUrl is not a setting'],
  ])('%j in the file is refused with its name', async (sandbox, message) => {
    await fails(
      runCommand('sandbox start --port 0', {
        cwd: projectWith({ sandbox }),
      }),
      2,
      message,
    )
  })
})

test('every option is said once, and every flag is the flag of one option', () => {
  const rows = Object.values({ ...behaviourOptions, ...accessOptions, ...addressOptions })
  const names = rows.flatMap((row) => ('flag' in row && row.flag !== undefined ? [row.flag.name] : []))
  expect(new Set(names).size).toBe(names.length)
  for (const { what } of rows) expect(what).toMatch(/^\S.{10,}[^.]$/)
})
