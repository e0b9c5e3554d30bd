import { readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { projectRoot, readProjectFile } from '../support/project.ts'
import { noteAnswer, notedAnswers, takeProblems } from '../support/runner/held-answers.ts'
import { appOf } from '../support/service/app.ts'
import { openRawSandbox } from '../support/service/raw.ts'
import { salePath } from '../support/service/requests.ts'
import { openService } from '../support/service/service.ts'

/** A server that is taken for one of a sandbox; the answer is what a test wants. */
async function urlOf(listener: RequestListener): Promise<string> {
  const server = Object.assign(createServer(listener), { httpAllowHalfOpen: true })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const built = () =>
  import('../../dist/index.js' as string) as Promise<{ createSandbox: typeof createSandbox }>

async function urlOfLibrary(create: typeof createSandbox): Promise<string> {
  const sandbox = await create()
  onTestFinished(() => sandbox.close())
  return sandbox.url
}

describe('the record of each answer of a sandbox in this process', () => {
  test.each([
    ['of the sources', async () => (await openRawSandbox()).connection.url],
    ['of the library', () => urlOfLibrary(createSandbox)],
    ['of the library as it is built', async () => urlOfLibrary((await built()).createSandbox)],
    ['of the command line', async () => (await startSandboxCommand()).url],
  ])('an answer over a port is noted: %s', async (_, urlOfSandbox) => {
    const url = await urlOfSandbox()
    const before = notedAnswers()
    expect((await fetch(`${url}/_sandbox/clock`)).status).toBe(200)
    expect(notedAnswers() - before).toBe(1)
  })

  test('an answer without a port is noted', async () => {
    const { sandbox } = await openService()
    const before = notedAnswers()
    expect((await appOf(sandbox).request('/_sandbox/clock')).status).toBe(200)
    expect(notedAnswers() - before).toBe(1)
  })

  test('no test makes an app whose answers are not noted', () => {
    const making = readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) =>
        /(from|import\() *'[./]*\/src\/sandbox\/app\.ts'/.test(readProjectFile(`test/${name}`)),
      )
    expect(making).toEqual(['support/service/app.ts'])
  })

  test('a stream is noted when its head arrives', async () => {
    const { connection } = await openRawSandbox()
    const before = notedAnswers()
    const { body } = await fetch(`${connection.url}/_sandbox/events`)
    expect(notedAnswers() - before).toBe(1)
    await body?.cancel()
  })
})

describe('the report of answers that the document does not describe', () => {
  const json = { 'Content-Type': 'application/json' }
  const accepted = { code: '0', msg: 'success', traceId: 'T' }
  const data = { transactionId: '1', transactionRequestId: 'Ä', transactionStatus: 'I' }
  const good = JSON.stringify({ ...accepted, data })

  test.each<[string, RequestListener, RegExp | null]>([
    ['as it is described', (_, response) => response.writeHead(200, json).end(good), null],
    [
      'in pieces, between the bytes of a letter',
      (_, response) => {
        const bytes = Buffer.from(good)
        const cut = bytes.indexOf(0xc3) + 1
        response.writeHead(200, json).write(bytes.subarray(0, cut))
        response.end(bytes.subarray(cut))
      },
      null,
    ],
    [
      'with headers that were set before',
      (_, response) => response.setHeader('Content-Type', 'application/json').end(good),
      null,
    ],
    [
      'without its data',
      (_, response) => response.writeHead(200, json).end(JSON.stringify(accepted)),
      /^POST \/v1\/.*\n {2}sale, HTTP 200: .*\n.*data/s,
    ],
    [
      'with a status that the operation has not',
      (_, response) => response.writeHead(299, json).end(good),
      /sale, HTTP 299/,
    ],
    [
      'of a type that the operation has not',
      (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
      /sale answers no text\/html/,
    ],
    [
      'cut off and yet ended',
      (_, response) => response.writeHead(200, json).end('{"code":'),
      /sale, HTTP 200/,
    ],
    [
      'of an injected fault: the page of a proxy',
      (_, response) => {
        response.writeHead(503, { 'Content-Type': 'text/html' }).end('<h1>503</h1>\r\n<hr>proxy\r\n')
      },
      null,
    ],
    ['of an injected fault: nothing', (_, response) => response.writeHead(200, json).end(), null],
  ])(
    'an answer that is not described is reported, and any other is not: %s',
    async (_, listener, problem) => {
      const url = await urlOf(listener)
      await fetch(url + salePath, { method: 'POST', body: '{}' }).then((response) => response.text())
      const problems = (await takeProblems()).join('\n')
      if (problem === null) expect(problems).toBe('')
      else expect(problems).toMatch(problem)
    },
  )

  test('an empty answer of the control interface is reported, as only the payment API has injected faults', async () => {
    noteAnswer({ method: 'GET', url: '/_sandbox/clock', status: 200, type: 'application/json', text: '' })
    expect((await takeProblems()).join('\n')).toContain('clock, HTTP 200: ""')
  })

  test('answers are all checked, even when there are more than fit into memory', async () => {
    const wrong = { method: 'GET', url: '/_sandbox/clock', status: 200, type: 'application/json', text: '{}' }
    for (let count = 0; count < 1100; count++) noteAnswer(wrong)
    expect((await takeProblems()).filter((line) => line === 'GET /_sandbox/clock')).toHaveLength(1100)
    expect(await takeProblems()).toEqual([])
  })
})
