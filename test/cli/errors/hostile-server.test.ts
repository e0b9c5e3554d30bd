import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { controls } from '../../../src/contract/control/controls/controls.ts'
import { openapiDocument } from '../../../src/contract/openapi/document.ts'
import { operations } from '../../../src/contract/operations.ts'
import { runCommand } from '../../support/commands/command.ts'
import { commands } from '../../support/commands/manifest.ts'
import { controlCharacter } from '../../support/commands/terminal-text.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { everyCommand, typedCommandOf } from '../every-command.ts'
import { notification, trueAnswers } from '../true-answers.ts'

/** Sets the title and a colour, clears the window, turns the direction, and begins a line of its own. */
const attack = '\u001b]0;TITLE\u0007\u001b[31m\u009b2J\u007f\u202e\u2028\r'

/** Words that decide what is shown: they are of our choice, and another one is not an answer of a sandbox. */
const ours = new Set(['USD', 'a-key', ...wordsIn(openapiDocument())])

/** Every word to which a schema limits a text. */
function wordsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { enum: choices = [], const: only } = schema as { readonly enum?: unknown; readonly const?: unknown }
  const own = [choices, only].flat().filter((word) => typeof word === 'string')
  return [...own, ...Object.values(schema).flatMap(wordsIn)]
}

/** The same with the attack at the end of every text. */
function attacked(value: unknown): unknown {
  if (typeof value === 'string') return ours.has(value) ? value : value + attack
  if (Array.isArray(value)) return value.map(attacked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, attacked(each)]))
}

const [id, serial] = ['1795159696581000', 'TBX-ATTENDED-001']

/** The row of the tables that a request is for. */
function rowOf(method: string | undefined, url: string): string | undefined {
  const path = new URL(url, 'http://h').pathname
  return Object.entries({ ...operations, ...controls }).find(
    ([, row]) => row.method === method && new RegExp(`^${row.path.replace(/:\w+/g, '[^/]+')}$`).test(path),
  )?.[0]
}

const events: Readonly<Record<string, (answers: Readonly<Record<string, unknown>>) => unknown>> = {
  events: () => notification,
  'request-events': ({ request }) => request,
}

