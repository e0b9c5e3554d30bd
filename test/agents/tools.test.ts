import { describe, expect, test } from 'vitest'
import { tools } from '../../src/agents/tools.ts'
import { toolKinds, toolNames } from '../../src/contract/control/mcp.ts'
import { type Agent, agentAt, generations } from '../support/mcp/mcp-client.ts'
import { exchange } from '../support/network/exchange.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { sale, signingSecret } from '../support/service/service.ts'

const reads = toolNames.filter((name) => toolKinds[name] === 'read')
const attended = 'TBX-ATTENDED-001'
const usd = { priceCurrency: 'USD', terminalSn: 'TBX-AUTO-001' }

/** Sells at the usual terminal; answers the id. */
async function sell({ ask }: Agent, amount = 1000): Promise<string> {
  const members = { amount, ...usd }
  const { transactionId } = (await ask('run_operation', { operation: 'sale', members })).answer
  await ask('get_payment', { transactionId, waitSeconds: 30 })
  return transactionId
}

describe('assumption mcp: the list of tools', () => {
  test.each(generations)('is the same in either generation of the protocol: %s', async (mode) => {
    const { client, names } = await agentAt((await openDashboard()).url, { mode })
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25')
    expect(await names()).toEqual(toolNames)
  })

  test('is short, and every tool has its annotations, an input and an output schema', async () => {
    const { client } = await agentAt((await openDashboard()).url)
    const listed = (await client.listTools()).tools
    expect(JSON.stringify(listed).length / 4).toBeLessThanOrEqual(6_250)
    for (const { name, annotations, inputSchema, outputSchema, title } of listed) {
      const kind = toolKinds[name as keyof typeof toolKinds]
      expect({ name, annotations }).toMatchObject({
        annotations: { readOnlyHint: kind === 'read', openWorldHint: false },
      })
      expect([name, annotations?.destructiveHint ?? false]).toEqual([name, kind === 'destructive'])
      expect({ name, title, inputSchema, outputSchema }).toMatchObject({
        title: expect.any(String),
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object', properties: expect.any(Object) },
      })
    }
  })

  test('says which members a tool cannot do without, and the form of names', async () => {
    const { client } = await agentAt((await openDashboard()).url)
    const { tools: listed } = await client.listTools()
    const inputOf = (wanted: string) => listed.find(({ name }) => name === wanted)?.inputSchema
    expect(inputOf('resend_webhook')?.required).toEqual(['ids'])
    expect(inputOf('save_snapshot')?.properties?.name).toMatchObject({
      description: expect.stringContaining('letters, digits'),
    })
  })

  test('is cut by the query, and what is not in it cannot be called', async () => {
    const { url, get } = await openDashboard()
    const reading = await agentAt(url, { query: '?read-only=true' })
    expect(await reading.names()).toEqual(reads)
    await expect(reading.client.callTool({ name: 'reset', arguments: {} })).rejects.toThrow('reset not found')
    const few = await agentAt(url, { query: '?tools=reset,get_payment&read-only=true' })
    expect(await few.names()).toEqual(['get_payment'])
    const { status, text } = await get('/mcp?tools=get_paymnt')
    expect([status, text]).toEqual([400, expect.stringContaining('get_payment')])
  })

  test('is that of the scope of the token, in its own space alone', async () => {
    const { url, sandbox } = await openDashboard({ token: 'a-token-of-the-test-0001' })
    const make = async (scope: 'viewer' | 'space', space: string | null) =>
      (await sandbox.access.tokens.create({ name: `${scope}-${space}`, scope, space, ttlMs: null })).token
    const viewer = await agentAt(url, { token: await make('viewer', null) })
    expect(await viewer.names()).toEqual(reads)
    const status = await viewer.ask('get_status')
    expect(status).toMatchObject({ counts: { transactions: 0 }, sandbox: { url, space: 'default' } })
    expect(JSON.stringify(status)).not.toContain(sandbox.options.state)
    expect(await (await agentAt(url, { token: await make('space', 'default') })).names()).toEqual(toolNames)
    for (const token of [undefined, 'another-token-0000001', await make('space', 'ci-1')])
      await expect(agentAt(url, { ...(token !== undefined && { token }) })).rejects.toThrow()
  })
})

