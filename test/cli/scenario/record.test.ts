import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, prints, untilStderr } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'

test('record says how many requests it left out, and the file says why', async ({ sandbox }) => {
  await sandbox.json('sale --amount 1.00')
  await sandbox.json('sale --amount 2.00')
  for (const name of ['M-1', 'M-2']) await sandbox.json(`merchant add ${name}`)
  const said = /^2 steps in a\.yaml; 2 requests left out\. Run them: tillbox test a\.yaml\n$/
  await sandbox.prints('scenario record --file a.yaml', said)
  const text = readFileSync(join(sandbox.cwd, 'a.yaml'), 'utf8')
  expect(text.match(/# left out: add-merchant \(there is no step for it\)/g)).toHaveLength(2)
})

test('record writes what commands did to a file that tillbox test runs; without requests it ends with 1, and an existing file stays', async () => {
  const sandbox = await startSandboxCommand()
  const reason = 'The request log has no accepted operation of the last 1m'
  const nothing = await sandbox.fails('scenario record --since 1m', 1, reason)
  expect(nothing.stdout).toBe('')
  const sale = await sandbox.json(['sale', '--amount', '30.00', '--set', 'description=Table 7: two'])
  await sandbox.json(`refund ${sale.transactionId} --amount 10.00`)
  await sandbox.json('checkout create --amount 5.00')
  const recorded = await prints(sandbox.run(['scenario', 'record', '-o', 'table.yaml', '--name', 'Table 7']))
  expect(recorded).toBe('3 steps in table.yaml. Run them: tillbox test table.yaml\n')
  const text = readFileSync(join(sandbox.cwd, 'table.yaml'), 'utf8')
  expect(text).toContain(
    'name: Table 7\nsteps:\n  - sale: { description: "Table 7: two", amount: 30.00 USD }\n    as: sale\n',
  )
  expect(text).toContain('  - refund: { original: $sale, amount: 10.00 USD }\n')
  await sandbox.prints('test table.yaml', '✓ Table 7')
  const { steps, leftOut, scenario } = await sandbox.json(['scenario', 'record', '--name', 'Table 7'])
  expect([steps, leftOut, scenario]).toEqual([3, 0, text])
  await sandbox.json('sale --amount 1.00')
  writeFileSync(join(sandbox.cwd, 'a.yaml'), 'mine')
  await sandbox.fails('scenario record -o a.yaml', 2, 'a.yaml exists')
  expect(readFileSync(join(sandbox.cwd, 'a.yaml'), 'utf8')).toBe('mine')
  expect((await sandbox.run('scenario record -o a.yaml --force')).code).toBe(0)
  expect(readFileSync(join(sandbox.cwd, 'a.yaml'), 'utf8')).toContain('- sale: { amount: 1.00 USD }')
  await sandbox.fails('scenario record -o no/a.yaml', 2, 'no/a.yaml cannot be written')
})

/** A service that is no sandbox for whoever asks, at a URL of its own: it has no control interface. */
const openPlainService = ({ url }: LaunchedSandbox): Promise<string> =>
  foreignServer(async (incoming, outgoing) => {
    if (incoming.url?.startsWith('/_sandbox')) return void outgoing.writeHead(404).end('not found')
    const { host: _, connection: __, ...headers } = incoming.headers as Record<string, string>
    const body = (await buffer(incoming)).toString()
    const answer = await fetch(url + incoming.url, {
      method: incoming.method ?? 'GET',
      headers,
      ...(body && { body }),
    })
    outgoing.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
  })

test('of another service, record passes requests on, and writes what its answers tell', async () => {
  const sandbox = await startSandboxCommand()
  const url = await openPlainService(sandbox)
  const { TILLBOX_STATE: _, ...variables } = await sandbox.json('sandbox env')
  const env = { ...variables, TILLBOX_BASE_URL: url }
  const own = { cwd: scratchFolder(), env }
  const recording = startCommand('scenario record -o shop.yaml --name Shop', own)
  await untilStderr(recording, /Recording what is sent to \S+\. Send it to http:\S+ instead/)
  const [, proxy = ''] = /Send it to (\S+) instead/.exec(recording.output().stderr) ?? []
  const throughProxy = { ...own, env: { ...env, TILLBOX_BASE_URL: proxy } }
  const through = async (line: string) =>
    JSON.parse((await runCommand(`${line} --json`, throughProxy)).stdout)
  const sale = await through('sale --amount 10.00 --terminal TBX-AUTO-001')
  await through(`refund ${sale.transactionId} --amount 4.00 --price-currency USD`)
  await through(`refund ${sale.transactionId} --amount 40.00 --price-currency USD`) // it is refused
  await through('sale --amount 97.34 --terminal TBX-AUTO-001')
  const stdout = '3 steps in shop.yaml; 1 request left out. Run them: tillbox test shop.yaml\n'
  expect(await recording.stop('SIGINT')).toMatchObject({ code: 0, stdout })
  const text = readFileSync(join(own.cwd, 'shop.yaml'), 'utf8')
  expect(text).toContain(`# Recorded from ${url}: 3 steps, 1 request left out\n# The service does not tell`)
  expect(text).toMatch(new RegExp(`# Seen of transaction ${sale.transactionId}: .*SUCCESS`))
  expect(text).toContain('name: Shop\nneeds: any\nsteps:\n')
  expect(text).toMatch(/ {2}- refund: \{ original: \$sale, amount: 4\.00 USD \}/)
  expect(text).toContain('status: declined')
  await prints(runCommand('test shop.yaml', own), '✓ Shop')
})

test('of another service, record says when nothing passed, and asks before a live one', async () => {
  const sandbox = await startSandboxCommand()
  const url = await openPlainService(sandbox)
  const env = { TILLBOX_API_KEY: sandbox.apiKey, TILLBOX_BASE_URL: url.replace('//', '//me:secret@') }
  const recording = startCommand('scenario record', { env })
  await untilStderr(recording, /Recording what is sent to http:\/\/\*\*\*@/)
  const [, port] = /Send it to http:\S+:(\d+) instead/.exec(recording.output().stderr) ?? []
  const taken = ['scenario', 'record', '--port', String(port)]
  await fails(runCommand(taken, { env }), 2, `Port ${port} is in use`)
  await fails(recording.stop('SIGINT'), 1, 'No accepted operation passed')
  const own = { cwd: scratchFolder(), env: { TILLBOX_API_KEY: sandbox.apiKey } }
  await runCommand(`profile set shop --base-url ${url} --live`, own)
  await fails(runCommand('scenario record --profile shop', own), 2, '--live')
  writeFileSync(join(own.cwd, 'a.yaml'), 'mine')
  await fails(runCommand('scenario record --profile shop --live -o a.yaml', own), 2, 'a.yaml exists')
})
