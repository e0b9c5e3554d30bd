import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished } from 'vitest'
import { toolNames } from '../../src/contract/control/mcp.ts'
import type { AnyJson } from '../support/any-json.ts'
import { binary } from '../support/commands/binary.ts'
import { closedPort } from '../support/commands/command.ts'
import { type LaunchedSandbox, test } from '../support/commands/running-sandbox.ts'
import { agentOver, generations } from '../support/mcp/mcp-client.ts'

/** Calls a tool of a listed one; answers its structured content, which the client has checked against the output schema. */
type Ask = (name: string, given?: object) => Promise<AnyJson>

/** A client of the version 1 of the SDK, which most agents have. */
async function olderAgent(transport: OlderHttp | OlderStdio): Promise<Ask> {
  const client = new OlderClient({ name: 'older-agent', version: '1.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  await client.listTools() // it checks answers of the tools that it has listed
  return async (name, given = {}) => {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...given } })
    if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`)
    return structuredContent
  }
}

const server = ({ cwd }: LaunchedSandbox) => ({
  ...{ command: process.execPath, args: [binary, 'mcp'], cwd, stderr: 'pipe' as const },
  env: { PATH: process.env.PATH ?? '', HOME: cwd, TILLBOX_PORT: closedPort },
})

const current = (
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  mode: (typeof generations)[number],
) =>
  agentOver(transport, mode).then(async ({ client, ask }): Promise<Ask> => {
    await client.listTools()
    return ask
  })

const clients: readonly (readonly [string, (sandbox: LaunchedSandbox) => Promise<Ask>])[] = [
  ['version 1 over HTTP', ({ url }) => olderAgent(new OlderHttp(new URL(`${url}/mcp`)))],
  ['version 1 over stdio', (sandbox) => olderAgent(new OlderStdio(server(sandbox)))],
  ...generations.flatMap((mode) => [
    [
      `version 2, ${mode}, over HTTP`,
      ({ url }: LaunchedSandbox) => current(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)), mode),
    ] as const,
    [
      `version 2, ${mode}, over stdio`,
      (sandbox: LaunchedSandbox) => current(new StdioClientTransport(server(sandbox)), mode),
    ] as const,
  ]),
]

test.for(clients)(
  'a client of the SDK, %s, calls every tool and takes its answer',
  async ([, connect], { sandbox }) => {
    const connected = await connect(sandbox)
    const called = new Set<string>()
    const ask: Ask = (name, given) => {
      called.add(name)
      return connected(name, given)
    }
    const terminalSn = 'TBX-ATTENDED-001'
    const sale = {
      operation: 'sale',
      members: { amount: 1000, priceCurrency: 'USD', notifyUrl: 'http://127.0.0.1:9/hook' },
    }
    const { transactionId } = (await ask('run_operation', sale)).answer
    expect((await ask('get_payment', { transactionId, waitSeconds: 30 })).status).toBe('SUCCESS')
    await ask('list_payments', { status: 'approved' })
    const opened = await ask('run_operation', {
      operation: 'create-session',
      members: { amount: 500, priceCurrency: 'USD' },
    })
    await ask('pay_checkout', { sessionId: opened.answer.sessionId, card: 'visa-debit' })
    await ask('run_operation', { ...sale, members: { ...sale.members, terminalSn } })
    await expect.poll(async () => (await ask('get_terminal', { terminalSn })).acts).toContain('present')
    await ask('act_at_terminal', { terminalSn, act: 'present', card: 'visa-contactless' })
    await expect(connected('run_operation', { operation: 'sale', members: { amount: -1 } })).rejects.toThrow(
      'amount',
    )
    const { requests } = await ask('list_requests', { limit: 50 })
    for (const { traceId } of requests) {
      await ask('get_request', { traceId })
      expect((await ask('explain', { about: traceId })).summary).toMatch(/accepted|refused/)
    }
    await expect.poll(async () => (await ask('list_webhooks')).deliveries[0]?.attempts).toBeGreaterThan(0)
    const [{ id }] = (await ask('list_webhooks')).deliveries
    await ask('get_webhook', { id })
    await ask('verify_webhook', { id })
    await ask('resend_webhook', { ids: [id] })
    await ask('list_outcomes')
    expect((await ask('search_docs', { query: 'refund' })).passages).not.toEqual([])
    await ask('set_outcome', { terminalSn, outcome: 'approve' })
    await ask('set_fault', { kind: 'http-503', operation: 'query', times: 1 })
    await ask('set_fault')
    await ask('move_clock', { action: 'freeze' })
    await ask('run_scenario', { name: 'refund-partial' })
    await ask('save_snapshot', { name: 'one' })
    await ask('restore_snapshot', { name: 'one' })
    const { sandbox: which } = await ask('get_status')
    expect(which).toMatchObject({ url: sandbox.url })
    await ask('reset', { space: which.space })
    expect([...called].sort()).toEqual([...toolNames].sort())
  },
)