/** Answers with the attack in every text; a stream ends with an event that is none. */
const hostile =
  (answers: Readonly<Record<string, unknown>>): RequestListener =>
  (request, response) => {
    const name = rowOf(request.method, request.url ?? '') ?? ''
    const event = events[name]?.(answers)
    response.setHeader('X-Sandbox-Note', 'note \u009b2J')
    if (event === undefined) {
      response.end(JSON.stringify({ code: '0', msg: attack, traceId: attack, data: attacked(answers[name]) }))
      return
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(
      `id: 1\n\ndata: ${JSON.stringify(attacked(event))}\n\ndata: "${attack.replace('\r', '')}"\n\n`,
    )
  }

/** Refuses everything but to say how to connect, with the attack in every text. */
const refusing =
  (answers: Readonly<Record<string, unknown>>): RequestListener =>
  (request, response) => {
    if (rowOf(request.method, request.url ?? '') === 'connection') return hostile(answers)(request, response)
    const texts = { msg: 'm', traceId: 't', field: 'f', detail: 'd', remedy: 'r' }
    response.writeHead(400).end(JSON.stringify({ code: `X${attack}`, ...(attacked(texts) as object) }))
  }

/** Commands that show nothing of a server's, or are shown to do it well elsewhere. */
const others: Readonly<Record<string, string>> = {
  attack: 'runs the server',
  coverage: 'runs the server',
  drift: 'reads a file: test/cli/drift.test.ts',
  exec: 'runs the server',
  api: 'prints a body as it was sent; api.test.ts shows what a window gets',
  'sandbox:start': 'is the server',
  'sandbox:stop': 'believes the lock of a sandbox alone; lifecycle.test.ts',
  'sandbox:restart': 'as sandbox stop',
  'sandbox:repair': 'reads files alone',
  'sandbox:verify': 'reads files alone',
  'checkout:wallet-payload': 'sends nothing',
  help: 'asks nobody',
  __complete: 'prints plain words alone; completion.test.ts',
  completion: 'asks nobody',
  openapi: 'asks nobody',
  docs: 'asks nobody',
  mcp: 'mcp/stdio.test.ts shows what it says of others',
  doctor: 'doctor.test.ts shows what it says of others',
  init: 'asks nobody',
  'profile:list': 'reads settings files alone',
  'profile:remove': 'reads settings files alone',
  'profile:set': 'reads settings files alone',
  'profile:show': 'reads settings files alone',
  'profile:use': 'reads settings files alone',
  whoami: 'asks no service that was named',
  'terminal:open': 'foreign-text.test.ts draws its window',
  test: 'asks no service that was not typed; scenario/reporters.test.ts shows what it says of others',
  'webhook:replay': 'webhook/receive-and-replay.test.ts: it sends a file',
  'webhook:receive': 'foreign-text.test.ts shows what senders send',
}

/** Every other command, as it is typed, and in other ways that show something else. */
const typed: readonly string[] = [
  ...Object.keys(everyCommand)
    .filter((id) => !(id in others))
    .map(typedCommandOf),
  ...['sale --amount 1.00 --no-wait', `query ${id} --timeline`, 'abort @last'],
  ...['checkout sale --amount 1.00 --payment-method GOOGLE_PAY', 'batch query', 'sandbox clock'],
  ...['listen --terminal none --from-now', 'logs tail --no-follow', 'sandbox key allow-ip'],
  ...['sandbox key allow-ip 127.0.0.1 --force', 'space create ci-1 --ttl 1h', `terminal receipt ${serial}`],
  ...['sandbox fault', 'sandbox fault empty --until 1h', 'sandbox fault --clear f1'],
  ...['webhook order concurrent', 'webhook resend --all', 'webhook secret --rotate'],
]

/** Runs every command against the server, a few at once, and fails where something acts on the window. */
async function runAll(answer: RequestListener, flag = '', lines = typed) {
  const url = await foreignServer(answer)
  const env = { TILLBOX_API_KEY: 'a-key', TILLBOX_BASE_URL: url }
  const left = [...lines]
  const ended: { command: string; code: number | null; stdout: string; stderr: string }[] = []
  const work = async () => {
    for (let command = left.shift(); command !== undefined; command = left.shift())
      ended.push({ command, ...(await runCommand(`${command} ${flag}`, { env })) })
  }
  await Promise.all([work(), work(), work(), work()])
  for (const { command, stdout, stderr } of ended) {
    expect([command, (stdout + stderr).match(controlCharacter)]).toEqual([command, null])
    expect([command, stderr]).toEqual([command, expect.not.stringContaining('bug in tillbox')])
  }
  return ended
}

test('every command is run here, or listed with the place of its test', () => {
  const all = Object.keys(commands)
  const here = all.filter((name) =>
    typed.some((line) => `${line} `.startsWith(`${name.replaceAll(':', ' ')} `)),
  )
  expect([...here, ...Object.keys(others)].sort()).toEqual(all.sort())
})

test('nothing that a server answers does anything in the window', async () => {
  const ended = await runAll(hostile(trueAnswers))
  const codes = Object.fromEntries(ended.map(({ command, code }) => [command, code]))
  const usual = { listen: 3, 'logs tail': 3 } // their streams end with an event that is none
  const good = { 'webhook secret': 0, 'sandbox reset --yes': 0, 'sandbox status': 0 }
  expect(codes).toMatchObject({ ...usual, ...good })
  expect(ended.filter(({ code }) => code === 0).length).toBeGreaterThan(30)
  const disarmed = ended.filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes('\u241b]0'))
  expect(disarmed.length).toBeGreaterThan(30)
})

test('nothing that a server answers does anything in the window with --json, and the value is unchanged', async () => {
  const ended = await runAll(hostile(trueAnswers), '--json')
  const shown = ended.find(({ command }) => command === 'webhook secret')?.stdout ?? ''
  expect(JSON.parse(shown)).toEqual({ secret: `whsec${attack}` })
})

test('nothing in a refusal of a server does anything in the window', async () => {
  const ended = [
    ...(await runAll(refusing(trueAnswers))),
    ...(await runAll(refusing(trueAnswers), '--json', typed.slice(0, 10))),
  ]
  expect(ended.filter(({ code }) => code === 1).length).toBeGreaterThan(50)
})
