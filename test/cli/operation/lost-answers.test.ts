import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { type CommandLine, wordsOf } from '../../support/commands/command-line.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { salePath } from '../../support/service/requests.ts'

const sale = 'sale --amount 10.00'
const queryPath = '/v1/transaction/query'
const env = { TILLBOX_API_KEY: 'a-key' }

/** Ways not to answer. */
const close: RequestListener = (request) => request.socket.destroy()
const closeInTheMiddle: RequestListener = (request, response) => {
  response.writeHead(200, { 'Content-Length': 100 }).write('{"code":"0"')
  setImmediate(() => request.socket.destroy())
}
const answerPage: RequestListener = (_, response) => response.writeHead(502).end('<html>Bad gateway</html>')
const refuse: RequestListener = (_, response) =>
  response.writeHead(503).end('{"code":"SBX_STORE_FAIL","msg":"no","traceId":"t"}')
const hang: RequestListener = () => undefined

/** The error of a command with --json, which ends with 3. */
async function errorOf(command: CommandLine, ...texts: string[]) {
  const ended = await fails(runCommand([...wordsOf(command), '--json'], { env }), 3, ...texts)
  return { ...JSON.parse(ended.stdout).error, stderr: ended.stderr }
}

/** A server that reads a request and then does `lose`; `seen` are the bodies. */
async function losing(lose: RequestListener, seen: { transactionRequestId?: string }[] = []) {
  const url = await foreignServer(async (request, response) => {
    seen.push((await json(request)) as object)
    lose(request, response)
  })
  return { url, seen }
}

test.each<[string, RequestListener]>([
  ['the connection is closed without an answer', close],
  ['the connection is closed in the middle of the answer', closeInTheMiddle],
  ['something between answers', answerPage],
])('a sale ends with 3 and names its request id when %s', async (_, lose) => {
  const { url, seen } = await losing(lose)
  const { stderr, ...error } = await errorOf(`${sale} --base-url ${url}`)
  expect(seen).toHaveLength(1)
  const id = String(seen[0]?.transactionRequestId)
  expect(error).toMatchObject({ exitCode: 3, transactionRequestId: id })
  expect(error.detail).toContain('may have been carried out')
  for (const text of [error.remedy, stderr])
    expect(text).toContain(`tillbox query --transaction-request-id ${id}`)
  expect(stderr).not.toMatch(/a-key|cannot be reached/) // it was: the request was sent
})

test('the remedy of the error finds the transaction that was carried out', async ({ sandbox }) => {
  const url = await foreignServer(async (request) => {
    await sandbox.send('POST', request.url ?? '', { body: await json(request) })
    request.socket.destroy()
  })
  const { remedy, transactionRequestId } = await errorOf(`${sale} --base-url ${url}`)
  const [, command] = remedy.split('tillbox ')
  const where = ` --base-url ${url}`
  expect(command).toContain(where) // another service would know nothing of it
  const record = await sandbox.json(command.replace(where, ''))
  expect(record).toMatchObject({ transactionRequestId, transactionStatus: 'S' })
})

test('no request id is named where nothing listens, as nothing was sent, nor for a look-up that is refused with 503', async () => {
  const error = await errorOf(`${sale} --base-url http://127.0.0.1:1`)
  expect(error).not.toHaveProperty('transactionRequestId')
  expect(error.detail ?? '').not.toContain('may have been carried out')
  const ofLookUp = await errorOf(`query 1 --base-url ${await foreignServer(refuse)}`)
  expect(ofLookUp.transactionRequestId).toBeUndefined()
  expect(ofLookUp.remedy).not.toContain('Look it up')
})

test.each([
  ['sale --amount 1.00', 'tillbox query --transaction-request-id '],
  ['void 1', 'tillbox query --transaction-request-id '],
  ['checkout create --amount 1.00', 'tillbox checkout expire --transaction-request-id '],
  ['batch close --yes', 'tillbox batch list'],
])('a 503 may hide that the request was carried out: %s', async (command, look) => {
  const refusal = '{"code":"SBX_STORE_FAIL","msg":"no","detail":"away","remedy":"Send it again"}'
  const { url, seen } = await losing((_, response) => response.writeHead(503).end(refusal))
  const where = ` --base-url ${url} --space ci-1`
  const error = await errorOf(command + where)
  const id = String(seen[0]?.transactionRequestId)
  expect(error).toMatchObject({ code: 'SBX_STORE_FAIL', detail: 'away', transactionRequestId: id })
  expect(error.remedy).toMatch(/^Send it again\. /)
  expect(error.remedy).toContain(look.endsWith(' ') ? look + id + where : look + where)
  expect(error.stderr).toContain(id)
})

test.each<[string, RequestListener]>([
  ['a refusal with 503', refuse],
  ['something between answers', answerPage],
  ['no answer', close],
])('the error of a raw request names its id and look-up: %s', async (_, lose) => {
  const { url } = await losing(lose)
  const wide = { env: { ...env, COLUMNS: '500' } }
  const post = async (path: string) =>
    (await fails(runCommand(`api post ${path} --base-url ${url}`, wide), 3)).stderr
  const named = await post(`${salePath} -d transactionRequestId=R-1`)
  expect(named).toMatch(/^ {2}request +R-1$/m)
  const look = `Look it up before you send another: tillbox query --transaction-request-id R-1 --base-url ${url}`
  expect(named).toContain(look)
  expect(await post('/v1/settlement/batch-close')).toContain(`tillbox batch list --base-url ${url}`)
  for (const path of [salePath, '/v1/something'])
    expect(await post(path)).not.toMatch(/^ {2}request|Look it up|undefined|checkout/m)
})