describe('assumption mcp: the tools', () => {
  test('look: every one of them answers as its schema says, without a key or a secret', async () => {
    const { url, sandbox, call } = await openDashboard({ notifyUrl: 'http://127.0.0.1:9/hook' })
    const agent = await agentAt(url)
    const key = sandbox.directory.currentKey(sandbox.directory.defaultApplication) ?? ''
    const transactionId = await sell(agent)
    await call('sale', sale(100, { ...usd, attach: `${key} ${signingSecret}` }))
    await expect
      .poll(async () => (await agent.ask('list_webhooks')).deliveries[0].attempts)
      .toBeGreaterThan(0)
    const [{ id }] = (await agent.ask('list_webhooks')).deliveries
    const { requests } = await agent.ask('list_requests', { limit: 50 })
    const inputs: Record<string, object> = {
      get_payment: { transactionId },
      get_webhook: { id },
      verify_webhook: { id },
      get_terminal: { terminalSn: attended },
      search_docs: { query: 'secret' },
    }
    const answers = []
    for (const name of reads.filter((each) => !['get_request', 'explain'].includes(each)))
      answers.push(await agent.ask(name, inputs[name]))
    for (const { traceId } of requests)
      for (const [name, input] of [
        ['get_request', { traceId }],
        ['explain', { about: traceId }],
      ] as const)
        answers.push(await agent.ask(name, input))
    for (const secret of [key, signingSecret]) expect(JSON.stringify(answers)).not.toContain(secret)
    expect(requests.find(({ operation }: { operation: string }) => operation === 'sale')).toBeDefined()
  })

  test('say what is wrong and what to do', async () => {
    const agent = await agentAt((await openDashboard()).url)
    expect(await agent.refusal('get_payment', { transactionId: '1' })).toMatch(/SBX_TXN_UNKNOWN.*\. .+/)
    expect(await agent.refusal('get_payment', { transactionId: '\ud800' })).toMatch(/SBX_TXN_UNKNOWN/)
    const mistyped = { terminalSn: 'TBX-AUTO-001', outcome: 'insuficient' }
    expect(await agent.refusal('set_outcome', mistyped)).toContain('insufficient-funds')
    expect(await agent.refusal('verify_webhook')).toContain('Name a notification by id')
    const members = { amount: 'ten', ...usd }
    expect(await agent.refusal('run_operation', { operation: 'sale', members })).toContain('amount')
    expect(await agent.refusal('move_clock', { action: 'fly' })).toContain('Invalid arguments')
    const soon = await agent.refusal('move_clock', { action: 'set', time: 'soon' })
    expect(soon.match(/time: /g)).toHaveLength(1)
    expect(await agent.refusal('list_payments', { since: 'soon' })).toMatch(/since: must be how long ago/)
    const long = { action: 'advance', milliseconds: 'long' }
    expect(await agent.refusal('move_clock', long)).toMatch(
      /milliseconds: must be milliseconds, or a duration/,
    )
    expect(await agent.refusal('search_docs', { query: 'a '.repeat(65) })).toMatch(/query: .* 128 characters/)
    const unknown = 'statu: is unknown; did you mean status?'
    expect(await agent.refusal('list_payments', { statu: 'declined' })).toContain(unknown)
  })

  test('name the tool that does what a command would, where there is one', async () => {
    const agent = await agentAt((await openDashboard()).url)
    const order = 'ORDER-1'
    const refused = { operation: 'sale', members: { ...usd, amount: -1, referenceOrderId: order } }
    await agent.refusal('run_operation', refused)
    expect(await agent.refusal('get_payment', { transactionId: order })).toMatch(
      /`list_payments order ORDER-1`$/,
    )
    expect((await agent.ask('list_payments', { order })).note).toContain('list_requests')
    expect((await agent.ask('list_requests', { order })).requests).toMatchObject([{ code: 'C17' }])
    await agent.ask('save_snapshot', { name: 'one' })
    expect(await agent.refusal('save_snapshot', { name: 'one' })).toContain('`save_snapshot one replace`')
    const unknown = await agent.refusal('get_terminal', { terminalSn: 'NONE' })
    expect(unknown).toContain('`get_status`. Or set it up: `tillbox terminal add NONE`')
    const transactionId = await sell(agent)
    const capture = { operation: 'post-auth', members: { originalTransactionId: transactionId, amount: 1 } }
    const look = `\`get_payment ${transactionId}\``
    expect(await agent.refusal('run_operation', capture)).toContain(look)
    const { requests } = await agent.ask('list_requests', { operation: 'post-auth' })
    const { refusal } = await agent.ask('get_request', { traceId: requests[0].traceId })
    expect(refusal.remedy).toContain(look)
  })

  test('act at a terminal, on a hosted page, with outcomes and faults', async () => {
    const agent = await agentAt((await openDashboard()).url)
    const waiting = { operation: 'sale', members: { ...usd, amount: 1000, terminalSn: attended } }
    const { transactionId } = (await agent.ask('run_operation', waiting)).answer
    const waits = { why: `It waits for a person at ${attended}.`, allows: ['abort'] }
    expect(await agent.ask('get_payment', { transactionId })).toMatchObject(waits)
    expect((await agent.ask('get_terminal', { terminalSn: attended })).acts).toEqual(['present', 'cancel'])
    await agent.ask('act_at_terminal', { terminalSn: attended, act: 'present', card: 'visa-contactless' })
    expect((await agent.ask('get_payment', { transactionId, waitSeconds: 30 })).status).toBe('SUCCESS')

    const opened = { operation: 'create-session', members: { amount: 500, priceCurrency: 'USD' } }
    const { sessionId } = (await agent.ask('run_operation', opened)).answer
    expect((await agent.ask('pay_checkout', { sessionId, card: 'visa-debit' })).state).toBe('paid')

    await agent.ask('set_outcome', { terminalSn: 'TBX-AUTO-001', outcome: 'insufficient-funds' })
    const { why } = await agent.ask('get_payment', { transactionId: await sell(agent) })
    expect(why).toContain('which was queued at its terminal')
    const fault = { kind: 'http-503', operation: 'query', share: 1 }
    expect((await agent.ask('set_fault', fault)).faults).toMatchObject([fault])
    const query = { operation: 'query', members: { transactionId } }
    expect(await agent.refusal('run_operation', query)).toContain('SBX_INJECTED')
    expect(await agent.ask('set_fault')).toEqual({ faults: [] })
    await agent.ask('set_fault', { kind: 'lost-answer' })
    expect(await agent.refusal('run_operation', waiting)).toContain('it may have been carried out')
  })

  test('an authorisation says that it expired, once the clock was moved', async () => {
    const agent = await agentAt((await openDashboard()).url)
    const auth = { operation: 'auth', members: { ...usd, amount: 1000 } }
    const { transactionId } = (await agent.ask('run_operation', auth)).answer
    const look = () => agent.ask('get_payment', { transactionId, waitSeconds: 30 })
    expect((await look()).why).not.toContain('expired')
    await agent.ask('move_clock', { action: 'advance', milliseconds: '30d' })
    expect(await look()).toMatchObject({
      allows: [],
      why: expect.stringContaining('It expired uncaptured at'),
    })
    expect((await agent.ask('list_payments', { since: '1d' })).transactions).toEqual([])
    expect((await agent.ask('list_payments', { since: '31d' })).transactions).toHaveLength(1)
  })

  test('move the clock, resend, run a scenario', async () => {
    const { url, sell: sellFirst } = await openDashboard({ notifyUrl: 'http://127.0.0.1:9/hook' })
    const agent = await agentAt(url)
    await sellFirst(1000)
    expect(await agent.ask('move_clock', { action: 'freeze' })).toMatchObject({ frozen: true })
    const [{ id }] = (await agent.ask('list_webhooks')).deliveries
    expect(await agent.ask('resend_webhook', { ids: [id] })).toEqual({ resent: [id] })
    const run = await agent.ask('run_scenario', { name: 'refund-partial' })
    expect(run).toMatchObject({ outcome: 'passed' })
    expect(run.steps.map(({ step }: { step: string }) => step)).toContain('refund')
    await agent.ask('set_outcome', { terminalSn: 'TBX-AUTO-001', outcome: 'insufficient-funds' })
    const failed = { outcome: 'failed', failure: expect.stringContaining('sale') }
    expect(await agent.ask('run_scenario', { name: 'refund-full' })).toMatchObject(failed)
  })

  test('reset and restore, and what was there before can be restored', async () => {
    const agent = await agentAt((await openDashboard()).url)
    const count = async () => (await agent.ask('get_status')).counts.transactions
    expect(await agent.ask('reset', { space: 'default' })).toMatchObject({ kept: null })
    await sell(agent)
    expect(await agent.ask('save_snapshot', { name: 'one' })).toMatchObject({ name: 'one', transactions: 1 })
    await sell(agent)
    const { kept } = await agent.ask('restore_snapshot', { name: 'one' })
    expect(await count()).toBe(1)
    await agent.ask('restore_snapshot', { name: kept })
    expect(await count()).toBe(2)
    const before = await agent.ask('reset', { space: 'default' })
    expect(await count()).toBe(0)
    await agent.ask('restore_snapshot', { name: before.kept })
    expect(await count()).toBe(2)
  })

  test('leave their client in the log and in the audit, one line for each change', async () => {
    const { url, sandbox } = await openDashboard()
    const agent = await agentAt(url)
    await sell(agent)
    await agent.ask('move_clock', { action: 'freeze' })
    await sandbox.access.audit.written()
    const lines = await sandbox.access.audit.latest(10, null)
    const changed = [['set-clock', 'test-agent/1.2', 'local']]
    expect(lines.map(({ action, client, token }) => [action, client, token])).toEqual(changed)
    const sold = sandbox.log.list().filter(({ operation }) => operation === 'sale')
    expect(JSON.stringify(sold)).toContain('tillbox-mcp (test-agent/1.2)')
  })
})

describe('assumption mcp: who may send messages', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

  test.each([
    ['another origin', { Origin: 'https://elsewhere.example' }],
    ['an opaque origin', { Origin: 'null' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['a browser for another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a name that resolves to this machine', { Host: 'elsewhere.example' }],
  ])('%s is refused, and nothing is carried out', async (_, hostile) => {
    const { url } = await openDashboard()
    const send = async (more: object) => {
      const request = { method: 'POST', headers: { ...headers, ...more }, text: JSON.stringify(ping) }
      return (await exchange(`${url}/mcp`, request)).status
    }
    expect(await send({})).toBe(200)
    expect(await send({ Origin: url })).toBe(200)
    expect(await send(hostile)).toBe(403)
  })

  test('a message that is too long or no JSON is refused, and a GET opens no stream', async () => {
    const { url } = await openDashboard()
    const post = (body: string) => fetch(`${url}/mcp`, { method: 'POST', headers, body })
    expect((await post('x'.repeat(1_048_577))).status).toBe(413)
    expect((await post('no JSON')).status).toBe(400)
    expect((await fetch(`${url}/mcp`)).status).toBe(405)
  })
})

test('each tool of the table is described', () => expect([...tools.keys()]).toEqual(toolNames))
