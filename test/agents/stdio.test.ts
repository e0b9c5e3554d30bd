import { PassThrough } from 'node:stream'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import { toolKinds, toolNames } from '../../src/contract/control/mcp.ts'
import { binary } from '../support/commands/binary.ts'
import { closedPort, runCommand, startCommand } from '../support/commands/command.ts'
import { fails, parseNdjson } from '../support/commands/launched.ts'
import { type LaunchedSandbox, test } from '../support/commands/running-sandbox.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { agentOver, generations } from '../support/mcp/mcp-client.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

/** An agent that starts `tillbox mcp` beside a sandbox. */
const agentBeside = (
  { cwd }: Pick<LaunchedSandbox, 'cwd'>,
  mode: (typeof generations)[number],
  ...flags: string[]
) =>
  agentOver(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [binary, 'mcp', ...flags], cwd, stderr: 'pipe' },
      env: { PATH: process.env.PATH ?? '', HOME: cwd, TILLBOX_PORT: closedPort },
    }),
    mode,
  )

test.for(generations)('mcp passes on what a client of the SDK sends: %s', async (mode, { sandbox }) => {
  const agent = await agentBeside(sandbox, mode)
  expect(agent.client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25')
  expect(await agent.names()).toEqual(toolNames)
  const members = { amount: 1000, priceCurrency: 'USD', terminalSn: 'TBX-AUTO-001' }
  const { answer } = await agent.ask('run_operation', { operation: 'sale', members })
  const { transactionId } = answer
  expect((await agent.ask('get_payment', { transactionId, waitSeconds: 30 })).status).toBe('SUCCESS')
  await agent.ask('move_clock', { action: 'freeze' })
  const { entries } = await sandbox.json('audit')
  expect(entries.at(-1)).toMatchObject({ action: 'set-clock', client: 'test-agent/1.2' })
})

test('mcp --read-only and --tools go with every message', async ({ sandbox }) => {
  const reading = await agentBeside(sandbox, 'legacy', '--read-only')
  expect(await reading.names()).toEqual(toolNames.filter((name) => toolKinds[name] === 'read'))
  const few = await agentBeside(sandbox, 'legacy', '--tools', 'reset,search_docs')
  expect(await few.names()).toEqual(['search_docs', 'reset'])
  await sandbox.fails('mcp --tools get_paymnt', 2, 'There is no tool get_paymnt', '--tools', 'get_payment')
})

test('mcp with a token of one space goes on there, unless a space is named', async ({ sandbox }) => {
  await sandbox.json('space create ci-1')
  await sandbox.json('sale --amount 1.00 --space ci-1')
  const { token } = await sandbox.json('token create ci --scope viewer --space ci-1')
  const status = { method: 'tools/call', params: { name: 'get_status', arguments: {} } }
  const answerTo = async (...flags: string[]) => {
    const { stdout } = await runCommand(['mcp', ...flags], {
      cwd: scratchFolder(),
      env: { TILLBOX_BASE_URL: sandbox.url, TILLBOX_TOKEN: token },
      stdin: `${JSON.stringify({ jsonrpc: '2.0', id: 1, ...status })}\n`,
    })
    return parseNdjson(stdout)[0]
  }
  expect((await answerTo()).result.structuredContent).toMatchObject({ counts: { transactions: 1 } })
  expect((await answerTo('--space', 'default')).error.message).toContain('Ask its own space: --space ci-1')
})

test('mcp takes a line that is no message, a sandbox that ends, and one that is back', async ({
  sandbox,
}) => {
  const stdin = new PassThrough()
  const command = startCommand('mcp', { cwd: sandbox.cwd, stdin })
  const answers = () => parseNdjson(command.output().stdout)
  const ask = async (id: number) => {
    const params = { name: 'get_status', arguments: {} }
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`)
    await expect.poll(() => answers().some((each) => each.id === id)).toBe(true)
    return answers().find((each) => each.id === id)
  }
  stdin.write('no message\n')
  await expect.poll(answers).toMatchObject([{ id: null, error: { code: -32_700 } }])
  stdin.write('[{"jsonrpc":"2.0","id":7,"method":"ping"}]\n')
  const batch = {
    id: null,
    error: { code: -32_600, message: 'A batch is not read: send each message by itself' },
  }
  await expect.poll(() => answers()[1]).toMatchObject(batch)
  const works = { result: { structuredContent: { counts: { transactions: 0 } } } }
  expect(await ask(1)).toMatchObject(works)
  await sandbox.stop()
  expect(JSON.stringify(await ask(2))).toContain('tillbox sandbox start') // an error where its connection was cut
  const again = startCommand('sandbox start --json --port 0', { cwd: sandbox.cwd })
  await again.until(/\n/)
  expect(await ask(3)).toMatchObject(works)
  stdin.end()
  expect(await command.ended()).toMatchObject({ code: 0, stderr: '' })
})

test.for(generations)('mcp starts before its sandbox, with the tools: %s', async (mode) => {
  const cwd = scratchFolder()
  const agent = await agentBeside({ cwd }, mode, '--read-only')
  expect(await agent.names()).toEqual(toolNames.filter((name) => toolKinds[name] === 'read'))
  expect(await agent.refusal('get_status')).toContain('sandbox start')
  await startCommand('sandbox start --json --port 0', { cwd }).until(/\n/)
  expect((await agent.ask('get_status')).counts.transactions).toBe(0)
})

test('mcp refuses what is no sandbox, and a live profile', async () => {
  const cwd = scratchFolder()
  const { origin } = await openReceiver()
  await fails(runCommand(`mcp --base-url ${origin}`, { cwd }), 2, `${origin} is not a tillbox sandbox`)
  const live = 'profile set shop --base-url https://pay.example --live'
  expect((await runCommand(live, { cwd, env: {} })).code).toBe(0)
  await fails(runCommand('mcp --profile shop', { cwd }), 2, 'the profile shop is live')
  await fails(runCommand('mcp --base-url https://pay.example', { cwd }), 2, 'the profile shop is live')
})