test('an injected fault that says nothing happened names only the id, and a refusal, which is an answer, none', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('sandbox fault http-503')
  const { error } = await sandbox.json(sale, 3)
  expect(error).toMatchObject({ code: 'SBX_INJECTED', transactionRequestId: expect.stringMatching(/./) })
  expect(error.remedy).not.toContain('tillbox query')
  const { error: refusal } = await sandbox.json(`${sale} --terminal TBX-BUSY-001`, 1)
  expect(refusal).not.toHaveProperty('transactionRequestId')
})

const changes = [sale, `${sale} --no-wait`, 'void 1', 'checkout create --amount 1.00', 'batch close --yes']
test.each(changes)('%s: an answer without usable data ends with 3 and the request id', async (command) => {
  const { url, seen } = await losing((_, response) => response.end('{"code":"0","data":{}}'))
  const error = await errorOf(`${command} --base-url ${url}`)
  expect(error.transactionRequestId).toBe(seen[0]?.transactionRequestId)
  expect(error.detail).toContain('may have been carried out')
  const next = /tillbox (?:query|checkout expire) --transaction-request-id \S|tillbox batch list/
  expect(error.remedy).toMatch(next)
  expect(error.remedy.includes('checkout expire')).toBe(command.includes('create'))
})

test.each([
  ['abort 7', 'tillbox query 7'],
  ['abort --original-transaction-request-id R-7', 'tillbox query --transaction-request-id R-7'],
  ['tip-adjust 7 --tip-amount 1.00', 'tillbox query 7'],
  ['checkout expire cs_7', 'tillbox checkout expire cs_7'],
])('%s, which has no transactionRequestId, is looked up by its original', async (command, remedy) => {
  const original = {
    transactionId: '7',
    transactionStatus: 'S',
    transactionAmount: 100,
    priceCurrency: 'USD',
  }
  const url = await foreignServer(({ method }, response) =>
    response.end(JSON.stringify({ code: '0', ...(method === 'GET' && { data: original }) })),
  )
  expect((await errorOf(`${command} --base-url ${url}`)).remedy).toContain(remedy)
})

test.each<[string, object, string]>([
  [sale, { transactionId: '7', transactionRequestId: 'other' }, 'transactionRequestId is not the one'],
  ['query 123', { transactionId: '7', transactionStatus: 'S', transactionAmount: 1 }, 'is not the one'],
  ['query 123', { transactionId: '123', transactionStatus: 'S' }, 'has no amount'],
])('an answer to %s for another payment, or without an amount, fails: %j', async (line, data, why) => {
  const url = await foreignServer((_, response) => response.end(JSON.stringify({ code: '0', data })))
  await errorOf(`${line} --base-url ${url}`, why)
})

test('the error names the transactionId where the answer has one', async () => {
  const data = '{"transactionId":1795159696581000}'
  const { url } = await losing((_, response) => response.end(`{"code":"0","data":${data}}`))
  expect((await errorOf(`${sale} --base-url ${url}`)).transactionId).toBe('1795159696581000')
})

test('a trigger names the transactionRequestId of a lost answer, too', async () => {
  let sent: { transactionRequestId?: string } = {}
  const health = { status: 'ok', version: '0', id: 'x', pid: 1, uptimeMs: 1 }
  const url = await foreignServer(async (request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify({ code: '0', data: health }))
    sent = (await json(request)) as typeof sent
    return response.end('{"code":"0"}')
  })
  const { stderr } = await errorOf(`trigger refund-partial --base-url ${url}`)
  expect(stderr).toContain(`tillbox query --transaction-request-id ${sent.transactionRequestId}`)
})

/** Stands between a command and a sandbox: sales go through, queries go to `answer`. */
async function between(
  sandbox: LaunchedSandbox,
  answer: (forward: () => Promise<unknown>, request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  return foreignServer(async (request, response) => {
    const { method = '', url = '' } = request
    const body = method === 'POST' ? await json(request) : undefined
    const forward = async () => response.end((await sandbox.send(method, url, { body })).text)
    await (url.startsWith(queryPath) ? answer(forward, request, response) : forward())
  })
}

/** The transaction that is stored. */
async function stored(sandbox: LaunchedSandbox): Promise<string> {
  const { envelope } = await sandbox.send('GET', '/_sandbox/terminals')
  const lines = envelope.data.terminals.flatMap(({ line }: { line: string[] }) => line)
  expect(lines).toHaveLength(1)
  return lines[0]
}

test.each<[string, RequestListener]>([
  ['they hang', hang],
  ['something between answers', answerPage],
  ['they are refused', refuse],
])('--wait ends with 5 and how to look it up while queries get no answer: %s', async (_, answer) => {
  const sandbox = await startSandboxCommand()
  let requestCount = 0
  const url = await between(sandbox, (_forward, request, response) => {
    requestCount += 1
    return answer(request, response)
  })
  const attended = `${sale} --terminal TBX-ATTENDED-001 --wait 100ms --base-url ${url} --json`
  const asJson = await sandbox.run(attended, env)
  const id = await stored(sandbox)
  expect(asJson.code).toBe(5)
  expect(requestCount).toBeGreaterThan(0)
  expect(JSON.parse(asJson.stdout).transactionId).toBe(id)
  expect(asJson.stderr).toContain(`tillbox query ${id}`)
})

test('failed queries of --wait are repeated until the final status, and it ends with 0', async () => {
  const sandbox = await startSandboxCommand()
  let requestCount = 0
  const url = await between(sandbox, (forward, request, response) => {
    requestCount += 1
    return requestCount <= 3 ? [close, answerPage, refuse][requestCount - 1]?.(request, response) : forward()
  })
  const stdout = await prints(sandbox.run(`${sale} --base-url ${url} --json`, env))
  expect(JSON.parse(stdout).transactionStatus).toBe('S')
  expect(requestCount).toBe(4)
})
