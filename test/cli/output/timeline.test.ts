import { expect } from 'vitest'
import { CanvasLine, drawSequence, drawTree } from '../../../src/cli/output/draw-timeline.ts'
import { plainTheme, type Theme } from '../../../src/cli/output/theme.ts'
import type { TransactionTree } from '../../../src/contract/control/control-answers.ts'
import type { LaneName, Sequence, SequenceStep } from '../../../src/contract/presentation/sequence.ts'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const bare: Theme = { ...plainTheme, width: 80 }
const paint = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`
const coloured: Theme = {
  good: paint(32),
  bad: paint(31),
  open: paint(33),
  strong: paint(1),
  faint: paint(2),
  link: paint(36),
  width: 80,
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: what paints a text
const withoutColour = (text: string) => text.replace(/\u001b\[\d+m/g, '')

const step = (
  from: LaneName,
  to: LaneName,
  text: string,
  more: Partial<SequenceStep> = {},
): SequenceStep => ({
  at: 0,
  since: 0,
  time: '2026-11-20T12:43:52',
  from,
  to,
  text,
  note: null,
  about: null,
  tone: 'plain',
  ...more,
})

const sequence: Sequence = {
  lanes: (['client', 'service', 'terminal', 'host', 'receiver'] as const).map((name) => ({
    name,
    label: name,
  })),
  steps: [
    step('client', 'service', 'Sale of 10.00 USD'),
    step('host', 'service', '051 Insufficient funds', { note: 'rule amount', tone: 'bad', since: 1200 }),
    step('service', 'service', 'not paid in time, closed', { tone: 'bad' }),
    step('service', 'receiver', 'PAYMENT_PRESENTED → the connection was refused by nobody who listens there'),
  ],
}

test('a sequence has lanes, arrows with texts and times, marks for steps of one participant, and when empty only its end', () => {
  const two: Sequence = {
    lanes: sequence.lanes.slice(0, 2),
    steps: [step('client', 'service', 'hello'), step('service', 'client', 'bye', { since: 90, note: 'why' })],
  }
  expect(drawSequence(two, 60, bare)).toBe(
    [
      '                       client             service',
      '                          │ hello            │',
      '12:43:52 +0 ms            ├─────────────────▶│',
      '                          │ bye              │',
      '                          │ why              │',
      '12:43:52 +90 ms           │◀─────────────────┤',
      '                          │                  │',
      '',
    ].join('\n'),
  )
  const drawn = drawSequence(sequence, 80, bare).split('\n')
  expect(drawn.find((line) => line.includes('not paid in time'))).toMatch(/^12:43:52 \+0 ms +│ +● not paid/)
  expect(drawSequence({ lanes: [], steps: [] }, 80, bare).trim()).toBe('')
})

test.each([20, 40, 60, 73, 74, 80, 100, 120, 200])('a sequence fits %i columns, with all words', (width) => {
  const drawn = drawSequence(sequence, width, bare)
  for (const line of drawn.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.max(width, 38))
  const text = drawn.replace(/[│●]/g, ' ').replace(/\s+/g, ' ')
  for (const { text: stepText } of sequence.steps)
    for (const word of stepText.split(' ')) expect(text).toContain(word)
})

test('colours change no character, in any width', () => {
  for (const width of [40, 80, 120]) {
    const drawn = drawSequence(sequence, width, coloured)
    expect(drawn).toContain('\u001b[31m')
    expect(withoutColour(drawn)).toBe(drawSequence(sequence, width, bare))
  }
})

test.each([
  [0, '+0 ms'],
  [1234, '+1.2 s'],
  [3_599_000, '+59 min 59 s'],
  [181 * 86_400_000, '+181 d'],
  [-5, '−5 ms'],
])('the time of %i ms since the first step is beside the lanes, with its unit', (since, text) => {
  const steps = [step('client', 'service', 'hello', { since })]
  expect(drawSequence({ ...sequence, steps }, 80, bare)).toContain(`12:43:52 ${text.padEnd(12)}     ├`)
})

test('in a narrow window a long time hides nothing of the text beside it', () => {
  const steps = [step('service', 'service', 'not paid in time, so it was closed', { since: 3_599_000 })]
  const drawn = drawSequence({ lanes: sequence.lanes.slice(0, 2), steps }, 44, bare)
  const text = drawn.replace(/[│●]|12:43:52 \+59 min 59 s/g, ' ').replace(/\s+/g, ' ')
  expect(text).toContain('not paid in time, so it was closed')
})

test('a line of a drawing is cut at both edges, has no spaces at its end, and paints neighbours of one paint together', () => {
  expect(new CanvasLine(5).put(-1, 'abc').put(4, 'xyz').toString()).toBe('bc  x')
  expect(new CanvasLine(5).put(1, 'a  ').toString()).toBe(' a')
  const faint = paint(2)
  expect(new CanvasLine(4).put(0, 'ab', faint).put(2, 'c', faint).toString()).toBe('\u001b[2mabc\u001b[0m')
})

const branch = (transactionId: string, more: Partial<TransactionTree> = {}): TransactionTree => ({
  transactionId,
  type: 'REFUND',
  amount: 400,
  currency: 'USD',
  status: 'SUCCESS',
  resultCode: '000',
  leftToRefund: null,
  leftToCapture: null,
  followUps: [],
  ...more,
})

test('the tree has its branches in order, with the rest and the reason of a failure', () => {
  const followUps = [
    branch('2', { followUps: [branch('3', { type: 'VOID' })] }),
    branch('4', { status: 'FAIL', resultCode: '091' }),
  ]
  expect(drawTree(branch('1', { type: 'SALE', amount: 1000, leftToRefund: 600, followUps }), bare)).toBe(
    [
      'sale  10.00 USD  ✓ approved  1',
      '│  6.00 USD left to refund',
      '├─ refund  4.00 USD  ✓ approved  2',
      '│  └─ void  4.00 USD  ✓ approved  3',
      '└─ refund  4.00 USD  ✗ declined 091  4',
      '',
    ].join('\n'),
  )
  const auth = branch('1', { type: 'AUTH', leftToCapture: 400 })
  expect(drawTree(auth, bare)).toContain('4.00 USD left to capture')
})

test('query names follow-ups, and says which of them were not approved', async ({ sandbox }) => {
  const { transactionId: id } = await sandbox.json('sale --amount 10.00')
  const good = await sandbox.json(`refund ${id} --amount 4.00`)
  const bad = JSON.parse(
    (await sandbox.run(`refund ${id} --amount 1.00 --outcome do-not-honor --json`)).stdout,
  )
  const { stdout } = await sandbox.run(`query ${id}`)
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    `later 6.00 USD left to refund, followed by ${good.transactionId}, ${bad.transactionId} (declined)`,
  )
})

test('--timeline draws the messages, the webhook attempts, and the tree', async () => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
  const { transactionId } = await sandbox.json('sale --amount 10.00')
  const refund = await sandbox.json(`refund ${transactionId} --amount 4.00`)
  await target.got(2)
  const drawn = async () => (await sandbox.run(`query ${transactionId} --timeline`)).stdout
  await expect.poll(drawn).toContain('result → 200')
  const text = await drawn()
  expect(text).toContain('Times in UTC, by the sandbox clock\n')
  for (const part of [
    /client +service +terminal +host +webhook/,
    /approve, as no rule applied/,
    /├─+▶│/,
    /◀─+┤/,
  ])
    expect(text).toMatch(part)
  expect(text).toContain('6.00 USD left to refund')
  expect(text).toContain(`└─ refund  4.00 USD  ✓ approved  ${refund.transactionId}`)
  for (const line of text.split('\n').filter((each) => /[│├]/.test(each)))
    expect(line.length).toBeLessThanOrEqual(80)
})

test('an unknown transaction ends with 1, and a service that is not a sandbox with 2', async () => {
  const sandbox = await startSandboxCommand()
  expect((await sandbox.run('query 1 --timeline')).code).toBe(1)
  const record = { transactionId: '1', transactionStatus: 'S', transactionAmount: 1 }
  const url = await foreignServer((request, response) => {
    if (request.url?.startsWith('/v1/'))
      response.end(JSON.stringify({ code: '0', msg: '', traceId: '', data: record }))
    else response.writeHead(404).end('nothing here')
  })
  const refused = runCommand(`query 1 --timeline --base-url ${url} --api-key a-key`)
  await fails(refused, 2, '--timeline needs a sandbox: other services keep no timeline')
})
